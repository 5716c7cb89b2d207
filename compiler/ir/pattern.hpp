// Patterns: parts of a graph, written as text, that are matched against nodes and built into new ones.
//
//   add(?x, -0)                                 an operator, a captured value, a constant all of whose elements are -0
//   transpose(transpose(?x) {permutation=?p}) {permutation=?q}       captured attributes
//   conv2d(?x, ?w:constant, bias=?b:optional) {groups=1, ...}        a constant; an operand that may be absent
//   relu(?y=relu(?x))                           a captured inner result: it may have other uses
//   ?f:unary(?x)                                any operator of a family, with its attributes
//
// A capture that occurs twice must be the same value. An attribute that is not mentioned must have its default, unless
// `...` allows any value. Inner results (not captured, not constants) must have no other use and must not be outputs.
// Operands of a commutative operator match in both orders.
//
// Equal subgraphs that models write in several forms share a pattern with `<form | form>` (see forms_of).
//
// In a replacement, a number becomes a new scalar constant of the type required at its place, and `?name` stands for
// what was captured. An attribute whose capture is absent stays absent; so does a call with an absent operand that it
// requires. A captured attribute that is a number may be used as an operand. `?y=relu(?x)` names a new result, which
// may be used again to the right of it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/ir/addition.hpp"
#include "compiler/ir/constant_facts.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

struct Pattern {
  enum class Kind : std::uint8_t { absent, value, constant, optional, literal, call };

  struct AttributePattern {
    std::size_t index = 0;
    std::string capture;                  // empty: use the value below
    std::optional<AttributeValue> value;  // of the row's kind
  };

  Kind kind = Kind::absent;
  std::string capture;            // name of the captured value or call; may be empty for a call
  std::string literal;            // the number's text
  std::optional<OperatorId> op;   // of a call
  Family family = Family::unary;  // for a call with a captured operator
  std::string op_capture;
  std::vector<Pattern> operands;  // by operand of the row
  std::vector<AttributePattern> attributes;
  bool any_attributes = false;  // `...`
};

/// The texts that a text with `<form | form>` stands for: one for each form, in order, also where they are nested or
/// follow each other: `mul(?x, <div(?y, 2) | mul(?y, 0.5)>)` stands for two. A text without a `<` stands for itself.
std::vector<std::string> forms_of(std::string_view text);

/// Nullopt, and a sentence in `error`, when the text is not a pattern, of a single form.
std::optional<Pattern> parse_pattern(std::string_view text, std::string& error);

/// The result of matching a pattern. Guards read it and may add attributes for the replacement.
class Match {
 public:
  Match(const Graph& graph, ConstantFacts& facts) : graph_(&graph), facts_(&facts) {}

  const Graph& graph() const { return *graph_; }
  /// What the elements of captured constants are like.
  ConstantFacts& facts() const { return *facts_; }
  /// Invalid for an absent optional capture and for names that the pattern does not have.
  ValueId value(std::string_view name) const;
  const OperandDescriptor& descriptor(std::string_view name) const { return graph_->value(value(name)).descriptor; }
  /// The node's given value or the default; null when there is neither. Valid as long as the match.
  const AttributeValue* attribute(std::string_view name) const;
  /// An attribute that is a list of integers; empty when it is absent.
  IntegerList integers(std::string_view name) const;
  /// An attribute that is a single number; nullopt when it is absent or something else.
  std::optional<Number> number(std::string_view name) const;
  void set_attribute(std::string_view name, std::optional<AttributeValue> value);
  /// The nodes matched by the pattern's calls, the root first.
  const std::vector<NodeId>& nodes() const { return nodes_; }

 private:
  friend class Matcher;
  friend class Builder;
  struct CapturedOperator {
    std::string_view name;
    NodeId node;
  };

  const Graph* graph_;
  ConstantFacts* facts_;
  std::vector<std::pair<std::string, ValueId>> values_;
  std::deque<std::pair<std::string, std::optional<AttributeValue>>> attributes_;  // guards add while holding others
  std::vector<CapturedOperator> operators_;
  std::vector<NodeId> nodes_;
};

/// Matches the pattern with its root at `node`. `facts` outlives the match, and serves all matches in a graph.
std::optional<Match> match(const Graph& graph, NodeId node, const Pattern& pattern, ConstantFacts& facts);

/// Adds the nodes of a replacement; `name` and `label` are for these nodes. The result is invalid when a call is
/// refused.
ValueId build(Addition& addition, const Pattern& replacement, const Match& match, const std::string& name,
              const std::string& label);

}  // namespace webnn::compiler
