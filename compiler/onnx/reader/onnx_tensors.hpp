// Tensors of an ONNX file: TensorProto in any of its forms, as row-major bytes.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "compiler/onnx/onnx_model.hpp"
#include "compiler/onnx/reader/wire.hpp"

namespace webnn::compiler {

/// The type that holds elements of an ONNX type in WebNN: uint8 for booleans. Nullopt: there is none.
std::optional<DataType> data_type_of(OnnxType type);
/// Of a type that WebNN has; booleans are stored as integers.
bool is_integer_type(OnnxType type);
bool is_unsigned_type(OnnxType type);
/// "float32", "bool", "string", ...: as ONNX spells it.
std::string name_of_type(OnnxType type);

class OnnxTensorReader {
 public:
  /// External data are looked for in and below `folder`; when it is empty they cannot be used. `double_as_float32`:
  /// such tensors become float32.
  OnnxTensorReader(std::filesystem::path folder, bool double_as_float32)
      : folder_(std::move(folder)), double_as_float32_(double_as_float32) {}
  /// Only for `locations`: what it reads has no elements, and no file is opened.
  OnnxTensorReader() : only_locations_(true) {}

  /// The bytes are a view of the file where its form allows that. bfloat16 becomes float32. Throws WireDamage.
  OnnxTensor read(WireMessage message);
  /// The names of other files that tensors were read from, or would be.
  std::vector<std::string> locations() const;

 private:
  struct Proto;
  void take_external(const Proto& proto, OnnxTensor& tensor);
  Proto fields_of(WireMessage message, OnnxTensor& tensor) const;
  void take_numbers(const Proto& proto, OnnxTensor& tensor) const;

  std::filesystem::path folder_;
  bool double_as_float32_ = false, only_locations_ = false;
  std::map<std::string, std::pair<Bytes, std::string>> files_;  // by location; with why one cannot be used
};

}  // namespace webnn::compiler
