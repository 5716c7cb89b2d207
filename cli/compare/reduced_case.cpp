#include "cli/compare/reduced_case.hpp"

#include "cli/output/output_files.hpp"
#include "compiler/frontend/json/json_writer.hpp"

namespace webnn::cli {

namespace fs = std::filesystem;

void write_reduced_case(const Divergence& divergence, const fs::path& file) {
  const compiler::Graph& graph = divergence.part.graph;
  const auto write = [&](const std::string& kind, const std::string& name, compiler::ValueId value,
                         const TensorBytes& bytes) {
    const fs::path tensor =
        file.parent_path() / (file.stem().string() + "." + kind + "." + file_name_of(name) + ".npy");
    write_whole_file(tensor, compiler::npy_bytes(graph.value(value).descriptor, bytes));
  };
  for (std::size_t i = 0; i < divergence.inputs.size(); ++i)
    write("input", graph.value(graph.inputs()[i]).name, graph.inputs()[i], divergence.inputs[i]);
  for (std::size_t i = 0; i < divergence.expected.size(); ++i)
    write("expected", graph.outputs()[i].name, graph.outputs()[i].value, divergence.expected[i]);
  write_whole_file(file, compiler::write_json_graph(graph, compiler::WeightsStyle::inline_bytes));
}

}  // namespace webnn::cli
