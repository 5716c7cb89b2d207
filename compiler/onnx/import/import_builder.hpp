// The WebNN graph that an ONNX model becomes, under construction. Calls whose operands are known are computed at once,
// so that shapes, axes and sizes that a model computes are numbers when an operator asks for them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/frontend/load.hpp"
#include "compiler/ir/graph.hpp"
#include "compiler/onnx/onnx_model.hpp"
#include "schema/copy_limit.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::compiler {

/// Ends the import of one node; its results are then unknown.
struct OnnxRefusal {
  Code code = Code::bad_call;
  std::string message;
  std::string hint{};
};

/// A tensor of the ONNX model: an index into the builder's table. Invalid: absent.
struct TensorId {
  std::uint32_t index = 0xffffffffu;
  constexpr bool valid() const { return index != 0xffffffffu; }
  constexpr bool operator==(const TensorId&) const = default;
};

struct ImportedTensor {
  OnnxType type = OnnxType::float32;
  OnnxIntegers dims{};                              // may have zeros, which WebNN's shapes have not
  std::optional<Bytes> data{};                      // the elements, where they are known, as WebNN stores them
  ValueId value{};                                  // in the graph; invalid: not needed there so far
  std::string name{};                               // for a constant in the graph; may be empty
  std::string problem{};                            // why it cannot be used; empty: it can be
  std::optional<std::vector<TensorId>> sequence{};  // it is no tensor but a list of them
};

/// Constants and names that are made while a model is read may take this much memory in all, so that a small file cannot
/// demand any amount.
inline constexpr std::uint64_t most_made_bytes = std::uint64_t{1} << 29;
/// What is computed while a model is read may take about so long in all, and longer for large files.
inline constexpr std::uint64_t most_import_nanoseconds = 4'000'000'000, most_nanoseconds_of_byte = 64;
/// Names of new values and labels are cut off here: each node has one.
inline constexpr std::size_t most_label_bytes = 256;
/// Elements up to this many bytes are computed while the model is read: shapes and the like.
inline constexpr std::size_t most_computed_bytes = 1u << 16;

class ImportBuilder {
 public:
  /// `file_bytes`: of the model and of the files beside it.
  ImportBuilder(const LoadOptions& options, std::uint64_t file_bytes)
      : options_(options),
        copies_(options.max_filled_bytes, file_bytes),
        most_nanoseconds_(most_import_nanoseconds + most_nanoseconds_of_byte * file_bytes) {}

  Graph graph;

  const ImportedTensor& at(TensorId id) const { return tensors_[id.index]; }
  /// The type that stands for `type` with these options.
  OnnxType usable(OnnxType type) const {
    return type == OnnxType::float64 && options_.double_as_float32 ? OnnxType::float32 : type;
  }
  /// Throws OnnxRefusal for one with very many dimensions, and when all tensors take too much memory.
  TensorId add(ImportedTensor tensor);
  /// The same for elements that are not in the file. Throws OnnxRefusal when all of them are too many.
  TensorId add_made(ImportedTensor tensor);
  /// Memory for such elements, counted before they are made; the tensor is then given to `add`. Throws the same, and
  /// Error (resource) when the account of the calling thread does not allow it.
  AlignedBytes room(std::uint64_t bytes);
  /// Counts what is about to be computed, and the time that it takes about. Throws OnnxRefusal when all of it is too
  /// much.
  void count_work(const Cost& cost, std::uint64_t nanoseconds);
  /// An input of the graph.
  TensorId add_input(const std::string& name, OnnxType type, const OperandDescriptor& descriptor);

  /// Type and shape in WebNN; throws OnnxRefusal for a type that it has not, for no elements and for limits.
  OperandDescriptor descriptor(TensorId id) const;
  /// The value in the graph; a constant is added when it is first needed.
  ValueId value(TensorId id);
  /// The results of a call. Throws OnnxRefusal when the operator refuses it. `stem` begins the names of new values,
  /// `label` is the nodes'.
  std::vector<TensorId> call(OperatorId op, std::span<const TensorId> operands, Attributes attributes,
                             const std::string& stem, const std::string& label);
  /// Gives a tensor the name that the model has for it, if it is a result of a node. Throws as `add` does.
  void name_result(TensorId id, const std::string& name);
  /// Removes nodes whose results nobody uses.
  void remove_dead();

 private:
  Bytes aligned(const Bytes& data);
  bool compute(OperatorId op, std::span<const TensorId> operands, const Attributes& attributes,
               std::span<const OperandDescriptor> results, std::vector<Bytes>& data);
  void charge(std::uint64_t bytes);

  const LoadOptions& options_;
  std::deque<ImportedTensor> tensors_;  // references to them stay valid
  std::uint64_t made_bytes_ = 0;
  CopyLimit copies_;  // of tensors that are not aligned for their type
  Cost work_;
  std::uint64_t nanoseconds_ = 0, most_nanoseconds_;
};

}  // namespace webnn::compiler
