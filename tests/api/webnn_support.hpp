// What the tests of the public C++ interface share.
#pragma once

#include <cstddef>
#include <cstring>
#include <doctest/doctest.h>
#include <span>
#include <string>
#include <vector>

#include "api/webnn.hpp"

namespace webnn::tests {

constexpr auto float32 = DataType::float32;

template <class Element = float>
std::span<const std::byte> bytes_of(const std::vector<Element>& elements) {
  return std::as_bytes(std::span(elements));
}

template <class Element = float>
std::vector<Element> elements_of(std::span<const std::byte> data) {
  std::vector<Element> elements(data.size() / sizeof(Element));
  std::memcpy(elements.data(), data.data(), data.size());
  return elements;
}

/// What the contexts of these tests are opened with: the CPU, or the GPU where WEBNN_TEST_DEVICE says so
/// (tests/runtime/vulkan/tensor_runtime.cpp runs them once more with it).
ContextOptions test_options(unsigned threads = 0);

/// The message of the usage error that `call` throws; empty when it throws none.
template <class Call>
std::string usage_error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == schema::ExitCode::usage);
    return error.what();
  }
  return {};
}

inline Tensor tensor_of(Context& context, DataType type, const Dimensions& shape) {
  return context.createTensor({.dataType = type, .shape = shape, .readable = true, .writable = true});
}

/// c = a + b of such tensors.
inline Graph add_graph(Context& context, DataType type, const Dimensions& shape) {
  GraphBuilder builder(context);
  return builder.build({{"c", builder.add(builder.input("a", type, shape), builder.input("b", type, shape))}});
}

/// y = x + 1 of float32 tensors.
inline Graph increment_graph(Context& context, const Dimensions& shape) {
  GraphBuilder builder(context);
  return builder.build({{"y", builder.add(builder.input("x", float32, shape), builder.constant(float32, 1))}});
}

}  // namespace webnn::tests
