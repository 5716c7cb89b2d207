#include "api/runner/model.hpp"

#include <algorithm>
#include <utility>

#include "api/oracle/evaluate.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

Model::Model(Source source, compiler::LoadOptions options, Report report)
    : source_(std::move(source)), options_(std::move(options)), report_(std::move(report)) {}

Model::Model(compiler::Graph graph, std::string name) : graph_(std::move(graph)) { source_.name = std::move(name); }

bool Model::read(Diagnostics& diagnostics, std::size_t* missing) {
  compiler::LoadOptions loading = load_options(source_, options_);
  loading.without_weights = missing;
  loading.evaluate = reference_evaluate();
  if (source_.format && !source_.format->computes_shapes &&
      (!loading.constant_inputs.empty() || loading.double_as_float32))
    throw Error(ExitCode::usage, in_quotes(source_.name) + " has neither inputs that decide shapes nor other types",
                "--constant-input and --allow are for ONNX models");
  graph_ = compiler::read_graph(source_.content, loading, diagnostics);
  if (!graph_ || computes_shapes()) return graph_.has_value();
  auto sizes = options_.dimensions;
  if (options_.shares_dimensions)
    std::erase_if(sizes, [&](const auto& size) {
      return std::ranges::find(graph_->named_dimensions(), size.first, &compiler::NamedDimension::name) ==
             graph_->named_dimensions().end();
    });
  if (!sizes.empty()) bind_dimensions(*graph_, sizes);
  return graph_.has_value();
}

bool Model::read(Diagnostics& diagnostics) { return read(diagnostics, nullptr); }

void Model::read_or_throw(std::size_t* missing) {
  if (source_.holds(compiler::Holds::weights_manifest))
    throw Error(ExitCode::invalid_input, in_quotes(source_.name) + " is a weights manifest, not a graph",
                "name the graph file beside it");
  Diagnostics diagnostics;
  const bool is_correct = read(diagnostics, missing);
  if (report_) report_(diagnostics, lines_of(source_));
  if (is_correct) return;
  const std::string read_as = options_.format ? " when it is read as " + in_quotes(options_.format->name) : "";
  const ExitCode code = exit_code_of(diagnostics);
  const std::string problem =
      code == ExitCode::usage ? " cannot be read with these sizes of its dimensions" : " is not a valid graph";
  throw Error(code, in_quotes(source_.name) + problem + read_as + ": " + counted(diagnostics.error_count(), "error"));
}

const compiler::Graph& Model::graph() {
  if (!graph_) read_or_throw(nullptr);
  return *graph_;
}

compiler::Graph Model::take_graph() {
  graph();
  return *std::exchange(graph_, std::nullopt);
}

compiler::Graph Model::take_graph_with(std::span<const std::pair<std::string, std::uint32_t>> sizes) {
  if (computes_shapes()) {
    if (!std::ranges::equal(options_.dimensions, sizes)) graph_.reset();
    options_.dimensions.assign(sizes.begin(), sizes.end());
    return take_graph();
  }
  compiler::Graph graph = take_graph();
  bind_dimensions(graph, sizes);
  return graph;
}

void bind_dimensions(compiler::Graph& graph, std::span<const std::pair<std::string, std::uint32_t>> sizes) {
  const auto errors = graph.bind_dimensions(sizes);
  if (errors.empty()) return;
  const compiler::Graph::BindError& error = errors.front();
  if (!error.node.valid()) throw Error(ExitCode::usage, error.message, error.hint);
  throw Error(ExitCode::invalid_input, in_quotes(graph.node(error.node).label) + ": " + error.message,
              "with these sizes of the named dimensions this is not a correct call");
}

std::size_t Model::read_without_weights() {
  std::size_t missing = 0;
  read_or_throw(&missing);
  return missing;
}

}  // namespace webnn::api
