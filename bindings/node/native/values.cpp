#include "bindings/node/native/values.hpp"

#include <memory>
#include <new>

#include "schema/error.hpp"

namespace webnn::node {

using schema::Error;
using schema::ExitCode;

namespace {

[[noreturn]] void refuse(const char* wanted) { throw Error(ExitCode::usage, std::string("not ") + wanted); }

void expect(napi_status status, const char* wanted) {
  if (status != napi_ok) refuse(wanted);
}

napi_valuetype type_of(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  check(env, napi_typeof(env, value, &type));
  return type;
}

std::string_view word_for(ExitCode code) {
  switch (code) {
    case ExitCode::usage:
      return "usage";
    case ExitCode::invalid_input:
      return "invalid input";
    case ExitCode::unsupported:
      return "unsupported";
    case ExitCode::device:
      return "device";
    case ExitCode::io:
      return "io";
    case ExitCode::resource:
      return "resource";
    case ExitCode::program:
      return "program";
    default:
      return "internal";
  }
}

}  // namespace

void check(napi_env env, napi_status status) {
  if (status == napi_ok) return;
  bool pending = false;
  if (status == napi_pending_exception || (napi_is_exception_pending(env, &pending) == napi_ok && pending))
    throw Pending{};
  const napi_extended_error_info* info = nullptr;
  napi_get_last_error_info(env, &info);
  throw Error(ExitCode::internal, std::string("Node.js: ") +
                                      (info && info->error_message ? info->error_message : "an error without a text"));
}

std::string text(napi_env env, napi_value value) {
  std::size_t size = 0;
  expect(napi_get_value_string_utf8(env, value, nullptr, 0, &size), "a string");
  std::string result(size, '\0');
  check(env, napi_get_value_string_utf8(env, value, result.data(), size + 1, &size));
  return result;
}

double real(napi_env env, napi_value value) {
  double result = 0;
  expect(napi_get_value_double(env, value, &result), "a number");
  return result;
}

std::int64_t integer(napi_env env, napi_value value) {
  std::int64_t result = 0;
  expect(napi_get_value_int64(env, value, &result), "a number");
  return result;
}

std::uint32_t word(napi_env env, napi_value value) {
  const std::int64_t result = integer(env, value);
  if (result < 0 || result > 0xffff'ffff) refuse("an unsigned number of 32 bits");
  return std::uint32_t(result);
}

bool boolean(napi_env env, napi_value value) {
  bool result = false;
  expect(napi_get_value_bool(env, value, &result), "a boolean");
  return result;
}

bool is_absent(napi_env env, napi_value value) {
  const napi_valuetype type = type_of(env, value);
  return type == napi_undefined || type == napi_null;
}

std::vector<napi_value> items(napi_env env, napi_value array) {
  std::uint32_t count = 0;
  expect(napi_get_array_length(env, array, &count), "an array");
  std::vector<napi_value> result(count);
  for (std::uint32_t i = 0; i < count; ++i) check(env, napi_get_element(env, array, i, &result[i]));
  return result;
}

std::vector<std::uint32_t> words(napi_env env, napi_value array) {
  std::vector<std::uint32_t> result;
  for (const napi_value item : items(env, array)) result.push_back(word(env, item));
  return result;
}

std::span<std::byte> bytes(napi_env env, napi_value value) {
  bool is_view = false;
  check(env, napi_is_typedarray(env, value, &is_view));
  if (!is_view) refuse("a Uint8Array");
  napi_typedarray_type type = napi_int8_array;
  std::size_t length = 0;
  void* data = nullptr;
  check(env, napi_get_typedarray_info(env, value, &type, &length, &data, nullptr, nullptr));
  if (type != napi_uint8_array) refuse("a Uint8Array");
  return {static_cast<std::byte*>(data), length};
}

napi_value undefined(napi_env env) {
  napi_value value = nullptr;
  check(env, napi_get_undefined(env, &value));
  return value;
}

napi_value make_text(napi_env env, std::string_view text) {
  napi_value value = nullptr;
  check(env, napi_create_string_utf8(env, text.data(), text.size(), &value));
  return value;
}

napi_value make_number(napi_env env, double number) {
  napi_value value = nullptr;
  check(env, napi_create_double(env, number, &value));
  return value;
}

napi_value make_boolean(napi_env env, bool boolean) {
  napi_value value = nullptr;
  check(env, napi_get_boolean(env, boolean, &value));
  return value;
}

napi_value make_words(napi_env env, std::span<const std::uint32_t> values) {
  std::vector<napi_value> list;
  for (const std::uint32_t value : values) list.push_back(make_number(env, value));
  return make_array(env, list);
}

napi_value make_texts(napi_env env, std::span<const std::string> values) {
  std::vector<napi_value> list;
  for (const std::string& value : values) list.push_back(make_text(env, value));
  return make_array(env, list);
}

napi_value make_array(napi_env env, std::span<const napi_value> values) {
  napi_value array = nullptr;
  check(env, napi_create_array_with_length(env, values.size(), &array));
  for (std::uint32_t i = 0; i < values.size(); ++i) check(env, napi_set_element(env, array, i, values[i]));
  return array;
}

ObjectMaker::ObjectMaker(napi_env env) : env_(env) { check(env, napi_create_object(env, &value_)); }

ObjectMaker& ObjectMaker::set(const char* name, napi_value value) {
  check(env_, napi_set_named_property(env_, value_, name, value));
  return *this;
}

napi_value make_error(napi_env env, const std::exception_ptr& error) {
  std::string message, hint;
  std::string_view kind = "internal";
  try {
    std::rethrow_exception(error);
  } catch (const Error& failure) {
    message = failure.what();
    hint = failure.hint();
    kind = word_for(failure.code());
  } catch (const std::bad_alloc&) {
    message = "memory ran out";
    kind = "resource";
  } catch (const std::exception& failure) {
    message = failure.what();
  }
  napi_value result = nullptr;
  check(env, napi_create_error(env, nullptr, make_text(env, message), &result));
  check(env, napi_set_named_property(env, result, "kind", make_text(env, kind)));
  check(env, napi_set_named_property(env, result, "hint", make_text(env, hint)));
  return result;
}

napi_value run_guarded(napi_env env, napi_callback_info info, Function function) noexcept {
  constexpr std::size_t most = 8;
  napi_value arguments[most];
  std::size_t count = most;
  try {
    check(env, napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr));
    return function({env, arguments});
  } catch (const Pending&) {
  } catch (...) {
    try {
      napi_throw(env, make_error(env, std::current_exception()));
    } catch (...) {  // the environment is ending
    }
  }
  return nullptr;
}

void set_functions(napi_env env, napi_value object, std::span<const NamedFunction> functions) {
  for (const NamedFunction& function : functions) {
    napi_value value = nullptr;
    check(env, napi_create_function(env, function.name, NAPI_AUTO_LENGTH, function.callback, nullptr, &value));
    check(env, napi_set_named_property(env, object, function.name, value));
  }
}

void wrap(napi_env env, napi_value object, void* data, napi_finalize finalize, const napi_type_tag& tag) {
  check(env, napi_type_tag_object(env, object, &tag));
  check(env, napi_wrap(env, object, data, finalize, nullptr, nullptr));
}

void* unwrap(napi_env env, napi_value value, const napi_type_tag& tag) {
  bool is_ours = false;
  void* data = nullptr;
  if (type_of(env, value) == napi_object) check(env, napi_check_object_type_tag(env, value, &tag, &is_ours));
  if (!is_ours) refuse("an object of the expected class");
  check(env, napi_unwrap(env, value, &data));
  return data;
}

}  // namespace webnn::node
