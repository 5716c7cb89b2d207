// Tensors of an ONNX file: TensorProto in any of its forms, as row-major bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "compiler/onnx/onnx_model.hpp"
#include "compiler/onnx/reader/wire.hpp"
#include "schema/copy_limit.hpp"
#include "schema/elements/aligned_bytes.hpp"

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
  /// such tensors become float32. `most_copied_bytes`: of tensors that are converted, in all, beside a few times the
  /// size of the files.
  OnnxTensorReader(std::filesystem::path folder, bool double_as_float32,
                   std::uint64_t most_copied_bytes = std::uint64_t{1} << 31)
      : folder_(std::move(folder)), double_as_float32_(double_as_float32), copies_(most_copied_bytes) {}
  /// Only for `locations`: what it reads has no elements, and no file is opened.
  OnnxTensorReader() : only_locations_(true) {}

  /// A file that messages are read from.
  void add_file(const Bytes& file);
  /// The bytes are a view of the file where its form allows that. bfloat16 becomes float32. Throws WireDamage, and Error
  /// (resource) when the account of the calling thread does not allow a copy.
  OnnxTensor read(WireMessage message);
  /// Of all files that tensors were read from so far.
  std::uint64_t file_bytes() const { return copies_.file_bytes(); }
  /// The names of other files that tensors were read from, or would be.
  std::vector<std::string> locations() const;

 private:
  struct Proto;
  void take_external(const Proto& proto, OnnxTensor& tensor);
  Proto fields_of(WireMessage message, OnnxTensor& tensor) const;
  static Bytes elements_of(const Proto& proto, OnnxType type, unsigned bits);
  void convert(OnnxTensor& tensor, std::uint64_t position);
  AlignedBytes copy_of(std::uint64_t bytes, std::uint64_t position);

  std::filesystem::path folder_;
  bool double_as_float32_ = false, only_locations_ = false;
  CopyLimit copies_{0};
  std::set<std::string> known_files_;                           // by identity: a file may have several names
  std::map<std::string, std::pair<Bytes, std::string>> files_;  // by location; with why one cannot be used
};

}  // namespace webnn::compiler
