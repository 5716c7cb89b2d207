// The format of .webnn text files.
#include "compiler/frontend/format.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/frontend/text/text_reader.hpp"
#include "compiler/frontend/text/text_writer.hpp"

namespace webnn::compiler {
namespace {

bool begins_as_text_form(std::string_view content) { return text_start(content).starts_with("webnn_graph"); }

std::optional<Graph> read_text_file(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  return read_text_graph(text_of(file), options, diagnostics);
}

WrittenGraph write_text_files(const Graph& graph, const WriteOptions& options) {
  WrittenGraph written{weights_beside(graph, options), {}};
  TextGraph form = write_text_graph(graph, options.keys, options.rename, options.filled);
  written.renamed = std::move(form.renamed);
  written.files.push_back(whole_file(options.file, std::move(form.text)));
  return written;
}

}  // namespace

constinit const Format text_format{.name = "text",
                                   .suffix = ".webnn",
                                   .known_by = ".webnn text, which begins with 'webnn_graph'",
                                   .begins = begins_as_text_form,
                                   .read = read_text_file,
                                   .tree = parse_text_graph,
                                   .takes_weights_file = true,
                                   .weights_files = weights_found_by_name,
                                   .write = write_text_files,
                                   .weights = places_beside,
                                   .keeps_source = true,
                                   .renames = true};

}  // namespace webnn::compiler
