// Finds the bytes of constants outside of the graph file: in `.weights` with its manifest, or in safetensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/file_name.hpp"
#include "schema/diagnostics.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// One tensor of a weights file. Its range is inside the file.
struct WeightsTensor {
  std::string type_name;                            // as spelt in the file; may be empty in a manifest
  std::optional<DataType> type;                     // if it is one of ours
  bool bfloat16 = false;                            // safetensors' BF16
  std::optional<std::vector<std::uint64_t>> shape;  // always given in safetensors
  std::uint64_t offset = 0, length = 0;
  bool broken = false;  // already reported; do not use or report it again
};

/// "[2, 3]"; of a shape that no operand has, the first sizes.
std::string shape_text(const std::vector<std::uint64_t>& shape);

/// A weights file of either format: keys and the bytes behind them.
class WeightsSource {
 public:
  WeightsSource(std::string file_name, Bytes bytes) : file_name_(std::move(file_name)), bytes_(std::move(bytes)) {}
  WeightsSource(WeightsSource&&) = default;  // respelt_ points into tensors_, so copying is not possible
  WeightsSource& operator=(WeightsSource&&) = default;

  struct Found {
    const WeightsTensor* tensor = nullptr;
    bool respelt = false;    // found under another spelling of the key
    bool ambiguous = false;  // several keys have that spelling
  };
  /// The tensor `key`; if there is none, the tensor whose key equals `key` after replacing "::" by "__" and '.' by '_',
  /// as some writers do.
  Found find(std::string_view key) const;
  /// A view of the tensor's bytes that keeps the file mapped.
  Bytes bytes_of(const WeightsTensor& tensor) const;

  const std::string& file_name() const { return file_name_; }
  std::uint64_t size() const { return bytes_.size(); }
  /// In the order of the alphabet.
  std::vector<std::string_view> keys() const;
  std::size_t key_count() const { return tensors_.size(); }

  void add(std::string key, WeightsTensor tensor);

 private:
  std::string file_name_;
  Bytes bytes_;
  ByName<WeightsTensor> tensors_;
  ByName<std::vector<std::string_view>> respelt_;
};

/// A `.weights` file, with or without its 8-byte header, with the keys of its manifest ("wg-weights-manifest"). Entries
/// that do not fit the file are reported at their position in the manifest.
std::optional<WeightsSource> read_weights(std::string weights_name, Bytes weights, const std::string& manifest_name,
                                          std::string_view manifest, Diagnostics& diagnostics);

/// A safetensors file. The header is limited to 16 MiB; tensors may not overlap.
std::optional<WeightsSource> read_safetensors(std::string name, const Bytes& content, Diagnostics& diagnostics);

/// Looks in `folder` for the weights of the graph file `stem`.json, in this order: model.safetensors,
/// `stem`.safetensors, `stem`.weights, model.weights; for a `.weights` file the manifest is manifest.json or
/// `stem`.manifest.json. Reports at `use` when there are none or when they must not be opened.
std::optional<WeightsSource> find_weights(const std::filesystem::path& folder, const std::string& stem,
                                          const Location& use, Diagnostics& diagnostics);

/// Whether `find_weights` has a file to open, with or without a manifest.
bool has_weights_file(const std::filesystem::path& folder, const std::string& stem);

/// All files that `find_weights` (or `open_weights`, if `weights_file` is not empty) may look at, whether they exist or
/// not.
std::vector<std::filesystem::path> possible_weights_files(const std::filesystem::path& folder, const std::string& stem,
                                                          const std::filesystem::path& weights_file);

/// A file in `folder` that `find_weights` would take instead of the weights file `name` or its manifest
/// `stem`.manifest.json; empty when there is none.
std::string taken_instead(const std::filesystem::path& folder, const std::string& stem, const std::string& name);

/// Opens the weights file named by the user, in either format; its manifest is next to it.
std::optional<WeightsSource> open_weights(const FileName& file, const Location& use, Diagnostics& diagnostics);

}  // namespace webnn::compiler
