// The format of ONNX files.
#include <algorithm>
#include <memory>

#include "compiler/frontend/format.hpp"
#include "compiler/frontend/load.hpp"
#include "compiler/onnx/export/onnx_export.hpp"
#include "compiler/onnx/export/onnx_file.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "compiler/onnx/reader/onnx_model_reader.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

WrittenGraph write_onnx_files(const Graph& graph, const WriteOptions& options) {
  const auto model = std::make_shared<const OnnxModel>(export_onnx(graph));
  if (options.weights == WeightsPlace::in_graph)
    return {{{options.file, [model](const ByteSink& sink) { write_onnx(*model, {}, sink); }}}, {}};
  const std::filesystem::path data = options.file.string() + ".data";
  return {{{data, [model](const ByteSink& sink) { write_onnx_data(*model, sink); }},
           {options.file,
            [model, name = data.filename().string()](const ByteSink& sink) { write_onnx(*model, name, sink); }}},
          {}};
}

/// ModelProto begins with the version of the format, a varint field with number 1, in every file that is written by
/// tools in use. Text formats begin with other characters.
bool begins_as_onnx(std::string_view content) {
  return content.size() >= 3 && content[0] == '\x08' && content[1] > 0 && content[1] < 32;
}

std::optional<Graph> read_onnx_file(const Bytes& file, const LoadOptions& options, Diagnostics& diagnostics) {
  try {
    OnnxTensorReader tensors(options.base_directory, options.double_as_float32, options.max_filled_bytes);
    return import_onnx(read_onnx_model(file, tensors, {options.max_nodes, options.max_file_bytes}), options,
                       diagnostics);
  } catch (const WireDamage& damage) {
    diagnostics.error(damage.code, {options.file_name, 0, 0, sentence("byte ", damage.position)}, damage.message)
        .hints.push_back(!damage.hint.empty()                  ? damage.hint
                         : damage.code == Code::limit_exceeded ? "--max-nodes and --max-model-size raise the limits"
                                                               : "ONNX's own checker may tell more; export the model "
                                                                 "again");
    return std::nullopt;
  }
}

std::vector<std::filesystem::path> external_data_files(const Bytes& file, const LoadOptions& options) {
  OnnxTensorReader tensors;
  try {
    read_onnx_model(file, tensors, {options.max_nodes, options.max_file_bytes});
  } catch (const WireDamage&) {  // reported when it is read
  }
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path location : tensors.locations())  // those that may be opened
    if (location.is_relative() && std::ranges::find(location, "..") == location.end())
      files.push_back(options.base_directory / location);
  return files;
}

constexpr WeightsPlace onnx_weights[] = {WeightsPlace::in_graph, WeightsPlace::external};

}  // namespace

constinit const Format onnx_format{.name = "onnx",
                                   .suffix = ".onnx",
                                   .is_binary = true,
                                   .known_by = "ONNX models, which are protobuf",
                                   .begins = begins_as_onnx,
                                   .read = read_onnx_file,
                                   .holds_constants = true,
                                   .computes_shapes = true,
                                   .weights_files = external_data_files,
                                   .write = write_onnx_files,
                                   .weights = onnx_weights,
                                   .external_file = "OUTPUT.data"};

}  // namespace webnn::compiler
