// Where the bytes of constants lie when they are not in the graph file: `.weights` with its manifest, or safetensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/diagnostics.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/elements/types.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// One tensor of a weights file. Its range lies within the file's bytes.
struct WeightsTensor {
  std::string type_name;                            // as the file spells it; may be empty in a manifest
  std::optional<DataType> type;                     // when it is one of ours
  bool bfloat16 = false;                            // safetensors' BF16
  std::optional<std::vector<std::uint64_t>> shape;  // always there in safetensors
  std::uint64_t offset = 0, length = 0;
  bool broken = false;  // reported before; do not use or report again
};

/// A weights file, whatever its form: keys and the bytes behind them.
class WeightsSource {
 public:
  WeightsSource(std::string file_name, Bytes bytes) : file_name_(std::move(file_name)), bytes_(std::move(bytes)) {}
  WeightsSource(WeightsSource&&) = default;  // respelt_ points into tensors_, which a copy would not follow
  WeightsSource& operator=(WeightsSource&&) = default;

  struct Found {
    const WeightsTensor* tensor = nullptr;
    bool respelt = false;    // found under another spelling of the key
    bool ambiguous = false;  // several keys are such a spelling
  };
  /// The tensor `key`, or else the one whose key becomes equal to it when "::" is written "__" and '.' is written '_',
  /// as some writers do.
  Found find(std::string_view key) const;
  /// A view on the tensor's bytes that keeps the file mapped.
  Bytes bytes_of(const WeightsTensor& tensor) const;

  const std::string& file_name() const { return file_name_; }
  std::uint64_t size() const { return bytes_.size(); }
  std::vector<std::string_view> keys() const;

  void add(std::string key, WeightsTensor tensor);

 private:
  std::string file_name_;
  Bytes bytes_;
  std::unordered_map<std::string, WeightsTensor> tensors_;
  std::unordered_map<std::string, std::vector<std::string_view>> respelt_;
};

/// A `.weights` file, with or without its 8-byte header, under the keys of its manifest ("wg-weights-manifest").
/// Entries that do not fit the file are reported, each at its place in the manifest.
std::optional<WeightsSource> read_weights(std::string weights_name, Bytes weights, const std::string& manifest_name,
                                          std::string_view manifest, Diagnostics& diagnostics);

/// A safetensors file. The header is at most 16 MiB; tensors may not overlap.
std::optional<WeightsSource> read_safetensors(std::string name, const Bytes& content, Diagnostics& diagnostics);

/// Looks in `folder` for the weights of the graph file `stem`.json, in this order: model.safetensors,
/// `stem`.safetensors, `stem`.weights, model.weights; for a `.weights` file, the manifest is manifest.json or
/// `stem`.manifest.json. Reports at `use` when there are none or when they may not be opened.
std::optional<WeightsSource> find_weights(const std::filesystem::path& folder, const std::string& stem,
                                          const Location& use, Diagnostics& diagnostics);

/// Whether `find_weights` has a file to open, with or without a manifest beside it.
bool has_weights_file(const std::filesystem::path& folder, const std::string& stem);

/// Every file that `find_weights` or, when `weights_file` is not empty, `open_weights` may look at, there or not.
std::vector<std::filesystem::path> possible_weights_files(const std::filesystem::path& folder, const std::string& stem,
                                                          const std::filesystem::path& weights_file);

/// A file of `folder` that `find_weights` would take instead of the weights file `name` or its manifest
/// `stem`.manifest.json; empty when there is none.
std::string taken_instead(const std::filesystem::path& folder, const std::string& stem, const std::string& name);

/// Opens the weights file that the user named, whatever its form; the manifest lies beside it.
std::optional<WeightsSource> open_weights(const std::filesystem::path& file, const Location& use,
                                          Diagnostics& diagnostics);

}  // namespace webnn::compiler
