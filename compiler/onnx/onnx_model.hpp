// An ONNX model as plain values: the result of `export_onnx` and of `read_onnx_model`, the input of `write_onnx` and of
// `import_onnx`. Only reading and writing use protobuf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// TensorProto.DataType. A file may have other numbers too.
enum class OnnxType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  text = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  bfloat16 = 16,
  uint4 = 21,
  int4 = 22,
};
OnnxType onnx_type(DataType type);

using OnnxIntegers = std::vector<std::int64_t>;

/// Of a tensor that is read. ONNX has no limit, but reading an operator takes time for pairs of dimensions.
inline constexpr std::size_t most_dimensions = 64;

/// A constant, "initializer" in ONNX.
struct OnnxTensor {
  std::string name;
  OnnxType type = OnnxType::float32;
  OnnxIntegers dims;  // of a tensor that was read: at most one more than `most_dimensions`
  Bytes data;         // row-major; 4-bit types two per byte, low nibble first
  /// Of a tensor that was read: why its bytes cannot be used; empty: they can be.
  std::string problem{};
};

struct OnnxGraph;

/// An attribute of a function's node that stands for an attribute of the function's call.
struct OnnxReference {
  std::string name;
};

struct OnnxAttribute {
  using Value = std::variant<std::int64_t, float, std::string, OnnxIntegers, std::vector<std::string>,
                             std::vector<float>, OnnxTensor, std::shared_ptr<const OnnxGraph>, OnnxReference>;
  std::string name;
  Value value;
};

struct OnnxNode {
  std::string op_type;
  std::string name;                 // name of the WebNN node that it comes from
  std::vector<std::string> inputs;  // empty: an absent optional input
  std::vector<std::string> outputs;
  std::vector<OnnxAttribute> attributes;
  std::string domain{};        // empty: "ai.onnx"
  std::string overload{};      // of several functions with one name
  std::uint64_t position = 0;  // in the file that it was read from, in bytes
};

/// An input or output of the graph.
struct OnnxValue {
  std::string name;
  OnnxType type = OnnxType::float32;  // undefined: it is no tensor
  OnnxIntegers dims;                  // -1: no number; of a value that was read: as many as of a tensor
  // Of a value that was read:
  std::vector<std::string> dim_names{};  // empty: all are numbers; an empty name: a number, or unknown
  bool has_shape = true;
};

struct OnnxGraph {
  std::string name;
  std::vector<OnnxValue> inputs, outputs;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxNode> nodes;  // producers before consumers
};

/// An operator that is defined by others.
struct OnnxFunction {
  std::string domain, name, overload;
  std::vector<std::string> inputs, outputs;
  std::vector<OnnxAttribute> defaults;  // of attributes that a call may leave out
  std::vector<OnnxNode> nodes;
  std::map<std::string, std::int64_t> opsets;  // by domain; empty: the model's
};

struct OnnxModel : OnnxGraph {
  std::int64_t opset = 0;                      // of "ai.onnx"
  std::map<std::string, std::int64_t> opsets;  // of a model that was read: by domain
  std::vector<OnnxFunction> functions;
  std::uint64_t file_bytes = 0;  // of a model that was read: of its file, and of those beside it that hold tensors
};

}  // namespace webnn::compiler
