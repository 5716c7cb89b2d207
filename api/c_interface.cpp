// The C interface: status, context, tensors and dispatches.
#include "api/c_interface.hpp"

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
  static webnn_status status{WEBNN_RESOURCE, "out of memory", {}};  // short enough to need no memory itself
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

namespace {

NamedTensors named_tensors(const webnn_named_tensor* items, std::size_t count, const char* name) {
  NamedTensors tensors;
  for (const webnn_named_tensor& item : list(items, count, name))
    if (!tensors.emplace(required_text(item.name, "a tensor's name"), required(item.tensor, "a tensor").value).second)
      refuse(std::string(name) + " has two tensors of one name");
  return tensors;
}

}  // namespace
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
    webnn::ContextOptions words;
    if (given.device) words.device = given.device;
    if (given.isa) words.isa = given.isa;
    words.threads = given.threads;
    words.maxMemory = given.max_memory;
    give_new(context, "context", [&] { return webnn::Context(words); });
  });
}

void webnn_context_release(webnn_context* context) { delete context; }

// ---- tensors

webnn_status* webnn_context_create_tensor(webnn_context* context, const webnn_tensor_options* options,
                                          webnn_tensor** tensor) {
  return guarded([&] {
    constexpr std::uint32_t known = WEBNN_TENSOR_READABLE | WEBNN_TENSOR_WRITABLE;
    const std::uint32_t usage = structure(&required(options, "options"), "options").usage;
    if ((usage & ~known) != 0) refuse("usage has bits that mean nothing");
    const auto [type, shape] = type_and_shape(options, "options");
    const webnn::TensorDescriptor descriptor{.dataType = type,
                                             .shape = shape,
                                             .readable = (usage & WEBNN_TENSOR_READABLE) != 0,
                                             .writable = (usage & WEBNN_TENSOR_WRITABLE) != 0};
    give_new(tensor, "tensor", [&] { return required(context, "context").value.createTensor(descriptor); });
  });
}

webnn_status* webnn_context_create_constant_tensor(webnn_context* context, const webnn_descriptor* descriptor,
                                                   const void* data, size_t bytes, webnn_tensor** tensor) {
  return guarded([&] {
    const std::pair<webnn::DataType, webnn::Dimensions> kind = type_and_shape(descriptor, "descriptor");
    give_new(tensor, "tensor", [&] {
      return required(context, "context").value.createConstantTensor(kind.first, kind.second, bytes_of(data, bytes));
    });
  });
}

void webnn_tensor_release(webnn_tensor* tensor) { delete tensor; }

webnn_status* webnn_tensor_descriptor(const webnn_tensor* tensor, webnn_descriptor* descriptor) {
  return guarded([&] {
    const webnn::Tensor& value = required(tensor, "tensor").value;
    give_structure(descriptor_of(value.dataType(), value.shape()), descriptor, "descriptor");
  });
}

webnn_status* webnn_context_write_tensor(webnn_context* context, webnn_tensor* tensor, const void* data, size_t bytes) {
  return guarded(
      [&] { required(context, "context").value.writeTensor(required(tensor, "tensor").value, bytes_of(data, bytes)); });
}

webnn_status* webnn_context_read_tensor(webnn_context* context, webnn_tensor* tensor, void* data, size_t bytes) {
  return guarded([&] {
    const std::span<std::byte> target = list(static_cast<std::byte*>(data), bytes, "data");
    required(context, "context").value.readTensor(required(tensor, "tensor").value, target).get();
  });
}

webnn_status* webnn_context_dispatch(webnn_context* context, const webnn_graph* graph, const webnn_named_tensor* inputs,
                                     size_t input_count, const webnn_named_tensor* outputs, size_t output_count) {
  return guarded([&] {
    required(context, "context")
        .value.dispatch(required(graph, "graph").value, named_tensors(inputs, input_count, "inputs"),
                        named_tensors(outputs, output_count, "outputs"));
  });
}
