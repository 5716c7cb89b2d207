// The format of ONNX files: written, not read.
#include <memory>

#include "compiler/frontend/format.hpp"
#include "compiler/onnx/onnx_export.hpp"
#include "compiler/onnx/onnx_file.hpp"

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

constexpr WeightsPlace onnx_weights[] = {WeightsPlace::in_graph, WeightsPlace::external};

}  // namespace

constinit const Format onnx_format{
    .name = "onnx", .suffix = ".onnx", .is_binary = true, .write = write_onnx_files, .weights = onnx_weights};

}  // namespace webnn::compiler
