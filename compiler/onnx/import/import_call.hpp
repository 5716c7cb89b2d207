// One node of an ONNX model while it becomes WebNN calls: what the functions of the operator table read and write.
// Every function here throws OnnxRefusal when the node cannot be expressed.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/pattern.hpp"
#include "compiler/onnx/import/import_builder.hpp"
#include "compiler/onnx/import/import_work.hpp"

namespace webnn::compiler {

using NamedAttribute = std::pair<std::string_view, std::optional<AttributeValue>>;
/// Attributes of a WebNN call by name; those without a value are left out.
using NamedAttributes = std::vector<NamedAttribute>;

class ImportCall {
 public:
  /// Imports a graph inside an attribute with these tensors as its inputs, and returns its outputs.
  using ImportSubgraph =
      std::function<std::vector<TensorId>(const OnnxGraph&, std::span<const TensorId>, const Wanted&)>;

  ImportCall(ImportBuilder& builder, const OnnxNode& node, std::int64_t opset, std::vector<TensorId> inputs,
             ImportSubgraph subgraph)
      : builder_(builder),
        node_(node),
        opset_(opset),
        inputs_(std::move(inputs)),
        results_(node.outputs.size()),
        subgraph_(std::move(subgraph)) {}

  const OnnxNode& node() const { return node_; }
  std::int64_t opset() const { return opset_; }  // of the node's domain

  // ---- attributes; one of another kind is refused
  bool has_attribute(std::string_view name) const { return find(name) != nullptr; }
  std::int64_t integer(std::string_view name, std::optional<std::int64_t> absent = {}) const;
  bool flag(std::string_view name, bool absent = false) const { return integer(name, absent) != 0; }
  double real(std::string_view name, std::optional<double> absent = {}) const;
  std::string text(std::string_view name, std::optional<std::string> absent = {}) const;
  /// Empty when it is absent.
  OnnxIntegers integers(std::string_view name) const;
  /// A type by its number.
  OnnxType type(std::string_view name, std::optional<OnnxType> absent = {}) const;
  std::vector<double> reals(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  const OnnxTensor& tensor(std::string_view name) const;
  const OnnxGraph& graph(std::string_view name) const;

  // ---- operands
  std::size_t input_count() const { return inputs_.size(); }
  bool has(std::size_t index) const { return index < inputs_.size() && inputs_[index].valid(); }
  TensorId input(std::size_t index) const;  // refuses when it is absent, or a sequence
  const std::vector<TensorId>& sequence(std::size_t index) const;
  TensorId optional(std::size_t index) const { return has(index) ? inputs_[index] : TensorId{}; }
  std::span<const TensorId> inputs() const { return inputs_; }
  const ImportedTensor& at(TensorId id) const { return builder_.at(id); }
  OnnxType type(TensorId id) const { return at(id).type; }
  const OnnxIntegers& dims(TensorId id) const { return at(id).dims; }
  std::int64_t rank(TensorId id) const { return std::int64_t(at(id).dims.size()); }
  std::int64_t count(TensorId id) const;  // of elements
  bool is_known(TensorId id) const { return at(id).data.has_value(); }
  /// The elements of a tensor of integers or booleans; refused when only running the graph would tell them. `what`
  /// names it in the message: "axes".
  OnnxIntegers known_integers(TensorId id, std::string_view what) const;
  /// The same for numbers of any type.
  std::vector<double> known_reals(TensorId id, std::string_view what) const;
  /// A single such number.
  Number known_number(TensorId id, std::string_view what) const;
  /// From an input, or from the attribute that older versions have instead; nullopt when both are absent.
  std::optional<OnnxIntegers> integers_from(std::size_t input, std::string_view attribute) const;
  /// An axis in 0..rank-1, from one that may count from the end.
  std::uint32_t axis(std::int64_t value, std::int64_t rank) const;
  std::vector<std::uint32_t> axes(const OnnxIntegers& values, std::int64_t rank) const;

  // ---- constants
  /// Counts what is looked at or made element by element while the model is read, before that. Refuses when all of it
  /// is too much.
  void count_elements(std::int64_t count) const;
  /// The same for a list that is needed for a while. Throws Error (resource) when the account of the calling thread does
  /// not allow its memory.
  void count_list(std::int64_t count) const;
  /// Memory for the elements of a constant, counted before they are made.
  AlignedBytes room(std::uint64_t bytes);
  template <class T>
  static std::span<T> elements_of(const AlignedBytes& room) {
    return {reinterpret_cast<T*>(room.data()), room.view().size() / sizeof(T)};
  }
  TensorId constant(OnnxType type, OnnxIntegers dims, AlignedBytes room);
  /// Of bytes that are there already.
  TensorId constant(OnnxType type, OnnxIntegers dims, Bytes data);
  TensorId constant(const OnnxTensor& tensor);
  TensorId scalar(OnnxType type, Number value);
  /// Of the type of another tensor.
  TensorId scalar_like(TensorId like, Number value) { return scalar(type(like), value); }
  TensorId filled(OnnxType type, OnnxIntegers dims, Number value);
  TensorId integers_tensor(const OnnxIntegers& values);  // int64, one axis
  TensorId sequence_of(std::vector<TensorId> elements);
  /// An optional without an element.
  TensorId nothing();

  // ---- calls of WebNN's operators
  TensorId make(OperatorId op, std::initializer_list<TensorId> operands, NamedAttributes attributes = {});
  std::vector<TensorId> make_all(OperatorId op, std::span<const TensorId> operands, NamedAttributes attributes = {});
  /// A pattern's text as calls (compiler/ir/pattern.hpp): "?name" stands for a tensor or a number of `words`.
  using Word = std::variant<TensorId, double>;
  TensorId expression(std::string_view text, std::span<const std::pair<std::string_view, Word>> words);
  /// The first result of another operator of ONNX with this node's version.
  TensorId onnx(std::string_view op_type, std::vector<TensorId> inputs, std::vector<OnnxAttribute> attributes);
  // These add nothing where nothing changes.
  TensorId reshape(TensorId x, const OnnxIntegers& dims);
  TensorId transpose(TensorId x, const std::vector<std::uint32_t>& permutation);
  TensorId cast(TensorId x, OnnxType type);
  TensorId expand(TensorId x, const OnnxIntegers& dims);
  /// The same elements as another ONNX type with the same storage.
  TensorId retyped(TensorId x, OnnxType type);

  // ---- results
  std::size_t output_count() const { return node_.outputs.size(); }
  /// Whether the model names this result.
  bool wants(std::size_t index) const { return index < node_.outputs.size() && !node_.outputs[index].empty(); }
  void finish(TensorId result) { finish(0, result); }
  void finish(std::size_t index, TensorId result);
  const std::vector<TensorId>& results() const { return results_; }

  std::vector<TensorId> import_subgraph(const OnnxGraph& graph, std::span<const TensorId> inputs) const {
    return subgraph_(graph, inputs, Wanted(graph.outputs.size(), true));
  }
  /// The same of a graph without inputs whose results become the node's, if it has them; others are invalid.
  std::vector<TensorId> import_branch(const OnnxGraph& graph) const {
    Wanted wanted;
    for (std::size_t i = 0; i < graph.outputs.size(); ++i) wanted.push_back(wants(i));
    return subgraph_(graph, {}, wanted);
  }

  [[noreturn]] void refuse(std::string message, std::string hint = {}) const;

 private:
  /// The type of elements that are known; else refused.
  DataType known_type(TensorId id, std::string_view what) const;
  const OnnxAttribute* find(std::string_view name) const;
  template <class T>
  const T* value_of(std::string_view name, std::string_view kind) const;
  TensorId expression(const Pattern& pattern, std::span<const std::pair<std::string_view, Word>> words, TensorId like);
  std::string label() const;

  ImportBuilder& builder_;
  const OnnxNode& node_;
  std::int64_t opset_;
  std::vector<TensorId> inputs_, results_;
  ImportSubgraph subgraph_;
};

/// A row of the table: how an ONNX operator is read.
struct OnnxImportRow {
  std::string_view op_type;
  void (*read)(ImportCall& call) = nullptr;
  /// Instead of a function: the result as WebNN calls. "?a", "?b", ... are the operands in order; other names are
  /// attributes, with their defaults in `defaults`: "alpha=1 beta=0.5".
  std::string_view text = {};
  std::string_view defaults = {};
  std::int64_t since = 1;  // the versions of the operators that it is for
  std::int64_t before = 1000;
  std::string_view domain = {};  // empty: ai.onnx
};

inline constexpr std::string_view microsoft_domain = "com.microsoft";

// The table of each family of operators.
#define FAMILY(name) std::span<const OnnxImportRow> import_##name##_rows();
#include "compiler/onnx/import/families.def"
#undef FAMILY

std::vector<const OnnxImportRow*> all_import_rows();
/// All rows of one operator; empty: it cannot be read.
std::vector<const OnnxImportRow*> import_rows_of(std::string_view domain, std::string_view op_type);

}  // namespace webnn::compiler
