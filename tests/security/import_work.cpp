// What an ONNX model has computed while it is read: --max-work counts it, and without that option there is a limit, because
// a small file may have loops of loops of constants.
#include <doctest/doctest.h>

#include "api/oracle/evaluate.hpp"
#include "api/runner/source.hpp"
#include "compiler/onnx/import/import_onnx.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/onnx/onnx_bytes.hpp"
#include "tests/onnx/onnx_node.hpp"

namespace webnn::tests::import_work_test {
namespace {

using namespace webnn::compiler;
using compiler::LoadOptions;  // not those of the interface

/// The elements of a constant, all of them 1.
template <class T>
Bytes ones(std::size_t count) {
  const std::vector<T> values(count, T{1});
  const auto bytes = std::as_bytes(std::span(values));
  return Bytes(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

OnnxModel model_of(std::vector<OnnxTensor> constants, std::vector<OnnxNode> nodes) {
  OnnxModel model;
  model.opset = 17;
  model.opsets = {{"", 17}};
  model.initializers = std::move(constants);
  model.nodes = std::move(nodes);
  model.inputs = {{"x", OnnxType::float32, {1}, {""}}};
  model.outputs = {{"y", OnnxType::float32, {1}}};
  return model;
}

/// Convolutions of constants in a loop, each of 2 * 46^2 * 45^2 operations.
OnnxModel convolutions(std::int64_t turns) {
  auto body = std::make_shared<OnnxGraph>();
  body->inputs = {{"turn", OnnxType::int64, {}}, {"goes on", OnnxType::boolean, {}}, {"sum", OnnxType::float32, {}}};
  body->nodes = {onnx_node("Conv", {"image", "filter"}, {"c"}), onnx_node("ReduceMax", {"c"}, {"m"}),
                 onnx_node("Sum", {"sum", "m"}, {"s"}), onnx_node("Identity", {"goes on"}, {"on"})};
  body->nodes[1].attributes = {{"keepdims", std::int64_t{0}}};
  body->outputs = {{"on", OnnxType::boolean, {}}, {"s", OnnxType::float32, {}}};
  std::vector<std::int64_t> count{turns};
  const auto bytes = std::as_bytes(std::span(count));
  OnnxModel model =
      model_of({{"image", OnnxType::float32, {1, 1, 90, 90}, ones<float>(8100)},
                {"filter", OnnxType::float32, {1, 1, 45, 45}, ones<float>(2025)},
                {"count", OnnxType::int64, {}, Bytes(std::vector<std::byte>(bytes.begin(), bytes.end()))},
                {"first", OnnxType::float32, {}, ones<float>(1)},
                {"true", OnnxType::boolean, {}, ones<std::uint8_t>(1)}},
               {onnx_node("Loop", {"count", "true", "first"}, {"all"}), onnx_node("Add", {"x", "all"}, {"y"})});
  model.nodes[0].attributes = {{"body", std::shared_ptr<const OnnxGraph>(body)}};
  return model;
}

struct Imported {
  ExitCode code = ExitCode::success;
  std::string text;
  std::size_t computed = 0;  // calls
};

/// Imports the model with a function that computes nothing and counts the calls.
Imported import_counting(const OnnxModel& model, std::uint64_t max_work = 0) {
  Imported result;
  LoadOptions options;
  options.max_work = max_work;
  options.evaluate = [&](const KernelSpec&, std::span<const std::span<const std::byte>>,
                         std::span<const std::span<std::byte>> outputs) {
    ++result.computed;
    for (const std::span<std::byte> output : outputs) std::ranges::fill(output, std::byte{1});
    return true;
  };
  Diagnostics diagnostics;
  import_onnx(model, options, diagnostics);
  result.code = exit_code_of(diagnostics);
  result.text = render(diagnostics);
  return result;
}

}  // namespace

TEST_CASE("security: what the import of a model computes has a limit, whatever the file has loops for") {
  const Imported few = import_counting(convolutions(10));
  CAPTURE(few.text);
  CHECK(few.code == ExitCode::success);
  CHECK(few.computed >= 30);

  const Imported many = import_counting(convolutions(65536));
  CAPTURE(many.text);
  CHECK(many.code == ExitCode::resource);
  CHECK(contains(many.text, "too much computed while it is read"));
  CHECK(many.computed < 2000);

  OnnxModel large = convolutions(1000);
  CHECK(import_counting(large).code == ExitCode::resource);
  large.file_bytes = 1 << 28;  // a larger file may have more
  CHECK(import_counting(large).code == ExitCode::success);
}

TEST_CASE("security: the import counts what it computes before that, against the caller's limit") {
  const Imported refused = import_counting(convolutions(650), 1'000'000);
  CAPTURE(refused.text);
  CHECK(refused.code == ExitCode::resource);
  CHECK(contains(refused.text, "together the limit is 1000000"));
  CHECK(refused.computed == 0);
  CHECK(import_counting(convolutions(10), 100'000'000).code == ExitCode::success);
}

TEST_CASE("security: --max-work of a command reaches the import") {
  using namespace onnx_bytes;
  onnx_bytes::Model model;
  model.nodes = {onnx_bytes::node("Conv", {"image", "filter"}, "c"), onnx_bytes::node("Add", {"x", "c"}, "y")};
  model.initializers = {tensor("image", Type::float32, {1, 1, 90, 90}, std::string(4 * 8100, '\0')),
                        tensor("filter", Type::float32, {1, 1, 45, 45}, std::string(4 * 2025, '\0'))};
  model.inputs = {onnx_bytes::value("x", Type::float32, {1, 1, 1, 1})};
  model.outputs = {onnx_bytes::value("y", Type::float32, {1, 1, 46, 46})};
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "m.onnx").string();
  write_file(file, model.text());
  for (const char* const command : {"run", "compile", "profile", "bench"}) {
    CAPTURE(command);
    std::vector<std::string> arguments{command, file, "--max-work", "1M", "--no-cache"};
    if (command == std::string("compile")) arguments.insert(arguments.end(), {"-o", file + ".wnnc"});
    const CommandResult refused = webnn_cli(arguments);
    CAPTURE(refused.err);
    CHECK(refused.code == 7);
    CHECK(contains(refused.err, "what the model computes while it is read takes 8"));
  }
  const CommandResult runs = webnn_cli({"run", file, "--fill", "ones", "--max-work", "10M", "--no-cache"});
  CAPTURE(runs.err);
  CHECK(runs.code == 0);
}

}  // namespace webnn::tests::import_work_test
