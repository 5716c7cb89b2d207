// Writes a model as three files: NAME.json (webnn-graph-json, version 2), NAME.weights and NAME.manifest.json.
//
// Weights go to the file as they are added, so a model may be larger than memory. Every file is written under a
// temporary name and renamed by `finish`, the graph last; a writer that is given up leaves nothing behind.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::models {

using Shape = std::vector<std::uint32_t>;
using Options = nlohmann::ordered_json;

std::uint64_t element_count(const Shape& shape);

/// A value of the graph: what the next operator needs to know about it.
struct Tensor {
  std::string name;
  Shape shape;
};

/// The data type's name in a graph file.
constexpr const char* type_name(float) { return "float32"; }
constexpr const char* type_name(std::int8_t) { return "int8"; }
constexpr const char* type_name(std::int32_t) { return "int32"; }

/// Little-endian bytes of `elements`; the host is little endian (graph_writer.cpp asserts it at compile time).
template <typename T>
std::string_view bytes_of(std::span<const T> elements) {
  return {reinterpret_cast<const char*>(elements.data()), elements.size_bytes()};
}

class GraphWriter {
 public:
  /// Creates `folder` when it is missing. Throws std::runtime_error when a file cannot be written; so do all others.
  /// With `half` everything that is float32 in the model is written as float16. `batch`: how many images a network for
  /// images takes.
  GraphWriter(const std::filesystem::path& folder, std::string name, bool half = false, std::uint32_t batch = 1);
  ~GraphWriter();
  GraphWriter(const GraphWriter&) = delete;
  GraphWriter& operator=(const GraphWriter&) = delete;

  Tensor input(const std::string& name, const Shape& shape, const char* data_type = "float32");
  std::uint32_t batch() const { return batch_; }
  /// A constant in the weights file; `elements` has as many elements as `shape`.
  template <typename T>
  Tensor constant(const std::string& name, const Shape& shape, const std::vector<T>& elements) {
    return add_constant(name, type_name(T()), shape, bytes_of(std::span<const T>(elements)));
  }
  /// A constant of numbers below 16, stored as uint4.
  Tensor four_bit_constant(const std::string& name, const Shape& shape, const std::vector<std::uint8_t>& elements);
  /// A constant of one repeated number, kept in the JSON itself.
  Tensor filled(const std::string& name, const char* data_type, const Shape& shape, double value);

  /// An operator with one output of `shape`, named `name`. Optional operands go by name into `options`, except for
  /// conv2d, convTranspose2d and layerNormalization, where they follow the required ones.
  Tensor node(const std::string& name, const std::string& op, const std::vector<Tensor>& inputs, const Shape& shape,
              const Options& options = Options::object());
  /// The same with several outputs, which are named by `outputs`.
  void multi_output_node(const std::string& name, const std::string& op, const std::vector<Tensor>& inputs,
                         const std::vector<std::string>& outputs, const Options& options);
  void output(const std::string& name, const std::string& value);

  /// Puts the weights file in place and writes the JSON files.
  void finish();

 private:
  Tensor add_constant(const std::string& name, const char* data_type, const Shape& shape, std::string_view bytes);
  /// The type in the file of what the model calls `data_type`.
  const char* stored_type(const char* data_type) const;
  std::string partial_weights() const { return stem_ + ".weights.partial"; }

  std::string name_, stem_;
  bool half_;
  std::uint32_t batch_;
  std::ofstream weights_;
  std::uint64_t offset_ = 0;
  std::vector<std::string> inputs_, constants_, nodes_, outputs_, manifest_;  // one line of JSON each
};

/// Writes a whole file under a temporary name and renames it.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

/// A float32 tensor as a NumPy file, format 1.0.
std::string npy_of(const Shape& shape, const std::vector<float>& elements);

}  // namespace webnn::models
