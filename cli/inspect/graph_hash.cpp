#include "cli/inspect/graph_hash.hpp"

#include "compiler/frontend/json/json_writer.hpp"
#include "schema/file/checksum.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

/// Its canonical text, in which constants are names.
std::string structure_text(const compiler::Graph& graph) {
  return compiler::write_json_graph(graph, compiler::WeightsStyle::by_reference);
}

}  // namespace

std::string structure_hash(const compiler::Graph& graph) { return checksum_text(checksum_of(structure_text(graph))); }

std::string whole_hash(const compiler::Graph& graph) {
  std::string text = structure_text(graph);
  for (const compiler::ValueId id : compiler::constants_of(graph))
    text += checksum_text(checksum_of(graph.value(id).data.view())) + "\n";
  return checksum_text(checksum_of(text));
}

}  // namespace webnn::cli
