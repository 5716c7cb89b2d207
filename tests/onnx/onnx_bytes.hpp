// ONNX files written by hand, field by field: also those that no exporter writes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::tests::onnx_bytes {

inline std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 128; value >>= 7) text += char(value | 128);
  return text + char(value);
}
inline std::string field(int number, std::uint64_t value) { return varint(std::uint64_t(number) << 3) + varint(value); }
inline std::string field(int number, std::string_view bytes) {
  return (varint(std::uint64_t(number) << 3 | 2) + varint(bytes.size())).append(bytes);
}

enum Type { float32 = 1, int64 = 7, boolean = 9, float64 = 11, bfloat16 = 16 };

using Sizes = std::vector<std::uint64_t>;

inline std::string tensor_head(std::string_view name, Type type, const Sizes& dims) {
  std::string head;
  for (const std::uint64_t size : dims) head += field(1, size);
  return head + field(2, type) + field(8, name);
}
/// A TensorProto with its elements.
inline std::string tensor(std::string_view name, Type type, const Sizes& dims, std::string_view elements) {
  return tensor_head(name, type, dims) + field(9, elements);
}
/// One whose elements are in another file.
inline std::string external(std::string_view name, Type type, const Sizes& dims, std::string_view file,
                            std::uint64_t offset, std::uint64_t length) {
  const auto entry = [](std::string_view key, std::string_view value) {
    return field(13, field(1, key) + field(2, value));
  };
  return tensor_head(name, type, dims) + entry("location", file) + entry("offset", std::to_string(offset)) +
         entry("length", std::to_string(length)) + field(14, std::uint64_t{1});
}

inline std::string node(std::string_view op, const std::vector<std::string>& inputs, std::string_view output) {
  std::string text;
  for (const std::string& input : inputs) text += field(1, input);
  return text + field(2, output) + field(4, op);
}

/// A ValueInfoProto.
inline std::string value(std::string_view name, Type type, const Sizes& dims) {
  std::string shape;
  for (const std::uint64_t size : dims) shape += field(1, field(1, size));
  return field(1, name) + field(2, field(1, field(1, type) + field(2, shape)));
}

struct Model {
  std::vector<std::string> nodes, initializers, inputs, outputs;

  std::string text() const {
    std::string graph;
    for (const std::string& node : nodes) graph += field(1, node);
    graph += field(2, "graph");
    for (const std::string& initializer : initializers) graph += field(5, initializer);
    for (const std::string& input : inputs) graph += field(11, input);
    for (const std::string& output : outputs) graph += field(12, output);
    return field(1, std::uint64_t{8}) + field(7, graph) + field(8, field(1, "") + field(2, std::uint64_t{17}));
  }
};

}  // namespace webnn::tests::onnx_bytes
