// Operands of nodes. Required ones are in `inputs`. Optional ones are written in three ways, all of which are read:
//
//   (A) by position behind the required ones, with has_scale / hasScale in the options where one is left out
//   (B) in the options by number: inputs sorted by name, then constants sorted by name, then results in order
//   (C) in the options by name
#include <algorithm>

#include "compiler/frontend/json/json_access.hpp"
#include "compiler/frontend/json/json_graph_reader.hpp"
#include "compiler/ir/free_name.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

using Kind = JsonValue::Kind;

/// "2 to 3 operands (input, filter, bias)"
std::string operand_summary(const Operator& op, std::size_t required) {
  std::string text = std::to_string(required);
  if (op.operands.size() != required) text += " to " + std::to_string(op.operands.size());
  text += op.operands.size() == 1 ? " operand (" : " operands (";
  for (std::size_t i = 0; i < op.operands.size(); ++i) text += (i ? ", " : "") + std::string(op.operands[i].name);
  return text + ")";
}

/// The option has_scale or hasScale for the operand `scale`: 1, 0, or -1 when it is not given.
int presence_flag(JsonValue options, std::string_view operand) {
  if (!options) return -1;
  for (const JsonValue option : options)
    if (option.is(Kind::boolean) && camel_case(option.key()) == camel_case("has_" + std::string(operand)))
      return option.boolean();
  return -1;
}

/// in_quotes cuts off what is too long.
std::string shortened(std::string_view id) {
  const std::string quoted = in_quotes(id);
  return quoted.substr(1, quoted.size() - 2);
}

}  // namespace

void JsonGraphReader::read_operands(const NodeText& node, Call& call) {
  const Operator& op = call.row();
  std::vector<JsonValue> given;
  if (node.inputs)
    for (const JsonValue input : node.inputs) given.push_back(input);
  if (op.variadic()) {
    for (const JsonValue input : given) {
      call.operands.push_back(resolve(input.text(), input, node.index));
      call.operand_places.push_back(input);
      call.usable = call.usable && call.operands.back().valid();
    }
    return;
  }
  call.operands.resize(op.operands.size());
  call.operand_places.resize(op.operands.size());
  if (node.options) {
    for (const JsonValue option : node.options) {
      const int index = op.operand_index(camel_case(option.key()));
      if (index < 0 || option.is(Kind::null)) continue;
      call.operand_places[std::size_t(index)] = option;
      call.operands[std::size_t(index)] = resolve_option(option, node.index);
      call.usable = call.usable && call.operands[std::size_t(index)].valid();
    }
  }
  place_positional(node, call, given);
}

void JsonGraphReader::place_positional(const NodeText& node, Call& call, const std::vector<JsonValue>& given) {
  const Operator& op = call.row();
  std::vector<std::size_t> places, optional;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (op.operands[i].arity == Arity::one && !call.operand_places[i]) places.push_back(i);
    if (op.operands[i].arity == Arity::optional) optional.push_back(i);
  }
  // quantizeLinear and dequantizeLinear without a zero point are common; see add_missing_zero_point.
  const bool may_lack_last = op.family == Family::quantization;
  const std::size_t required = places.size();

  std::vector<JsonValue> extra(given.begin() + std::ptrdiff_t(std::min(required, given.size())), given.end());
  // Some writers list an operand here and also name it in the options.
  std::erase_if(extra, [&](JsonValue input) {
    return std::any_of(optional.begin(), optional.end(), [&](std::size_t i) {
      const JsonValue option = call.operand_places[i];
      return option && call.operands[i].valid() && graph_.value(call.operands[i]).name == input.text();
    });
  });
  // Operands announced by a flag come first, then operands without a flag, as long as there are names for them.
  std::vector<std::size_t> candidates;
  std::size_t announced = 0;
  for (const std::size_t i : optional) announced += presence_flag(node.options, op.operands[i].name) == 1;
  for (const std::size_t i : optional) {
    const int flag = presence_flag(node.options, op.operands[i].name);
    if (call.operand_places[i] || flag == 0 || (flag < 0 && announced == extra.size() && announced > 0)) continue;
    candidates.push_back(i);
  }
  const bool too_few = given.size() + (may_lack_last ? 1 : 0) < required;
  if (too_few || extra.size() > candidates.size()) {
    const auto fixed = std::size_t(std::count_if(op.operands.begin(), op.operands.end(),
                                                 [](const OperandRow& r) { return r.arity == Arity::one; }));
    const auto named = std::size_t(
        std::count_if(call.operand_places.begin(), call.operand_places.end(), [](JsonValue v) { return bool(v); }));
    Diagnostic& diagnostic = error(Code::wrong_operand_count, node.inputs ? node.inputs : node.node,
                                   std::string(op.name) + " takes " + operand_summary(op, fixed) + ", found " +
                                       std::to_string(given.size() + named));
    for (const OperandRow& operand : op.operands) {
      const JsonValue option = call.operand_places[std::size_t(op.operand_index(operand.name))];
      if (!too_few && option) diagnostic.hints.push_back("the options name " + in_quotes(operand.name) + " as well");
      if (!too_few && presence_flag(node.options, operand.name) == 0)
        diagnostic.hints.push_back("the options say that there is no " + in_quotes(operand.name));
    }
    call.usable = false;
    return;
  }
  places.resize(std::min(required, given.size()));
  places.insert(places.end(), candidates.begin(), candidates.begin() + std::ptrdiff_t(extra.size()));
  std::vector<JsonValue> names(given.begin(), given.begin() + std::ptrdiff_t(std::min(required, given.size())));
  names.insert(names.end(), extra.begin(), extra.end());
  for (std::size_t i = 0; i < places.size(); ++i) {
    call.operands[places[i]] = resolve(names[i].text(), names[i], node.index);
    call.operand_places[places[i]] = names[i];
    call.usable = call.usable && call.operands[places[i]].valid();
  }
  for (const std::size_t i : optional) {
    if (presence_flag(node.options, op.operands[i].name) != 1 || call.operand_places[i]) continue;
    error(Code::wrong_operand_count, node.inputs ? node.inputs : node.node,
          "the options say that there is '" + std::string(op.operands[i].name) + "', but no operand is left for it");
    call.usable = false;
  }
}

/// The specification requires a zero point; some writers leave it out if it is zero.
void JsonGraphReader::add_missing_zero_point(const NodeText& node, Call& call) {
  const Operator& op = call.row();
  if (op.family != Family::quantization) return;
  const auto input = std::size_t(op.operand_index("input")), scale = std::size_t(op.operand_index("scale")),
             zero_point = std::size_t(op.operand_index("zeroPoint"));
  if (call.operands[zero_point].valid() || !call.operands[input].valid() || !call.operands[scale].valid()) return;
  // The zero point has the type of the quantised side.
  const DataType input_type = graph_.value(call.operands[input]).descriptor.type;
  const bool dequantize = op.operands[input].variable == op.operands[zero_point].variable;
  if (dequantize && !op.operands[zero_point].types.contains(input_type)) return;
  const OperandDescriptor descriptor{dequantize ? input_type : DataType::uint8,
                                     graph_.value(call.operands[scale]).descriptor.shape};
  if (!descriptor_error(descriptor).empty()) return;
  if (!is_within_limit(descriptor, node.node) || !claim_memory(byte_length(descriptor), 0, node.node)) {
    call.usable = false;
    return;
  }
  call.operands[zero_point] = graph_.add_constant(fresh_name(derived_name(node.id, "_zeroPoint")), descriptor,
                                                  AlignedBytes(byte_length(descriptor)).take());
  warn_once(Code::legacy_spelling, node.node.location(), "zeroPoint " + std::string(op.name),
            std::string(op.name) + " without a zero point is read with zeros of type " +
                std::string(name_of(descriptor.type)));
}

ValueId JsonGraphReader::resolve_option(JsonValue option, std::uint32_t node) {
  if (option.is(Kind::text)) return resolve(option.text(), option, node);
  const auto number = unsigned_of(option);
  if (!number) {
    report_wrong_type(diagnostics_, option, in_quotes(option.key()), "the name of a value (a string) or its number");
    return {};
  }
  const auto& names = numbered_names();
  if (*number >= names.size()) {
    error(Code::unknown_value, option,
          "there is no value number " + std::to_string(*number) + ", the graph has " + std::to_string(names.size()) +
              " values");
    return {};
  }
  return resolve(names[std::size_t(*number)], option, node);
}

const std::vector<std::string_view>& JsonGraphReader::numbered_names() {
  if (!numbered_names_.empty()) return numbered_names_;
  for (const std::string_view section : {"inputs", "consts"}) {
    const auto first = std::ptrdiff_t(numbered_names_.size());
    const JsonValue values = root_.find(section);
    if (values && values.is(Kind::object))
      for (const JsonValue value : values) numbered_names_.push_back(value.key());
    std::sort(numbered_names_.begin() + first, numbered_names_.end());
  }
  for (const NodeText& node : nodes_)
    for (const JsonValue output : node.outputs) numbered_names_.push_back(output.text());
  return numbered_names_;
}

ValueId JsonGraphReader::resolve(std::string_view name, JsonValue place, std::uint32_t node) {
  const auto definition = definitions_.find(name);
  const auto known = names_.find(name);
  if (definition != definitions_.end() && definition->second >= node && known == names_.end()) {
    report_later_definition(name, place, node, definition->second);
    return {};
  }
  if (known != names_.end()) return known->second.id;
  Diagnostic& diagnostic = error(Code::unknown_value, place, "no value has the name " + in_quotes(name));
  if (may_compare(names_.size() + definitions_.size())) {
    std::vector<std::string_view> candidates;
    for (const auto& [candidate, value] : names_) candidates.push_back(candidate);
    for (const auto& [candidate, definer] : definitions_) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end());  // gives the same advice in every run
    suggest(diagnostic, name, candidates);
  }
  names_.emplace(name, NamedValue{{}, place});  // reported once
  return {};
}

void JsonGraphReader::report_later_definition(std::string_view name, JsonValue place, std::uint32_t user,
                                              std::uint32_t definer) {
  if (user == definer) {
    error(Code::not_topological, place, "the node uses its own result " + in_quotes(name));
    return;
  }
  const Location later = nodes_[definer].node.location();
  Diagnostic& diagnostic = error(
      Code::not_topological, place,
      in_quotes(name) + " is used before it is defined, at " + later.path + ", line " + std::to_string(later.line));
  const std::string cycle = find_cycle(user, definer);
  diagnostic.hints.push_back(cycle.empty() ? "list the nodes so that every value is defined before it is used"
                                           : "the nodes form a cycle: " + cycle);
}

/// "a -> b -> a", by node ids, when the node `definer` directly or indirectly uses a result of `user`; otherwise empty.
/// All searches together visit a bounded number of nodes.
std::string JsonGraphReader::find_cycle(std::uint32_t user, std::uint32_t definer) const {
  std::vector<std::uint32_t> pending{definer};
  std::unordered_map<std::uint32_t, std::uint32_t> reached_from{{definer, user}};
  while (!pending.empty() && cycle_steps_left_ > 0) {
    const std::uint32_t at = pending.back();
    pending.pop_back();
    if (!nodes_[at].inputs) continue;
    for (const JsonValue input : nodes_[at].inputs) {
      if (cycle_steps_left_ > 0) --cycle_steps_left_;
      const auto producer = input.is(Kind::text) ? definitions_.find(input.text()) : definitions_.end();
      if (producer == definitions_.end()) continue;
      if (producer->second == user) {
        constexpr std::size_t longest = 8;  // longer ones are no help
        std::vector<std::uint32_t> path;
        for (std::uint32_t step = at; step != user && path.size() <= longest; step = reached_from.at(step))
          path.push_back(step);
        if (path.size() > longest) return {};
        const auto id_of = [&](std::uint32_t node) { return shortened(nodes_[node].id); };
        std::string text = id_of(user);
        for (auto step = path.rbegin(); step != path.rend(); ++step) text += " -> " + id_of(*step);
        return text + " -> " + id_of(user);
      }
      if (reached_from.emplace(producer->second, at).second) pending.push_back(producer->second);
    }
  }
  return {};
}

}  // namespace webnn::compiler
