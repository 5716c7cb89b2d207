// Values of JavaScript in C++, over Node-API. Arguments come from our own JavaScript, which has converted them as WebIDL
// says; whatever else arrives is an exception, never undefined behaviour.
#pragma once

#define NAPI_VERSION 8  // Node.js 16 and newer
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <node_api.h>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace webnn::node {

/// An exception of JavaScript is on its way: C++ only returns.
struct Pending {};

/// Throws Pending or Error (internal) for anything but napi_ok.
void check(napi_env env, napi_status status);

// ---- from JavaScript; each throws Error (usage) for a value of another kind

std::string text(napi_env env, napi_value value);
double real(napi_env env, napi_value value);
std::int64_t integer(napi_env env, napi_value value);
std::uint32_t word(napi_env env, napi_value value);
bool boolean(napi_env env, napi_value value);
bool is_absent(napi_env env, napi_value value);  // undefined or null
std::vector<napi_value> items(napi_env env, napi_value array);
std::vector<std::uint32_t> words(napi_env env, napi_value array);
/// The bytes of a Uint8Array, also of one over shared memory.
std::span<std::byte> bytes(napi_env env, napi_value value);

// ---- to JavaScript

napi_value undefined(napi_env env);
napi_value make_text(napi_env env, std::string_view value);
napi_value make_number(napi_env env, double value);
napi_value make_boolean(napi_env env, bool value);
napi_value make_words(napi_env env, std::span<const std::uint32_t> values);
napi_value make_texts(napi_env env, std::span<const std::string> values);
napi_value make_array(napi_env env, std::span<const napi_value> values);

/// An object whose members are set one after another.
class ObjectMaker {
 public:
  explicit ObjectMaker(napi_env env);
  ObjectMaker& set(const char* name, napi_value value);
  napi_value value() const { return value_; }

 private:
  napi_env env_;
  napi_value value_ = nullptr;
};

/// An Error of JavaScript with `message`, `hint` and `kind`, the word for the code of a webnn::Error.
napi_value make_error(napi_env env, const std::exception_ptr& error);

// ---- objects that JavaScript holds

/// An object that owns a T, which is freed when it is collected. The collector is told of its `bytes` outside of
/// JavaScript's memory.
template <class T>
napi_value make_holder(napi_env env, T value, std::size_t bytes = 0);
/// The T of such an object. Throws Error (usage) for any other value.
template <class T>
T& held(napi_env env, napi_value value);

// ---- functions

/// A call: `arguments` beyond those that were given are undefined.
struct Call {
  napi_env env;
  std::span<const napi_value> arguments;
  napi_value operator[](std::size_t index) const { return arguments[index]; }
};
using Function = napi_value (*)(const Call& call);
/// Runs the function; what it throws becomes an exception of JavaScript.
napi_value run_guarded(napi_env env, napi_callback_info info, Function function) noexcept;

template <Function function>
napi_value guarded(napi_env env, napi_callback_info info) noexcept {
  return run_guarded(env, info, function);
}

struct NamedFunction {
  const char* name;
  napi_callback callback;
};
void set_functions(napi_env env, napi_value object, std::span<const NamedFunction> functions);

// ---- details

void wrap(napi_env env, napi_value object, void* data, napi_finalize finalize, const napi_type_tag& tag);
void* unwrap(napi_env env, napi_value value, const napi_type_tag& tag);

/// The tag of each class that is held; its address makes it unique in this process, its first word in this library.
template <class T>
inline const char tag_anchor = 0;
template <class T>
napi_type_tag tag_of() {
  return {0x7765626e6e2d6e6fu, reinterpret_cast<std::uint64_t>(&tag_anchor<T>)};
}

template <class T>
struct Holder {
  T value;
  std::int64_t bytes;
};

template <class T>
napi_value make_holder(napi_env env, T value, std::size_t bytes) {
  napi_value object = nullptr;
  check(env, napi_create_object(env, &object));
  auto holder = std::make_unique<Holder<T>>(Holder<T>{std::move(value), std::int64_t(bytes)});
  const napi_finalize finalize = [](napi_env ended, void* data, void*) {
    const std::unique_ptr<Holder<T>> last(static_cast<Holder<T>*>(data));
    std::int64_t all = 0;
    napi_adjust_external_memory(ended, -last->bytes, &all);
  };
  wrap(env, object, holder.get(), finalize, tag_of<T>());
  const Holder<T>& held = *holder.release();
  std::int64_t all = 0;
  check(env, napi_adjust_external_memory(env, held.bytes, &all));
  return object;
}

template <class T>
T& held(napi_env env, napi_value value) {
  return static_cast<Holder<T>*>(unwrap(env, value, tag_of<T>()))->value;
}

}  // namespace webnn::node
