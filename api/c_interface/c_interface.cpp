// The C interface: status and context.
#include "api/c_interface/c_interface.hpp"

#include <chrono>
#include <future>

#include "schema/version.hpp"

namespace webnn::c_interface {

using schema::ExitCode;

static_assert(WEBNN_USAGE == int(ExitCode::usage) && WEBNN_INVALID_INPUT == int(ExitCode::invalid_input) &&
              WEBNN_UNSUPPORTED == int(ExitCode::unsupported) && WEBNN_DEVICE == int(ExitCode::device) &&
              WEBNN_IO == int(ExitCode::io) && WEBNN_RESOURCE == int(ExitCode::resource) &&
              WEBNN_PROGRAM == int(ExitCode::program) && WEBNN_INTERNAL == int(ExitCode::internal));
static_assert(WEBNN_FLOAT32 == int(DataType::float32) && WEBNN_FLOAT16 == int(DataType::float16) &&
              WEBNN_INT32 == int(DataType::int32) && WEBNN_UINT32 == int(DataType::uint32) &&
              WEBNN_INT64 == int(DataType::int64) && WEBNN_UINT64 == int(DataType::uint64) &&
              WEBNN_INT8 == int(DataType::int8) && WEBNN_UINT8 == int(DataType::uint8) &&
              WEBNN_INT4 == int(DataType::int4) && WEBNN_UINT4 == int(DataType::uint4));
static_assert(schema::data_type_count == 10);

namespace {

webnn_status* out_of_memory() noexcept {
  static webnn_status status{WEBNN_RESOURCE, "out of memory", {}};  // short enough to need no allocation
  return &status;
}

webnn_status* make_status(webnn_code code, const char* message, const std::string& hint) noexcept {
  try {
    return new webnn_status{code, message, hint};
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace

webnn_status* status_of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return make_status(webnn_code(error.code()), error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return make_status(WEBNN_INTERNAL, error.what(), {});
  } catch (...) {
    return make_status(WEBNN_INTERNAL, "an exception of an unknown type", {});
  }
}

DataType data_type_of(webnn_data_type type) {
  if (std::size_t(type) >= schema::data_type_count) refuse(std::to_string(int(type)) + " is no data type");
  return DataType(type);
}

webnn_data_type code_of(DataType type) { return webnn_data_type(type); }

}  // namespace webnn::c_interface

using namespace webnn::c_interface;

const char* webnn_version(void) { return webnn::schema::version.data(); }

// ---- status

webnn_code webnn_status_code(const webnn_status* status) { return status ? status->code : WEBNN_OK; }
const char* webnn_status_message(const webnn_status* status) { return status ? status->message.c_str() : ""; }
const char* webnn_status_hint(const webnn_status* status) { return status ? status->hint.c_str() : ""; }

void webnn_status_release(webnn_status* status) {
  if (status != out_of_memory()) delete status;
}

// ---- context

webnn_status* webnn_context_create(const webnn_context_options* options, webnn_context** context) {
  return guarded([&] {
    const webnn_context_options given = structure(options, "options");
    if (given.reserved != 0) webnn::refuse("options.reserved is not 0");
    webnn::ContextOptions words;
    if (given.device) words.device = given.device;
    if (given.isa) words.isa = given.isa;
    words.threads = given.threads;
    words.maxMemory = given.max_memory;
    words.maxWork = given.max_work;
    give_new(context, "context", [&] { return webnn::Context(words); });
  });
}

void webnn_context_release(webnn_context* context) { delete context; }

webnn_status* webnn_context_wait(webnn_context* context) {
  return guarded([&] { required(context, "context").value.wait(); });
}

webnn_status* webnn_context_destroy(webnn_context* context) {
  return guarded([&] { required(context, "context").value.destroy(); });
}

int webnn_context_is_lost(const webnn_context* context) {
  return context && context->value.lost().wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}
