#include "cli/inspect/inspect_diff.hpp"

#include <algorithm>
#include <map>
#include <ostream>

#include "cli/json/json.hpp"
#include "compiler/frontend/source_form.hpp"
#include "compiler/ir/content.hpp"
#include "schema/file/checksum.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

/// The content of a constant: a few elements, or their checksum.
std::string content_of(const compiler::Value& constant) {
  constexpr std::size_t most_elements = 8;
  std::string text = compiler::content_text(constant.descriptor.type, constant.data.view(), most_elements, false);
  return text.starts_with('<') ? "checksum " + checksum_text(checksum_of(constant.data.view())) : text;
}

std::string names_text(const compiler::Graph& graph, const std::vector<compiler::ValueId>& values) {
  std::string text;
  for (const compiler::ValueId id : values)
    text += (text.empty() ? "" : ", ") + (id.valid() ? graph.value(id).name : std::string("-"));
  return text;
}

Part part_of_node(const compiler::Graph& graph, compiler::NodeId id) {
  const compiler::SourceNode source = compiler::source_node(graph, id);
  const compiler::Node& node = graph.node(id);
  Part part{"node", source.id, {{"operator", std::string(source.op)}, {"inputs", names_text(graph, source.inputs)}}};
  std::string results;
  for (const compiler::ValueId output : node.outputs)
    results += (results.empty() ? "" : ", ") + graph.value(output).descriptor.text();
  part.facts.emplace_back("results", results);
  for (const compiler::SourceOption& option : source.options)
    part.facts.emplace_back(
        option.key, option.operand.valid() ? graph.value(option.operand).name : compiler::attribute_json(option.value));
  return part;
}

/// Facts about a graph as a whole.
Part whole_graph(const compiler::Graph& graph) {
  return {"graph", "", {{"name", graph.name}, {"quantized", graph.quantized ? "yes" : "no"}}};
}

std::string names_text(const Program& program, const std::vector<std::uint32_t>& values) {
  std::string text;
  for (const std::uint32_t value : values)
    text += (text.empty() ? "" : ", ") + (value == no_index ? std::string("-") : program.values[value].name);
  return text;
}

void add_attributes(Part& part, const std::string& prefix, OperatorId op, const Attributes& attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (attributes[i])
      part.facts.emplace_back(prefix + std::string(row(op).attributes[i].name),
                              compiler::attribute_json(*attributes[i]));
}

Part part_of_step(const Program& program, const Step& step) {
  std::string operators(row(step.op).name);
  for (const PostOp& post_op : step.post_ops) operators += " -> " + std::string(row(post_op.op).name);
  Part part{"step", step.outputs.empty() ? step.label : program.values[step.outputs[0]].name, {}};
  part.facts = {{"operator", operators},
                {"kernel", std::string(row(step.kernel).name)},
                {"inputs", names_text(program, step.inputs)}};
  std::string results;
  for (const std::uint32_t output : step.outputs)
    results += (results.empty() ? "" : ", ") + program.values[output].descriptor.text();
  part.facts.emplace_back("results", results);
  add_attributes(part, "", step.op, step.attributes);
  const Expression expression(step);
  for (std::size_t i = 1; i < expression.size(); ++i) {
    const std::string prefix = "post-op " + std::to_string(i) + " ";
    std::string operands;
    for (const StepOperand operand : expression.operands(i))
      operands += (operands.empty() ? "" : ", ") + std::to_string(steps_back(operand, i));
    part.facts.emplace_back(prefix + "operands", operands);
    add_attributes(part, prefix, expression.op(i), expression.attributes(i));
  }
  return part;
}

void add_bindings(std::vector<Part>& parts, const char* kind, const std::vector<Binding>& bindings) {
  for (const Binding& binding : bindings)
    parts.push_back(
        {kind, binding.name, {{"type", binding.descriptor.text()}, {"layout", std::string(name_of(binding.layout))}}});
}

}  // namespace

std::vector<Part> parts_of(const compiler::Graph& graph, bool with_content) {
  const compiler::DimensionNames dimensions(graph);
  std::vector<Part> parts{whole_graph(graph)};
  for (const compiler::ValueId id : graph.inputs()) {
    const compiler::Value& value = graph.value(id);
    Part part{"input", value.name, {{"type", value.descriptor.text()}}};
    for (unsigned axis = 0; axis < value.descriptor.shape.rank(); ++axis)
      if (const std::string_view name = dimensions.find(id, axis); !name.empty())
        part.facts.emplace_back("dimension " + std::to_string(axis), name);
    parts.push_back(std::move(part));
  }
  for (const compiler::ValueId id : compiler::constants_of(graph)) {
    const compiler::Value& value = graph.value(id);
    parts.push_back({"constant", value.name, {{"type", value.descriptor.text()}}});
    if (with_content) parts.back().facts.emplace_back("content", content_of(value));
  }
  for (const compiler::NodeId id : graph.order()) parts.push_back(part_of_node(graph, id));
  for (const compiler::GraphOutput& output : graph.outputs())
    parts.push_back(
        {"output",
         output.name,
         {{"value", graph.value(output.value).name}, {"type", graph.value(output.value).descriptor.text()}}});
  return parts;
}

std::vector<Part> parts_of(const Program& program) {
  std::vector<Part> parts{{"program",
                           "",
                           {{"name", program.name},
                            {"tool version", program.tool_version},
                            {"device", std::string(name_of(program.target.device))},
                            {"features", text_of(program.target.features)},
                            {"arena bytes", std::to_string(program.arena_bytes)},
                            {"graph", program.graph.size() == 0
                                          ? "not carried"
                                          : "carried, checksum " + checksum_text(checksum_of(program.graph.view()))}}}};
  add_bindings(parts, "input", program.inputs);
  for (const ProgramValue& value : program.values) {
    if (value.slot.kind != Slot::Kind::constant || value.view_of != no_index) continue;
    parts.push_back({"constant",
                     value.name,
                     {{"type", value.descriptor.text()},
                      {"form", value.form.empty() ? std::string(name_of(value.layout)) : value.form},
                      {"checksum", checksum_text(program.constant_checksums[value.slot.index])}}});
  }
  for (const Step& step : program.steps) parts.push_back(part_of_step(program, step));
  add_bindings(parts, "output", program.outputs);
  return parts;
}

namespace {

std::vector<Difference::Fact> differing_facts(const Part& first, const Part& second) {
  std::vector<Difference::Fact> result;
  const auto value_in = [](const Part& part, const std::string& name) {
    const auto found = std::ranges::find(part.facts, name, &std::pair<std::string, std::string>::first);
    return found == part.facts.end() ? std::string() : found->second;
  };
  for (const auto& [name, value] : first.facts)
    if (std::string other = value_in(second, name); other != value) result.push_back({name, value, std::move(other)});
  for (const auto& [name, value] : second.facts)
    if (std::ranges::find(first.facts, name, &std::pair<std::string, std::string>::first) == first.facts.end())
      result.push_back({name, {}, value});
  return result;
}

/// A part that only one side has, with all its facts.
Difference lone(const Part& part, Difference::Change change) {
  Difference result{change, part.kind, part.name, {}};
  for (const auto& [name, value] : part.facts)
    change == Difference::Change::only_first ? result.facts.push_back({name, value, {}})
                                             : result.facts.push_back({name, {}, value});
  return result;
}

/// Where the parts of each kind are in a different order: the first position for each kind.
std::vector<Difference> differences_of_order(const std::vector<Part>& first, const std::vector<Part>& second) {
  using Names = std::map<std::string_view, std::vector<std::string_view>>;
  const auto names_by_kind = [](const std::vector<Part>& parts) {
    Names names;
    for (const Part& part : parts) names[part.kind].push_back(part.name);
    return names;
  };
  std::vector<Difference> result;
  const Names others = names_by_kind(second);
  for (const auto& [kind, names] : names_by_kind(first)) {
    const std::vector<std::string_view>& other = others.at(kind);
    const auto place = std::ranges::mismatch(names, other);
    if (place.in1 != names.end())
      result.push_back({Difference::Change::changed,
                        "order of " + std::string(kind) + "s",
                        {},
                        {{"place " + std::to_string(place.in1 - names.begin() + 1), std::string(*place.in1),
                          std::string(*place.in2)}}});
  }
  return result;
}

}  // namespace

std::vector<Difference> differences_of(const std::vector<Part>& first, const std::vector<Part>& second) {
  using Key = std::pair<std::string_view, std::string_view>;
  std::multimap<Key, const Part*> others;  // with equal keys, in order
  for (const Part& part : second) others.emplace(Key(part.kind, part.name), &part);
  std::vector<Difference> result;
  for (const Part& part : first) {
    const auto found = others.lower_bound(Key(part.kind, part.name));
    if (found == others.end() || found->first != Key(part.kind, part.name)) {
      result.push_back(lone(part, Difference::Change::only_first));
      continue;
    }
    if (auto facts = differing_facts(part, *found->second); !facts.empty())
      result.push_back({Difference::Change::changed, part.kind, part.name, std::move(facts)});
    others.erase(found);
  }
  for (const Part& part : second) {
    const auto [begin, end] = others.equal_range(Key(part.kind, part.name));
    if (std::any_of(begin, end, [&](const auto& entry) { return entry.second == &part; }))
      result.push_back(lone(part, Difference::Change::only_second));
  }
  return result.empty() ? differences_of_order(first, second) : result;
}

namespace {

struct ChangeWords {
  const char* mark;
  const char* word;  // in JSON
};
ChangeWords words_of(Difference::Change change) {
  constexpr ChangeWords words[] = {{"~", "changed"}, {"-", "onlyFirst"}, {"+", "onlySecond"}};
  return words[std::size_t(change)];
}

std::string shown(const std::string& text) { return text.empty() ? "(none)" : escaped(text); }

void print_text(std::ostream& out, const Difference& difference) {
  out << words_of(difference.change).mark << " " << difference.kind;
  if (!difference.name.empty()) out << " " << in_quotes(difference.name);
  if (difference.change == Difference::Change::changed) {
    out << "\n";
    for (const Difference::Fact& fact : difference.facts)
      out << "    " << fact.name << ": " << shown(fact.first) << " -> " << shown(fact.second) << "\n";
    return;
  }
  const char* separator = "  ";
  for (const Difference::Fact& fact : difference.facts) {
    const std::string& value = fact.first.empty() ? fact.second : fact.first;
    if (value.empty()) continue;
    out << separator << fact.name << " " << escaped(value);
    separator = ", ";
  }
  out << "\n";
}

Json json_of(const Difference& difference) {
  Json facts = Json::array();
  for (const Difference::Fact& fact : difference.facts)
    facts.push_back({{"name", fact.name}, {"first", fact.first}, {"second", fact.second}});
  return {{"change", words_of(difference.change).word},
          {"kind", difference.kind},
          {"name", difference.name},
          {"facts", std::move(facts)}};
}

}  // namespace

ExitCode print_differences(Console& console, bool json, const std::string& first, const std::string& second,
                           const std::vector<Difference>& differences, bool with_content) {
  if (json) {
    Json list = Json::array();
    for (const Difference& difference : differences) list.push_back(json_of(difference));
    const Json document{{"schema", "webnn-cli/inspect-diff/1"},
                        {"first", first},
                        {"second", second},
                        {"same", differences.empty()},
                        {"contentCompared", with_content},
                        {"differences", std::move(list)}};
    console.out << document.dump() << "\n";
  } else if (differences.empty()) {
    console.out << escaped(first) << " and " << escaped(second) << " hold the same"
                << (with_content ? "" : ", but what their constants hold is not compared") << "\n";
  } else {
    console.out << escaped(first) << " (-) and " << escaped(second)
                << " (+): " << counted(differences.size(), "difference") << "\n";
    for (const Difference& difference : differences) print_text(console.out, difference);
  }
  return differences.empty() ? ExitCode::success : ExitCode::negative;
}

}  // namespace webnn::cli
