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
                         ValueId& result) const {
  const ValueId old = graph.node(root).outputs[0];
  const std::string name = graph.value(old).name, label = graph.node(root).label;
  Addition addition(graph);
  result = build(addition, rewrite.replacement, match, name, label);
  const std::vector<NodeId>& added = addition.nodes();
  const bool fits = result.valid() && graph.value(result).descriptor == graph.value(old).descriptor &&
                    may_be_output(graph, old, result) &&
                    (!acceptable || std::ranges::all_of(added, [&](NodeId id) { return acceptable(graph, root, id); }));
  if (!fits) return false;
  addition.keep();
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

ValueId RewriteSet::apply_at(Graph& graph, NodeId node, const Acceptable& acceptable) const {
  const std::uint16_t op = graph.node(node).op.index;
  for (const std::size_t index : by_root_[op]) {
    const Compiled& rewrite = rewrites_[index];
    auto found = match(graph, node, rewrite.pattern);
    if (!found || (rewrite.guard && !rewrite.guard(*found))) continue;
    ValueId result;
    if (replace(graph, node, rewrite, *found, acceptable, result)) return result;
  }
  return {};
}

std::size_t RewriteSet::apply(Graph& graph, const Acceptable& acceptable) const {
  // Tables only shrink or sort the graph, so this terminates; the budget stops a mistaken pair of rows from looping.
  const std::size_t budget = 1024 + 16 * graph.node_count();
  std::size_t count = 0;
  for (bool changed = true; changed && count < budget;) {
    changed = false;
    std::vector<NodeId> work = graph.order();
    for (std::size_t next = 0; next < work.size() && count < budget; ++next) {
      const NodeId node = work[next];
      if (!graph.node(node).alive || !speaks_of(graph.node(node).op)) continue;
      std::vector<NodeId> users;
      for (const ValueId output : graph.node(node).outputs) users = graph.users(output);
      const ValueId result = apply_at(graph, node, acceptable);
      if (!result.valid()) continue;
      ++count;
      changed = true;
      if (graph.value(result).kind == Value::Kind::result) work.push_back(graph.value(result).producer);
      work.insert(work.end(), users.begin(), users.end());
    }
  }
  return count;
}

}  // namespace webnn::compiler
