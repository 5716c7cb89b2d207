// `webnn-cli inspect FILE`: shows the contents of a graph, program or tensor file. Weights are mapped, never read.
#include <algorithm>
#include <map>
#include <memory>

#include "cli/command.hpp"
#include "cli/drawing/markup.hpp"
#include "cli/drawing/page.hpp"
#include "cli/drawing/picture_of_graph.hpp"
#include "cli/inspect/graph_hash.hpp"
#include "cli/inspect/inspect_diff.hpp"
#include "cli/inspect/inspect_program.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/summary.hpp"
#include "cli/programs/compile_model.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"
#include "compiler/frontend/weights.hpp"
#include "schema/kernels/cost.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::Graph;
using compiler::Node;
using compiler::NodeId;
using compiler::Value;
using compiler::ValueId;

struct InspectOptions {
  std::string file;
  std::string format = "text", html, device, other;
  bool dot = false, nodes = false, compat = false, force = false, hash = false;
  std::size_t weights = 10;
  LimitOptions limits;
};

std::vector<OperandDescriptor> output_descriptors(const Graph& graph, const Node& node) {
  std::vector<OperandDescriptor> outputs;
  for (const ValueId id : node.outputs) outputs.push_back(graph.value(id).descriptor);
  return outputs;
}

Cost cost_of_node(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto operands = graph.operands(id);
  return cost_of(OperatorCall(node.op, operands, node.attributes), output_descriptors(graph, node));
}

/// A graph whose weights may be partly missing.
struct OpenedGraph {
  Graph graph;
  std::size_t missing = 0;  // constants whose bytes mean nothing
};

/// Everything that both output formats show.
struct GraphFacts {
  std::map<std::string_view, std::size_t> operators;
  std::vector<const Value*> constants;  // largest first
  std::uint64_t weight_bytes = 0;
  Cost cost;
};

GraphFacts facts_of(const Graph& graph) {
  GraphFacts facts;
  for (const NodeId id : graph.order()) {
    ++facts.operators[row(graph.node(id).op).name];
    facts.cost += cost_of_node(graph, id);
  }
  for (std::uint32_t i = 0; i < graph.value_count(); ++i)
    if (graph.is_constant(ValueId{i})) {
      facts.constants.push_back(&graph.value(ValueId{i}));
      facts.weight_bytes += facts.constants.back()->data.size();
    }
  std::ranges::stable_sort(facts.constants, std::greater{}, [](const Value* value) { return value->data.size(); });
  return facts;
}

std::string flops_text(std::uint64_t flops) {
  if (flops < 1000) return std::to_string(flops) + " FLOP";
  constexpr const char* units[] = {"kFLOP", "MFLOP", "GFLOP"};
  double value = double(flops) / 1000;
  std::size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit) value /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.3f %s", value, units[unit]);
  return text;
}

void print_nodes(std::ostream& out, const Graph& graph) {
  out << "nodes:\n";
  std::size_t index = 0;
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    out << "  " << index++ << "  " << row(node.op).name << "  " << escaped(node.label) << "  (";
    bool first = true;
    for (const ValueId input : node.inputs) {
      out << (first ? "" : ", ") << (input.valid() ? escaped(graph.value(input).name) : "-");
      first = false;
    }
    out << ") ->";
    for (const ValueId output : node.outputs) out << ' ' << graph.value(output).descriptor.text();
    out << "  " << flops_text(cost_of_node(graph, id).flops) << "\n";
  }
}

void print_graph_text(std::ostream& out, const OpenedGraph& opened, const InspectOptions& options) {
  const Graph& graph = opened.graph;
  const std::string& file = options.file;
  const GraphFacts facts = facts_of(graph);
  out << escaped(file) << ": graph " << in_quotes(graph.name) << (graph.quantized ? ", quantized" : "") << "\n";
  for (const ValueId id : graph.inputs())
    out << "input   " << escaped(graph.value(id).name) << ": " << graph.value(id).descriptor.text() << "\n";
  for (const compiler::NamedDimension& dimension : graph.named_dimensions())
    out << "        dimension " << dimension.axis << " of " << escaped(graph.value(dimension.input).name) << " is "
        << in_quotes(dimension.name) << ", at most " << graph.value(dimension.input).descriptor.shape[dimension.axis]
        << "\n";
  for (const compiler::GraphOutput& output : graph.outputs())
    out << "output  " << escaped(output.name) << ": " << graph.value(output.value).descriptor.text() << "\n";
  std::size_t nodes = 0;
  for (const auto& [name, count] : facts.operators) nodes += count;
  out << "nodes   " << nodes << ":";
  for (const auto& [name, count] : facts.operators) out << ' ' << name << " x" << count;
  out << "\ncost    " << flops_text(facts.cost.flops) << ", " << size_text(facts.cost.bytes)
      << " touched by operands and results\n";
  out << "hash    " << structure_hash(graph) << " without what constants hold\n";
  if (options.hash) out << "        " << whole_hash(graph) << " with it\n";
  out << "weights " << counted(facts.constants.size(), "constant") << ", " << size_text(facts.weight_bytes);
  if (opened.missing != 0) out << "; those of " << opened.missing << " are in a file that is not there";
  out << "\n";
  for (std::size_t i = 0; i < std::min(options.weights, facts.constants.size()); ++i)
    out << "  " << size_text(facts.constants[i]->data.size()) << "  " << escaped(facts.constants[i]->name) << "  "
        << facts.constants[i]->descriptor.text() << "\n";
  if (options.nodes) print_nodes(out, graph);
}

void print_graph_json(std::ostream& out, const OpenedGraph& opened, const InspectOptions& options) {
  const Graph& graph = opened.graph;
  const GraphFacts facts = facts_of(graph);
  Json json{{"schema", "webnn-cli/inspect/1"}, {"name", graph.name}};
  for (const char* list : {"inputs", "outputs"}) json[list] = Json::array();
  for (const ValueId id : graph.inputs())
    json["inputs"].push_back(descriptor_json(graph.value(id).name, graph.value(id).descriptor));
  for (const compiler::GraphOutput& output : graph.outputs())
    json["outputs"].push_back(descriptor_json(output.name, graph.value(output.value).descriptor));
  json["hash"] = structure_hash(graph);
  if (options.hash) json["wholeHash"] = whole_hash(graph);
  json["operators"] = facts.operators;
  json["flops"] = facts.cost.flops;
  json["bytesTouched"] = facts.cost.bytes;
  json["weightBytes"] = facts.weight_bytes;
  json["missingWeights"] = opened.missing;
  for (const char* list : {"weights", "nodes"}) json[list] = Json::array();
  for (const Value* constant : facts.constants)
    json["weights"].push_back(descriptor_json(constant->name, constant->descriptor));
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    Json entry{{"op", row(node.op).name}, {"label", node.label}, {"flops", cost_of_node(graph, id).flops}};
    for (const char* list : {"inputs", "outputs"}) entry[list] = Json::array();
    for (const ValueId input : node.inputs)
      entry["inputs"].push_back(input.valid() ? Json(graph.value(input).name) : Json());
    for (const ValueId output : node.outputs)
      entry["outputs"].push_back(descriptor_json(graph.value(output).name, graph.value(output).descriptor));
    json["nodes"].push_back(std::move(entry));
  }
  out << json.dump() << "\n";
}

/// A page with the picture, which can be dragged and zoomed with the mouse, and a search for operators.
std::string graph_page(const std::string& file, const Graph& graph) {
  const GraphFacts facts = facts_of(graph);
  std::size_t nodes = 0;
  for (const auto& [name, count] : facts.operators) nodes += count;
  const std::string body = "<h1>" + markup_text(graph.name.empty() ? file : graph.name) + "</h1>\n<p class=\"note\">" +
                           markup_text(counted(nodes, "operator") + ", " + flops_text(facts.cost.flops) + ", " +
                                       size_text(facts.weight_bytes) + " of weights") +
                           ". Drag to move, wheel to zoom. <input class=\"find\" type=\"search\" placeholder=\"find an "
                           "operator\"></p>\n<div class=\"viewport\">\n" +
                           svg_of(picture_of(graph)) + "</div>";
  return html_page(graph.name.empty() ? file : graph.name, body, viewport_script());
}

ExitCode inspect_tensor(const InspectOptions& options, Console& console) {
  const compiler::Tensor tensor = compiler::read_npy(options.file, options.limits.max_tensor_bytes);
  if (options.format == "json") {
    Json json = descriptor_json(options.file, tensor.descriptor);
    json["schema"] = "webnn-cli/inspect-tensor/1";
    console.out << json.dump() << "\n";
    return ExitCode::success;
  }
  console.out << escaped(options.file) << ": " << tensor.descriptor.text() << ", " << size_text(tensor.data.size())
              << "\n  [" << first_values(tensor, 8) << "]\n";
  return ExitCode::success;
}

struct NamedTensor {
  std::string_view name;
  const compiler::WeightsTensor* tensor;
};

void print_weights_json(std::ostream& out, const std::vector<NamedTensor>& tensors, std::uint64_t file_bytes) {
  Json json{{"schema", "webnn-cli/inspect-weights/1"}, {"bytes", file_bytes}, {"tensors", Json::array()}};
  for (const auto& [name, tensor] : tensors)
    json["tensors"].push_back({{"name", name},
                               {"type", tensor->type_name},
                               {"shape", *tensor->shape},
                               {"offset", tensor->offset},
                               {"bytes", tensor->length}});
  out << json.dump() << "\n";
}

/// All tensors of a safetensors file, in file order.
ExitCode inspect_weights(const InspectOptions& options, Console& console) {
  Diagnostics diagnostics;
  const auto source = compiler::open_weights(options.file, {options.file, 0, 0, {}}, diagnostics);
  report_diagnostics(console, diagnostics, {});
  if (!source || diagnostics.has_errors())
    throw Error(ExitCode::invalid_input, in_quotes(options.file) + " is not a valid safetensors file: " +
                                             counted(diagnostics.error_count(), "error"));
  std::vector<NamedTensor> tensors;
  std::uint64_t tensor_bytes = 0;
  for (const std::string_view name : source->keys()) {
    tensors.push_back({name, source->find(name).tensor});
    tensor_bytes += tensors.back().tensor->length;
  }
  std::ranges::sort(tensors, {}, [](const NamedTensor& t) { return std::pair(t.tensor->offset, t.name); });
  if (options.format == "json") {
    print_weights_json(console.out, tensors, source->size());
    return ExitCode::success;
  }
  console.out << escaped(options.file) << ": " << counted(tensors.size(), "tensor") << ", " << size_text(tensor_bytes)
              << "\n";
  for (const auto& [name, tensor] : tensors)
    console.out << "  " << size_text(tensor->length) << "  " << escaped(name) << "  " << escaped(tensor->type_name)
                << compiler::shape_text(*tensor->shape) << "\n";
  return ExitCode::success;
}

using Inspected = std::variant<OpenedGraph, Program>;

OpenedGraph open_graph(api::Model model) {
  OpenedGraph opened;
  opened.missing = model.read_without_weights();
  opened.graph = model.take_graph();
  return opened;
}

/// Throws Error (usage) for options that a program has no use for.
void refuse_graph_options(const std::string& program, const InspectOptions& options) {
  CompileOptions compile;
  compile.dimensions = options.limits.dimensions;
  refuse_compiler_options(program, compile, options.limits);
}

/// A graph or a program, recognised by content.
Inspected open_inspected(const std::string& name, const InspectOptions& options, Console& console) {
  api::Model model = open_model(name, options.limits, console);
  if (model.is_program()) {
    refuse_graph_options(model.name(), options);
    return open_program(model.source(), console);
  }
  return open_graph(std::move(model));
}

/// --diff
ExitCode compare_files(const InspectOptions& options, Console& console) {
  if (options.dot || !options.html.empty() || options.compat)
    throw Error(ExitCode::usage, "--diff compares, --dot, --html and --compat show one file", "ask for one of them");
  if (options.file == "-" && options.other == "-")
    throw Error(ExitCode::usage, "standard input cannot be both files", "name one of them");
  const Inspected first = open_inspected(options.file, options, console);
  const Inspected second = open_inspected(options.other, options, console);
  if (first.index() != second.index())
    throw Error(ExitCode::usage,
                "one of " + in_quotes(options.file) + " and " + in_quotes(options.other) +
                    " is a graph and the other a program",
                "`webnn-cli compile` makes a program of the graph; `compare` runs both");
  std::vector<Part> parts[2];
  bool with_content = true;
  if (const OpenedGraph* graph = std::get_if<OpenedGraph>(&first)) {
    const OpenedGraph& other = std::get<OpenedGraph>(second);
    with_content = graph->missing == 0 && other.missing == 0;
    if (!with_content)
      remark(console, Severity::note, "what constants hold is not compared, because a weights file is not there");
    parts[0] = parts_of(graph->graph, with_content);
    parts[1] = parts_of(other.graph, with_content);
  } else {
    parts[0] = parts_of(std::get<Program>(first));
    parts[1] = parts_of(std::get<Program>(second));
  }
  return print_differences(console, options.format == "json", options.file, options.other,
                           differences_of(parts[0], parts[1]), with_content);
}

ExitCode inspect(const InspectOptions& options, Console& console) {
  if (options.dot && !options.html.empty())
    throw Error(ExitCode::usage, "--dot and --html are two pictures of one graph", "ask for one of them");
  if (!options.device.empty() && !options.compat)
    throw Error(ExitCode::usage, "--device is for --compat",
                "leave it out, or ask with --compat whether a program runs");
  if (!is_standard_output(options.html)) check_free(options.html, options.force);
  if (!options.other.empty()) return compare_files(options, console);
  if (options.limits.format.empty() && options.file.ends_with(".npy")) return inspect_tensor(options, console);
  if (options.limits.format.empty() && options.file.ends_with(".safetensors")) return inspect_weights(options, console);
  api::Model model = open_model(options.file, options.limits, console);
  if (model.is_program()) {
    if (options.dot || !options.html.empty() || options.hash)
      throw Error(ExitCode::usage,
                  "--dot, --html and --hash are for graphs, and " + in_quotes(options.file) + " is a compiled program");
    refuse_graph_options(model.name(), options);
    return options.compat ? inspect_compatibility(model.source(), options.device, options.format == "json", console)
                          : inspect_program(model.source(), options.format == "json", console);
  }
  if (options.compat)
    throw Error(ExitCode::usage, "--compat is for programs, and " + in_quotes(options.file) + " is none",
                "`webnn-cli compile` writes programs");
  const OpenedGraph opened = open_graph(std::move(model));
  const Graph& graph = opened.graph;
  if (options.hash && opened.missing != 0)
    throw Error(ExitCode::io, "--hash needs the weights, and their file is not there", "name it with --weights-file");
  if (options.dot)
    print_dot(console.out, picture_of(graph));
  else if (!options.html.empty())
    write_output(console, options.html, graph_page(options.file, graph));
  else if (options.format == "json")
    print_graph_json(console.out, opened, options);
  else
    print_graph_text(console.out, opened, options);
  return ExitCode::success;
}

}  // namespace

Action declare_inspect(OptionList& list) {
  auto options = std::make_shared<InspectOptions>();
  list.add("file", options->file,
           "a graph or program file (- reads standard input), a .npy tensor or a .safetensors file")
      .required();
  list.flag("--nodes", options->nodes, "list every operator with its operands, results and cost");
  list.add("--weights", options->weights, "list the N largest constants")
      .between(std::size_t{0}, std::size_t{1} << 31)
      .shows_default();
  list.flag("--dot", options->dot, "print a Graphviz picture instead");
  list.add("--html", options->html,
           "write a page with a picture of the graph, which needs no network; -: standard output");
  list.flag("--force", options->force, "overwrite the page");
  list.flag("--compat", options->compat, "say whether a program runs on this machine, with exit code 0 or 8");
  list.exclude("--compat", "--dot");
  list.add("-d,--device", options->device,
           "for --compat: cpu, gpu, gpu:N or auto; else the device that the program is for");
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  list.add("--diff", options->other,
           "what differs between the file and this one, two graphs or two programs; exit code 1 when something "
           "does");
  list.flag("--hash", options->hash, "also print the graph's hash with what its constants hold, which are read");
  add_format_option(list, options->limits);
  add_dimension_option(list, options->limits.dimensions);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return inspect(*options, console); };
}

}  // namespace webnn::cli
