// The C interface: loading graph and program files, and the inputs and outputs of a graph.
#include "api/c_interface/c_interface.hpp"
#include "api/load.hpp"
#include "api/runner/read_program.hpp"

using namespace webnn::c_interface;
using webnn::refuse;

namespace {

webnn::LoadOptions load_options(const webnn_load_options* options) {
  const webnn_load_options given = structure(options, "options");
  if (given.reserved != 0) refuse("options.reserved is not 0");
  webnn::LoadOptions words;
  for (const webnn_dimension& dimension : list(given.dimensions, given.dimension_count, "dimensions")) {
    const char* name = required_text(dimension.name, "a dimension's name");
    if (!words.dimensions.emplace(name, dimension.size).second)
      refuse("dimensions has two sizes for " + std::string(name));
  }
  if (given.weights_file) words.weightsFile = given.weights_file;
  if (given.base_directory) words.baseDirectory = given.base_directory;
  if (given.max_file_bytes != 0) words.maxFileBytes = given.max_file_bytes;
  if (given.max_tensor_bytes != 0) words.maxTensorBytes = given.max_tensor_bytes;
  if (given.max_nodes != 0) words.maxNodes = given.max_nodes;
  return words;
}

void give_descriptor(const std::vector<webnn::NamedDescriptor>& list, std::size_t index, webnn_descriptor* taker) {
  if (index >= list.size()) refuse("index is " + std::to_string(index) + " of " + std::to_string(list.size()));
  const webnn::NamedDescriptor& found = list[index];
  give_structure(descriptor_of(found.dataType, found.shape, found.name.c_str()), taker, "descriptor");
}

}  // namespace

webnn_status* webnn_graph_load(webnn_context* context, const char* file, const webnn_load_options* options,
                               webnn_graph** graph) {
  return guarded([&] {
    give_new(graph, "graph", [&] {
      const webnn::Context& owner = required(context, "context").value;
      const std::filesystem::path path = required_text(file, "file");
      const webnn::LoadOptions words = load_options(options);
      if (!webnn::api::map_program_file(path)) return webnn::loadGraph(owner, path, words);
      if (!words.dimensions.empty() || !words.weightsFile.empty())
        refuse("options has dimensions or weights_file, but the file is a program, which has its sizes and weights");
      return webnn::loadProgram(owner, path);
    });
  });
}

webnn_status* webnn_graph_load_text(webnn_context* context, const char* text, size_t bytes,
                                    const webnn_load_options* options, webnn_graph** graph) {
  return guarded([&] {
    const std::span<const char> characters = list(text, bytes, "text");
    give_new(graph, "graph", [&] {
      return webnn::loadGraphText(required(context, "context").value, {characters.data(), characters.size()},
                                  load_options(options));
    });
  });
}

void webnn_graph_release(webnn_graph* graph) { delete graph; }

size_t webnn_graph_input_count(const webnn_graph* graph) { return graph ? graph->value.inputs().size() : 0; }
size_t webnn_graph_output_count(const webnn_graph* graph) { return graph ? graph->value.outputs().size() : 0; }

webnn_status* webnn_graph_input(const webnn_graph* graph, size_t index, webnn_descriptor* descriptor) {
  return guarded([&] { give_descriptor(required(graph, "graph").value.inputs(), index, descriptor); });
}

webnn_status* webnn_graph_output(const webnn_graph* graph, size_t index, webnn_descriptor* descriptor) {
  return guarded([&] { give_descriptor(required(graph, "graph").value.outputs(), index, descriptor); });
}
