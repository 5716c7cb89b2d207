// An ONNX model as plain values: the result of `export_onnx` and the input of `write_onnx`. Only the latter uses
// protobuf.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// TensorProto.DataType: ONNX's numbers for WebNN's types and for boolean.
enum class OnnxType : std::int32_t {
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  int32 = 6,
  int64 = 7,
  boolean = 9,
  float16 = 10,
  uint32 = 12,
  uint64 = 13,
  uint4 = 21,
  int4 = 22,
};
OnnxType onnx_type(DataType type);

using OnnxIntegers = std::vector<std::int64_t>;

struct OnnxAttribute {
  using Value = std::variant<std::int64_t, float, std::string, OnnxIntegers, std::vector<std::string>>;
  std::string name;
  Value value;
};

struct OnnxNode {
  std::string op_type;              // of the domain "ai.onnx"
  std::string name;                 // name of the WebNN node that it comes from
  std::vector<std::string> inputs;  // empty: an absent optional input
  std::vector<std::string> outputs;
  std::vector<OnnxAttribute> attributes;
};

/// A constant, "initializer" in ONNX.
struct OnnxTensor {
  std::string name;
  OnnxType type = OnnxType::float32;
  OnnxIntegers dims;
  Bytes data;  // row-major; 4-bit types two per byte, low nibble first
};

/// An input or output of the graph.
struct OnnxValue {
  std::string name;
  OnnxType type = OnnxType::float32;
  OnnxIntegers dims;
};

struct OnnxModel {
  std::string name;
  std::int64_t opset = 0;
  std::vector<OnnxValue> inputs, outputs;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxNode> nodes;  // producers before consumers
};

}  // namespace webnn::compiler
