#include "compiler/onnx/import/import_onnx.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "compiler/onnx/import/dimension_names.hpp"
#include "compiler/onnx/import/import_call.hpp"
#include "compiler/onnx/import/import_work.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"
#include "schema/error.hpp"
#include "schema/name_hash.hpp"
#include "schema/sentence.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// The last version of the operators that this reader was written for.
constexpr std::int64_t newest_opset = 24;
/// Functions in functions and graphs in nodes.
constexpr unsigned most_nested_scopes = 64;

/// The names that a graph, a subgraph or a function knows.
struct ImportScope {
  const ImportScope* outer = nullptr;  // a subgraph sees the names around it
  ByName<TensorId> names{};            // invalid: its node failed, or its operand is absent
  NameSet absent{};                    // operands that a function's call leaves out
  const std::map<std::string, std::int64_t>* opsets = nullptr;
  std::map<std::string_view, const OnnxAttribute*> attributes{};  // of a function's call
  bool is_function = false;
};

/// Ends the import of a node whose operand failed before.
struct FailedBefore {};

class OnnxImporter {
 public:
  OnnxImporter(const OnnxModel& model, const LoadOptions& options, Diagnostics& diagnostics)
      : model_(model),
        options_(options),
        diagnostics_(diagnostics),
        builder_(options, model.file_bytes),
        work_(options.max_nodes) {
    for (const OnnxFunction& function : model.functions)  // of several with one name, the first counts
      functions_.try_emplace({function.domain, function.name, function.overload}, &function);
  }

  std::optional<Graph> run() {
    const std::size_t errors_before = diagnostics_.error_count();
    builder_.graph.name = model_.name;
    ImportScope scope;
    scope.opsets = &model_.opsets;
    if (model_.opset > newest_opset)
      diagnostics_.warning(
          Code::bad_version, {options_.file_name, 0, 0, {}},
          sentence("the model has opset ", model_.opset, ", and operators are read as in opset ", newest_opset));
    if (!add_constants(scope)) return std::nullopt;
    add_inputs(scope);
    import_nodes(model_.nodes, names_of(model_.outputs), Wanted(model_.outputs.size(), true), 0, scope);
    add_outputs(scope);
    if (options_.operators)
      for (auto& [name, use] : uses_) options_.operators->push_back(std::move(use));
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    builder_.remove_dead();
    return std::move(builder_.graph);
  }

 private:
  Diagnostic& error(Code code, std::string path, std::string message, std::string hint = {}) {
    Diagnostic& diagnostic = diagnostics_.error(code, {options_.file_name, 0, 0, std::move(path)}, std::move(message));
    if (!hint.empty()) diagnostic.hints.push_back(std::move(hint));
    return diagnostic;
  }

  // ---- initializers, inputs and outputs

  void add_initializer(const OnnxTensor& tensor, ImportScope& scope) {
    scope.names[tensor.name] = builder_.add({.type = tensor.type,
                                             .dims = tensor.dims,
                                             .data = tensor.data,
                                             .name = tensor.name,
                                             .problem = tensor.problem});
  }

  /// Those of the model. Stops at the first that cannot be kept: what follows would be told about each of its users.
  bool add_constants(ImportScope& scope) {
    for (const OnnxTensor& tensor : model_.initializers) {
      try {
        add_initializer(tensor, scope);
      } catch (const OnnxRefusal& refusal) {
        error(refusal.code, "constant " + in_quotes(tensor.name), refusal.message, refusal.hint);
        return false;
      }
    }
    return true;
  }

  /// An input that is also an initializer is one that callers may replace, with --constant-input; else it is a constant.
  void add_inputs(ImportScope& scope) {
    std::set<std::string> unbound, used;
    std::set<std::string> names;
    for (const OnnxValue& input : model_.inputs) {
      const bool is_constant = scope.names.contains(input.name) && !find_constant(input.name);
      if (!is_new_name(input.name, "input", names) || is_constant) continue;
      TensorId& id = scope.names[input.name];
      if (input.type == OnnxType::undefined || !input.has_shape) {
        error(Code::bad_rank, "input " + in_quotes(input.name),
              input.type == OnnxType::undefined ? "the input is no tensor: WebNN has no sequences, maps and optionals"
                                                : "the input has no shape");
        continue;
      }
      OnnxIntegers dims;
      for (std::size_t axis = 0; axis < input.dims.size(); ++axis) dims.push_back(size_of(input, axis, unbound, used));
      try {
        id = make_input(input, std::move(dims));
      } catch (const OnnxRefusal& refusal) {
        error(refusal.code, "input " + in_quotes(input.name), refusal.message, refusal.hint);
      }
    }
    for (const auto& [name, size] : options_.dimensions)
      if (!options_.shares_dimensions && !used.contains(name))
        error(Code::unbound_dimension, "", "no dimension has the name " + in_quotes(name),
              used.empty() ? "all dimensions of the inputs have sizes in the file"
                           : "its dimensions are " + joined(std::vector<std::string>(used.begin(), used.end())));
    for (const ConstantInput& constant : options_.constant_inputs)
      if (std::ranges::find(model_.inputs, constant.name, &OnnxValue::name) == model_.inputs.end())
        error(Code::unknown_value, "", "no input has the name " + in_quotes(constant.name));
  }

  /// Reports a name that is empty or taken by another input or output.
  bool is_new_name(const std::string& name, const std::string& what, std::set<std::string>& names) {
    if (name.empty())
      error(Code::empty_name, "", "an " + what + " has no name");
    else if (!names.insert(name).second)
      error(Code::duplicate_name, what + " " + in_quotes(name), "another " + what + " has this name");
    else
      return true;
    return false;
  }

  std::int64_t size_of(const OnnxValue& input, std::size_t axis, std::set<std::string>& unbound,
                       std::set<std::string>& used) {
    if (input.dims[axis] > 0 || (input.dims[axis] == 0 && find_constant(input.name))) return input.dims[axis];
    const std::string name = dimension_name(input, axis);
    used.insert(name);
    for (const auto& [known, size] : options_.dimensions)
      if (known == name) return size;
    if (unbound.insert(name).second)
      error(Code::unbound_dimension, "input " + in_quotes(input.name),
            "the dimension " + in_quotes(name) + " has no size",
            "give its size: `--dim '" + name + "=4'`, or `dimensions` in the library");
    return 1;  // so that other mistakes are found
  }

  const ConstantInput* find_constant(const std::string& name) const {
    for (const ConstantInput& constant : options_.constant_inputs)
      if (constant.name == name) return &constant;
    return nullptr;
  }

  TensorId make_input(const OnnxValue& input, OnnxIntegers dims) {
    const ConstantInput* constant = find_constant(input.name);
    const OnnxType type = builder_.usable(input.type);
    const TensorId plain = builder_.add({.type = type, .dims = dims, .data = Bytes(), .name = input.name});
    if (constant && std::ranges::find(dims, 0) != dims.end()) return plain;
    const OperandDescriptor descriptor = builder_.descriptor(plain);
    if (!constant) return builder_.add_input(input.name, type, descriptor);
    Bytes data = constant->read(descriptor);
    if (data.size() != byte_length(descriptor))
      throw OnnxRefusal{Code::wrong_byte_length, descriptor.text() + " needs " +
                                                     std::to_string(byte_length(descriptor)) + " bytes, and " +
                                                     std::to_string(data.size()) + " are given"};
    return builder_.add({.type = type, .dims = std::move(dims), .data = std::move(data), .name = input.name});
  }

  /// An output that is an input, a constant, or the same value as another one is a copy.
  void add_outputs(const ImportScope& scope) {
    if (model_.outputs.empty()) error(Code::no_outputs, "", "the model has no outputs");
    std::set<ValueId> given;
    std::set<std::string> names;
    for (const OnnxValue& output : model_.outputs) {
      if (!is_new_name(output.name, "output", names)) continue;
      const auto found = scope.names.find(output.name);
      if (found == scope.names.end()) {
        error(Code::unknown_value, "output " + in_quotes(output.name), "no node has this result");
        continue;
      }
      if (!found->second.valid()) {
        if (!diagnostics_.has_errors()) error(Code::bad_call, "output " + in_quotes(output.name), "it has no value");
        continue;
      }
      try {
        ValueId value = builder_.value(found->second);
        const bool is_result = builder_.graph.value(value).kind == Value::Kind::result;
        if (is_result) builder_.name_result(found->second, output.name);
        if (!is_result || !given.insert(value).second) {
          const std::vector<std::string> names{output.name};
          value =
              builder_.graph.node(builder_.graph.add_node("identity"_op, {value}, {}, names, output.name)).outputs[0];
        }
        builder_.graph.add_output(output.name, value);
      } catch (const OnnxRefusal& refusal) {
        error(refusal.code, "output " + in_quotes(output.name), refusal.message, refusal.hint);
      }
    }
  }

  // ---- nodes

  static std::vector<std::string> names_of(const std::vector<OnnxValue>& values) {
    std::vector<std::string> names;
    for (const OnnxValue& value : values) names.push_back(value.name);
    return names;
  }

  /// Those that the wanted results need. `cost_around` is what else is imported with them each time.
  void import_nodes(const std::vector<OnnxNode>& nodes, const std::vector<std::string>& results, const Wanted& wanted,
                    std::uint64_t cost_around, ImportScope& scope) {
    for (const OnnxNode* node : live_nodes_.find(nodes, results, wanted, cost_around, work_).nodes) {
      const bool refers = std::ranges::any_of(node->attributes, [](const OnnxAttribute& attribute) {
        return std::holds_alternative<OnnxReference>(attribute.value);
      });
      if (refers)
        import_with_attributes(*node, scope);
      else
        import_node(*node, scope);
    }
  }

  /// A function's node with the attributes of the call in place of references to them.
  void import_with_attributes(const OnnxNode& node, ImportScope& scope) {
    OnnxNode result = node;
    const ImportScope* function = &scope;
    while (function->outer && !function->is_function) function = function->outer;
    std::uint64_t cost = 0;
    std::erase_if(result.attributes, [&](OnnxAttribute& attribute) {
      const auto* reference = std::get_if<OnnxReference>(&attribute.value);
      if (!reference) return false;
      const auto found = function->attributes.find(reference->name);
      if (found == function->attributes.end()) return true;
      cost += import_cost(*found->second);
      if (work_.has_left(cost)) attribute.value = found->second->value;
      return false;
    });
    import_node(result, scope, cost);
  }

  std::int64_t opset_of(const OnnxNode& node, const ImportScope& scope) const {
    const auto found = scope.opsets->find(node.domain);
    return found == scope.opsets->end() ? 1 : found->second;
  }

  TensorId operand(const std::string& name, const ImportScope& scope) const {
    for (const ImportScope* at = &scope; at; at = at->outer) {
      if (at->absent.contains(name)) return {};
      const auto found = at->names.find(name);
      if (found == at->names.end()) continue;
      if (!found->second.valid()) throw FailedBefore();
      return found->second;
    }
    throw OnnxRefusal{Code::unknown_value, "no node before it has the result " + in_quotes(name)};
  }

  /// `cost` is of attributes that were copied for it.
  void import_node(const OnnxNode& node, ImportScope& scope, std::uint64_t cost = 0) {
    std::string taken;
    for (const std::string& output : node.outputs)
      if (!output.empty() && !scope.names.emplace(output, TensorId{}).second) taken = output;
    try {
      if (!taken.empty()) throw OnnxRefusal{Code::duplicate_name, "the name " + in_quotes(taken) + " is taken"};
      if (const std::string* name = own_result(node))
        throw OnnxRefusal{Code::unknown_value, "it uses its own result " + in_quotes(*name)};
      work_.count_node();
      work_.count(cost);
      std::vector<TensorId> inputs;
      for (const std::string& name : node.inputs) inputs.push_back(name.empty() ? TensorId{} : operand(name, scope));
      const std::vector<TensorId> results = import_call(node, std::move(inputs), scope);
      for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.outputs[i].empty()) continue;
        if (i >= results.size() || !results[i].valid())
          throw OnnxRefusal{Code::wrong_output_count, "its result " + std::to_string(i) + " is not supported"};
        scope.names[node.outputs[i]] = results[i];
      }
      count(node, &OperatorUse::nodes);
    } catch (const FailedBefore&) {
      count(node, &OperatorUse::unknown);
    } catch (const OnnxRefusal& refusal) {
      if (OperatorUse* use = count(node, &OperatorUse::refused); use && use->problem.empty())
        use->problem = refusal.message;
      report(node, opset_of(node, scope), refusal);
    }
  }

  /// A node in the list of operators; null: it was counted before, in another turn of a loop.
  OperatorUse* count(const OnnxNode& node, std::size_t OperatorUse::*what) {
    if (!options_.operators || !counted_.insert(node.position).second) return nullptr;
    OperatorUse& use = uses_[(node.domain.empty() ? "" : node.domain + " ") + node.op_type];
    use.name = (node.domain.empty() ? "" : node.domain + " ") + node.op_type;
    if (what != &OperatorUse::nodes) ++use.nodes;
    ++(use.*what);
    return &use;
  }

  void report(const OnnxNode& node, std::int64_t opset, const OnnxRefusal& refusal) {
    const std::string name = node.name.empty() ? "" : " " + in_quotes(node.name);
    const std::string domain = node.domain.empty() ? "" : node.domain + " ";
    // A loop that was unrolled says it once.
    if (!reported_.insert(std::to_string(node.position) + refusal.message).second) return;
    error(refusal.code, sentence("node", name, " at byte ", node.position),
          sentence(node.op_type, " (", domain, "opset ", opset, "): ", refusal.message), refusal.hint);
  }

  std::vector<TensorId> import_call(const OnnxNode& node, std::vector<TensorId> inputs, ImportScope& scope) {
    const std::int64_t opset = opset_of(node, scope);
    const std::vector<const OnnxImportRow*> rows = import_rows_of(node.domain, node.op_type);
    for (const OnnxImportRow* row : rows)
      if (row->since <= opset && opset < row->before) {
        ImportCall call(builder_, node, opset, std::move(inputs),
                        [&](const OnnxGraph& graph, std::span<const TensorId> given, const Wanted& wanted) {
                          return import_subgraph(graph, given, wanted, scope);
                        });
        read_row(*row, call);
        return call.results();
      }
    if (rows.empty())
      if (const auto function = functions_.find({node.domain, node.op_type, node.overload});
          function != functions_.end())
        return import_function(*function->second, node, inputs);
    throw OnnxRefusal{Code::unknown_operator,
                      rows.empty() ? "this operator is not supported" : "this version of it is not supported"};
  }

  static void read_row(const OnnxImportRow& row, ImportCall& call) {
    if (row.read) return row.read(call);
    std::vector<std::pair<std::string_view, ImportCall::Word>> words;
    static constexpr std::string_view operand_names[] = {"a", "b", "c", "d", "e", "f"};
    for (std::size_t i = 0; i < call.input_count(); ++i) {
      if (i >= std::size(operand_names) || row.text.find("?" + std::string(operand_names[i])) == row.text.npos)
        call.refuse("it has " + counted(call.input_count(), "operand"));
      words.emplace_back(operand_names[i], call.input(i));
    }
    for (std::string_view rest = row.defaults; !rest.empty();) {
      const std::string_view item = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(rest.size(), item.size() + 1));
      const std::string_view name = item.substr(0, item.find('='));
      words.emplace_back(name, call.real(name, std::stod(std::string(item.substr(name.size() + 1)))));
    }
    call.finish(call.expression(row.text, words));
  }

  // ---- graphs in nodes, and functions

  class Nested {
   public:
    explicit Nested(unsigned& depth) : depth_(depth) {
      if (++depth_ > most_nested_scopes) {
        --depth_;
        throw OnnxRefusal{Code::nesting_too_deep,
                          "functions and graphs are nested more than " + std::to_string(most_nested_scopes) + " deep"};
      }
    }
    ~Nested() { --depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    unsigned& depth_;
  };

  static void add_operand(const std::string& name, std::size_t index, std::span<const TensorId> inputs,
                          ImportScope& scope) {
    if (index < inputs.size() && inputs[index].valid())
      scope.names[name] = inputs[index];
    else
      scope.absent.insert(name);
  }

  std::vector<TensorId> import_subgraph(const OnnxGraph& graph, std::span<const TensorId> inputs, const Wanted& wanted,
                                        const ImportScope& outer) {
    const Nested nested(depth_);
    work_.count_node();  // a turn of a loop without nodes counts too
    ImportScope scope;
    scope.outer = &outer;
    scope.opsets = outer.opsets;
    for (const OnnxTensor& tensor : graph.initializers) add_initializer(tensor, scope);
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) add_operand(graph.inputs[i].name, i, inputs, scope);
    const std::uint64_t cost = import_cost(graph.inputs) + import_cost(graph.outputs) + import_cost(graph.initializers);
    return import_body(graph.nodes, names_of(graph.outputs), wanted, cost, scope);
  }

  std::vector<TensorId> import_function(const OnnxFunction& function, const OnnxNode& call,
                                        std::span<const TensorId> inputs) {
    const Nested nested(depth_);
    ImportScope scope;
    scope.is_function = true;
    scope.opsets = function.opsets.empty() ? &model_.opsets : &function.opsets;
    for (const OnnxAttribute& attribute : function.defaults) scope.attributes[attribute.name] = &attribute;
    for (const OnnxAttribute& attribute : call.attributes) scope.attributes[attribute.name] = &attribute;
    for (std::size_t i = 0; i < function.inputs.size(); ++i) add_operand(function.inputs[i], i, inputs, scope);
    const std::uint64_t cost =
        import_cost(function.inputs) + import_cost(function.outputs) + import_cost(function.defaults);
    Wanted wanted(function.outputs.size());
    for (std::size_t i = 0; i < std::min(wanted.size(), call.outputs.size()); ++i) wanted[i] = !call.outputs[i].empty();
    return import_body(function.nodes, function.outputs, wanted, cost, scope);
  }

  /// The results that are not wanted are invalid.
  std::vector<TensorId> import_body(const std::vector<OnnxNode>& nodes, const std::vector<std::string>& results,
                                    const Wanted& wanted, std::uint64_t cost_around, ImportScope& scope) {
    import_nodes(nodes, results, wanted, cost_around, scope);
    std::vector<TensorId> values(results.size());
    for (std::size_t i = 0; i < results.size(); ++i)
      if (wanted[i]) values[i] = operand(results[i], scope);
    return values;
  }

  const OnnxModel& model_;
  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  ImportBuilder builder_;
  ImportWork work_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const OnnxFunction*> functions_;
  LiveNodes live_nodes_;
  unsigned depth_ = 0;
  NameSet reported_;
  std::map<std::string, OperatorUse> uses_;
  std::unordered_set<std::uint64_t> counted_;  // nodes by their positions
};

}  // namespace

std::optional<Graph> import_onnx(const OnnxModel& model, const LoadOptions& options, Diagnostics& diagnostics) {
  return OnnxImporter(model, options, diagnostics).run();
}

}  // namespace webnn::compiler
