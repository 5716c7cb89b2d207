#include "tests/harness/through_onnx.hpp"

#include <stdexcept>
#include <string>

#include "api/oracle/evaluate.hpp"
#include "compiler/onnx/export/onnx_export.hpp"
#include "compiler/onnx/export/onnx_file.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "compiler/onnx/reader/onnx_model_reader.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::tests {

compiler::Graph through_onnx(const compiler::Graph& graph) {
  std::string file;
  compiler::write_onnx(compiler::export_onnx(graph), {}, [&](std::string_view piece) { file += piece; });
  const auto bytes = std::as_bytes(std::span(file));
  compiler::OnnxTensorReader tensors({}, false);
  compiler::LoadOptions options;
  options.evaluate = api::reference_evaluate();
  schema::Diagnostics diagnostics;
  const schema::Bytes content{std::vector<std::byte>(bytes.begin(), bytes.end())};
  auto read = compiler::import_onnx(compiler::read_onnx_model(content, tensors), options, diagnostics);
  if (!read) throw std::runtime_error(render(diagnostics));
  return std::move(*read);
}

}  // namespace webnn::tests
