// Parses and applies tables of rewrites; see rewrite.hpp.
#include "compiler/rewrites/rewrite.hpp"

#include <algorithm>
#include <string>

#include "schema/error.hpp"

namespace webnn::compiler {
namespace {

Pattern read_pattern(const Rewrite& rewrite, std::string_view text) {
  std::string error;
  auto pattern = parse_pattern(text, error);
  if (!pattern) throw Error(ExitCode::internal, "rewrite '" + std::string(rewrite.name) + "': " + error);
  return std::move(*pattern);
}

/// Whether `to` may replace `from` among the graph's outputs.
bool may_be_output(const Graph& graph, ValueId from, ValueId to) {
  if (!graph.is_output(from)) return true;
  return graph.value(to).kind == Value::Kind::result && !graph.is_output(to);
}

/// The nodes that are still to be visited: all of them in their order, then those around replacements. Each is there
/// once, so that a node is not visited once for each of its operands that changed.
class WorkList {
 public:
  explicit WorkList(const Graph& graph) : nodes_(graph.order()), waits_(graph.node_count()) {
    for (const NodeId node : nodes_) waits_[node.index] = true;
  }

  void add(NodeId node) {
    if (waits_.size() <= node.index) waits_.resize(std::max<std::size_t>(node.index + 1, waits_.size() * 2));
    if (waits_[node.index]) return;
    waits_[node.index] = true;
    nodes_.push_back(node);
  }
  /// Invalid: there is none left.
  NodeId take() {
    if (next_ == nodes_.size()) return {};
    const NodeId node = nodes_[next_++];
    waits_[node.index] = false;
    return node;
  }

 private:
  std::vector<NodeId> nodes_;
  std::size_t next_ = 0;
  std::vector<bool> waits_;  // by node
};

}  // namespace

RewriteSet::RewriteSet(std::span<const Rewrite> rows) {
  for (const Rewrite& rewrite : rows)
    for (const std::string& form : forms_of(rewrite.pattern)) {
      Compiled compiled{read_pattern(rewrite, form), read_pattern(rewrite, rewrite.replacement), rewrite.guard};
      const Pattern& root = compiled.pattern;
      if (root.kind != Pattern::Kind::call)
        throw Error(ExitCode::internal, "rewrite '" + std::string(rewrite.name) + "': the pattern is no operator");
      for (std::uint16_t op = 0; op < std::size(operator_names); ++op)
        if (root.op ? root.op->index == op : row(OperatorId{op}).family == root.family)
          by_root_[op].push_back(rewrites_.size());
      rewrites_.push_back(std::move(compiled));
    }
}

bool RewriteSet::replace(Graph& graph, NodeId root, const Compiled& rewrite, Match& match, const Acceptable& acceptable,
                         Replacement& replacement) const {
  const ValueId old = graph.node(root).outputs[0];
  const std::string name = graph.value(old).name, label = graph.node(root).label;
  Addition addition(graph);
  const ValueId result = build(addition, rewrite.replacement, match, name, label);
  const std::vector<NodeId>& added = addition.nodes();
  const bool fits = result.valid() && graph.value(result).descriptor == graph.value(old).descriptor &&
                    may_be_output(graph, old, result) &&
                    (!acceptable || std::ranges::all_of(added, [&](NodeId id) { return acceptable(graph, root, id); }));
  if (!fits) return false;
  addition.keep();
  replacement = {result, graph.users(old)};
  graph.replace_uses(old, result);
  for (bool erased = true; erased;) {  // operands are erased too when they have no other user
    erased = false;
    for (const NodeId id : match.nodes())
      if (graph.node(id).alive && graph.use_count(graph.node(id).outputs[0]) == 0) {
        graph.erase(id);
        erased = true;
      }
  }
  if (!added.empty() && graph.node(added.back()).outputs[0] == result) graph.rename(result, name);
  return true;
}

RewriteSet::Replacement RewriteSet::replaced_at(Graph& graph, NodeId node, const Acceptable& acceptable,
                                                ConstantFacts& facts) const {
  const std::uint16_t op = graph.node(node).op.index;
  Replacement replacement;
  for (const std::size_t index : by_root_[op]) {
    const Compiled& rewrite = rewrites_[index];
    auto found = match(graph, node, rewrite.pattern, facts);
    if (!found || (rewrite.guard && !rewrite.guard(*found))) continue;
    if (replace(graph, node, rewrite, *found, acceptable, replacement)) break;
  }
  return replacement;
}

ValueId RewriteSet::apply_at(Graph& graph, NodeId node, const Acceptable& acceptable) const {
  ConstantFacts facts;
  return replaced_at(graph, node, acceptable, facts).result;
}

std::size_t RewriteSet::apply(Graph& graph, const Acceptable& acceptable) const {
  // Tables only shrink or sort the graph, so this terminates; the budget stops a mistaken pair of rows from looping.
  const std::size_t budget = 1024 + 16 * graph.node_count();
  ConstantFacts facts;
  std::size_t count = 0, rounds = most_rounds(graph);
  for (bool changed = true; changed && count < budget && rounds > 0; --rounds) {
    changed = false;
    WorkList work(graph);
    for (NodeId node = work.take(); node.valid() && count < budget; node = work.take()) {
      if (!graph.node(node).alive || !speaks_of(graph.node(node).op)) continue;
      const Replacement replacement = replaced_at(graph, node, acceptable, facts);
      if (!replacement.result.valid()) continue;
      ++count;
      changed = true;
      if (const Value& value = graph.value(replacement.result); value.kind == Value::Kind::result)
        work.add(value.producer);
      for (const NodeId user : replacement.users) work.add(user);
    }
  }
  return count;
}

std::size_t most_rounds(const Graph& graph) {
  constexpr std::size_t always = 32, visits = std::size_t{1} << 22;
  return always + visits / (graph.node_count() + 1);
}

}  // namespace webnn::compiler
