// How a random network is made: values with the numbers that they hold, and one function for each family of operators
// that drafts a call on them.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "compiler/rewrites/rewrite.hpp"
#include "tests/random_graphs/network.hpp"

namespace webnn::tests {

/// What an operand's numbers shall be when it is made for a call.
enum class Domain : std::uint8_t {
  any,
  positive,  // above 0
  weights,   // so small that sums over many products stay small
  indices,   // below a limit, now and then past it
};

class NetworkMaker;

/// A call that may become a node.
struct Draft {
  OperatorId op;
  std::vector<compiler::ValueId> inputs;  // invalid: absent
  Attributes attributes;

  /// The first operand: the given one, or any that the operator takes.
  compiler::ValueId first(NetworkMaker& maker);
  void set(std::string_view name, AttributeValue value);
  void set_list(std::string_view name, const std::vector<std::uint32_t>& list);
};

class NetworkMaker {
 public:
  NetworkMaker(std::uint32_t seed, const NetworkOptions& options);
  Network run();
  /// An operator for each seed.
  Network run(const std::vector<std::uint32_t>& seeds);

  // ---- chance
  std::uint32_t below(std::uint32_t count) { return std::uint32_t(engine_() % count); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
  template <typename List>
  const auto& any_of(const List& list) {
    return list[below(std::uint32_t(std::size(list)))];
  }
  std::uint32_t size();
  Shape shape(unsigned rank);
  std::vector<std::uint32_t> permutation(unsigned count);
  std::vector<std::uint32_t> some_axes(unsigned of_rank);
  /// A shape that broadcasts to `shape`: leading dimensions left out, others 1.
  Shape broadcastable(const Shape& shape);

  // ---- operands
  /// A value of such a type and rank: mostly one that there is, rather a recent one.
  compiler::ValueId value(DataTypes types, unsigned least_rank = 0, unsigned most_rank = 5);
  /// The operand at a place of the operator's row.
  compiler::ValueId value_for(OperatorId op, std::size_t place = 0);
  /// A value of just this descriptor, now and then one that there is.
  compiler::ValueId like(DataType type, const Shape& shape, Domain domain = Domain::any, std::uint32_t limit = 0);
  /// The same, or absent.
  compiler::ValueId maybe_like(DataType type, const Shape& shape, Domain domain = Domain::any);
  const OperandDescriptor& descriptor(compiler::ValueId id) const { return network_.graph.value(id).descriptor; }
  const Shape& shape_of(compiler::ValueId id) const { return descriptor(id).shape; }
  DataType type_of(compiler::ValueId id) const { return descriptor(id).type; }

  /// Draws an attribute as the operator's row describes it, or leaves it out.
  void draw(Draft& draft, std::string_view attribute);

  /// Adds a node when the call is valid, small enough, and has results worth looking at; invalid: it is not.
  compiler::NodeId add(Draft draft);

  static constexpr std::uint64_t most_work = 600'000;  // multiplications of one call

 private:
  /// A new input or constant.
  compiler::ValueId fresh(const OperandDescriptor& descriptor, Domain domain, std::uint32_t limit);
  TestTensor elements(const OperandDescriptor& descriptor, Domain domain, std::uint32_t limit);
  Number element(DataType type, Domain domain, std::uint32_t limit, double magnitude);
  /// An operator, or several that a rewrite looks for; false: they do not fit.
  bool attempt_nodes();
  bool add_any_node();
  bool add_motif();
  bool add_diamond();
  using Captures = std::map<std::string, compiler::ValueId>;
  compiler::ValueId motif_value(const compiler::Pattern& pattern, Captures& captures);
  compiler::ValueId scalar(DataType type, double number);
  bool is_worth_looking_at(const TestTensor& result);
  void finish();

  NetworkOptions options_;
  std::mt19937 engine_;
  Network network_;
  OptionalTensors values_;  // by value of the graph: what it holds
  std::uint32_t nodes_ = 0;
  std::uint32_t most_elements_;
};

/// Drafts a call of the operator by the function for its family; `first`, when valid, is its first operand.
Draft draft_call(NetworkMaker& maker, OperatorId op, compiler::ValueId first = {});

/// Completes a draft whose operator is set, and perhaps its first operand.
using DraftFunction = void (*)(NetworkMaker&, Draft&);
/// drafts_layers.cpp: operators with weights, windows and states; null for other families.
DraftFunction draft_layer(Family family);

}  // namespace webnn::tests
