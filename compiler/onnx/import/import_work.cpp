#include "compiler/onnx/import/import_work.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "compiler/onnx/import/import_builder.hpp"
#include "schema/name_hash.hpp"

namespace webnn::compiler {
namespace {

/// `passed` counts what is passed over.
void add_names_used(const OnnxNode& node, NameSet& names, std::uint64_t& passed) {
  names.insert(node.inputs.begin(), node.inputs.end());
  passed += 1 + node.inputs.size() + node.attributes.size();
  for (const OnnxAttribute& attribute : node.attributes)
    if (const auto* graph = std::get_if<std::shared_ptr<const OnnxGraph>>(&attribute.value)) {
      for (const OnnxNode& inner : (*graph)->nodes) add_names_used(inner, names, passed);
      for (const OnnxValue& output : (*graph)->outputs) names.insert(output.name);
      passed += (*graph)->outputs.size();
    }
}

std::vector<const OnnxNode*> live_nodes(const std::vector<OnnxNode>& nodes, NameSet needed, std::uint64_t& passed) {
  std::vector<const OnnxNode*> live;
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {  // clang 14 has no std::views of GCC's library
    passed += 1 + node->outputs.size();
    if (std::ranges::none_of(node->outputs, [&](const std::string& name) { return needed.contains(name); })) continue;
    add_names_used(*node, needed, passed);
    live.push_back(&*node);
  }
  std::ranges::reverse(live);
  return live;
}

template <class T>
std::uint64_t cost_of_value(const T& value) {
  if constexpr (std::is_same_v<T, OnnxIntegers> || std::is_same_v<T, std::vector<float>>)
    return value.size() / 8;
  else if constexpr (requires { import_cost(value); })
    return import_cost(value);
  else
    return 0;  // a number, or a graph, which is not copied
}

}  // namespace

std::uint64_t import_cost(const std::string& name) { return 1 + name.size() / 64; }
std::uint64_t import_cost(const OnnxValue& value) { return import_cost(value.name); }
std::uint64_t import_cost(const OnnxTensor& tensor) { return import_cost(tensor.name) + tensor.dims.size(); }
std::uint64_t import_cost(const OnnxAttribute& attribute) {
  return import_cost(attribute.name) +
         std::visit([](const auto& value) { return cost_of_value(value); }, attribute.value);
}
std::uint64_t import_cost(const OnnxNode& node) {
  return import_cost(node.op_type) + import_cost(node.domain) + import_cost(node.inputs) + import_cost(node.outputs) +
         import_cost(node.attributes);
}

void ImportWork::count_node() {
  if (++nodes_ > max_nodes_)
    throw OnnxRefusal{Code::limit_exceeded, "the model has more than " + std::to_string(max_nodes_) +
                                                " nodes, with those of its functions and loops"};
}

void ImportWork::count(std::uint64_t cost) {
  const bool fits = has_left(cost);
  cost_ = fits ? cost_ + cost : most_cost();
  if (!fits)
    throw OnnxRefusal{Code::limit_exceeded,
                      "the turns of loops and calls of functions have more than " + std::to_string(most_cost()) +
                          " names and attributes in all",
                      "--max-nodes raises the limit"};
}

const LiveNodes::Body& LiveNodes::find(const std::vector<OnnxNode>& nodes, const std::vector<std::string>& results,
                                       const Wanted& wanted, std::uint64_t cost_around, ImportWork& work) {
  const auto [known, is_new] = bodies_.try_emplace({&nodes, wanted});
  Body& body = known->second;
  std::uint64_t passed = 0;
  if (is_new) {
    NameSet needed;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (wanted[i]) needed.insert(results[i]);
    body.nodes = live_nodes(nodes, std::move(needed), passed);
    for (const OnnxNode* node : body.nodes) body.cost += import_cost(*node);
  }
  // Of a function that each call wants other results of, all nodes are passed over each time.
  if (!known_.insert(&nodes).second) work.count(passed + body.cost + cost_around);
  return body;
}

const std::string* own_result(const OnnxNode& node) {
  const NameViews results(node.outputs.begin(), node.outputs.end());
  for (const std::string& name : node.inputs)
    if (!name.empty() && results.contains(name)) return &name;
  return nullptr;
}

}  // namespace webnn::compiler
