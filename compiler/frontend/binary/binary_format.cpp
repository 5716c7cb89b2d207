// The formats of binary graphs and of programs; programs are recognised but are not graphs.
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/binary/binary_writer.hpp"
#include "compiler/frontend/format.hpp"
#include "compiler/frontend/load.hpp"
#include "schema/file/container.hpp"

namespace webnn::compiler {
namespace {

bool begins_as_binary_graph(std::string_view content) { return is_container(content, graph_container); }
bool begins_as_program(std::string_view content) { return is_container(content, program_container); }

/// Everything except the constants; it contains their checksums.
Bytes graph_metadata(const Bytes& file) {
  Diagnostics ignored;
  const auto container = open_container(file.view(), graph_container, {}, ignored);
  return container ? container->metadata : file;
}

WrittenGraph write_binary_file(const Graph& graph, const WriteOptions& options) {
  return {{{options.file,
            [&graph](const ByteSink& sink) {
              write_binary_graph(graph, [&](std::span<const std::byte> piece) { sink(text_of(piece)); });
            }}},
          {}};
}

std::optional<Graph> report_program(const Bytes&, const LoadOptions& options, Diagnostics& diagnostics) {
  diagnostics
      .error(Code::program_as_graph, {options.file_name, 0, 0, {}}, "this is a program, which is compiled already")
      .hints.emplace_back("`run` executes it, `inspect` shows what it holds, loadProgram loads it");
  return std::nullopt;
}

constexpr WeightsPlace binary_weights[] = {WeightsPlace::in_graph};

}  // namespace

constinit const Format binary_format{.name = "binary",
                                     .suffix = ".wnnb",
                                     .is_binary = true,
                                     .known_by = "binary (.wnnb)",
                                     .begins = begins_as_binary_graph,
                                     .read = read_binary_graph,
                                     .holds_constants = true,
                                     .telling_part = graph_metadata,
                                     .write = write_binary_file,
                                     .weights = binary_weights};

constinit const Format program_format{.name = "program",
                                      .suffix = ".wnnc",
                                      .holds = Holds::program,
                                      .is_binary = true,
                                      .begins = begins_as_program,
                                      .read = report_program,
                                      .holds_constants = true};

}  // namespace webnn::compiler
