// Tensors of ONNX files and safetensors that are copied, because of their type or address: copies count against
// --max-memory, and many tensors that are the same bytes of a file have a limit.
#include <doctest/doctest.h>

#include "compiler/formats/all_formats.hpp"
#include "compiler/frontend/load.hpp"
#include "schema/render_diagnostics.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/onnx/onnx_bytes.hpp"

namespace webnn::tests::copied_tensors_test {
namespace {

using namespace onnx_bytes;

constexpr std::uint64_t count = 1 << 18;

/// A model that adds `tensors` tensors to its input, all of them the same bytes of w.bin. `renamed`: which each calls by
/// another name.
std::string sums(std::size_t tensors, Type type, std::uint64_t width, std::uint64_t offset, bool renamed = false) {
  onnx_bytes::Model model;
  std::string last = "x";
  for (std::size_t i = 0; i < tensors; ++i) {
    const std::string number = std::to_string(i);
    const std::string term = "w" + number;
    std::string file = "w.bin";
    for (std::size_t dot = 0; renamed && dot < i; ++dot) file = "./" + file;
    model.initializers.push_back(external(term, type, {count}, file, offset, width * count));
    const bool is_condition = type == boolean;
    model.nodes.push_back(is_condition ? node("Where", {term, last, last}, "s" + number)
                                       : node("Add", {last, term}, "s" + number));
    last = "s" + number;
  }
  model.inputs = {value("x", float32, {count})};
  model.outputs = {value(last, float32, {count})};
  return model.text();
}

struct Files {
  explicit Files(const std::string& model, char filling = '\0') : file((scratch.path() / "m.onnx").string()) {
    write_file(file, model);
    write_file(scratch.path() / "w.bin", std::string(8 * count + 8, filling));
  }
  CommandResult compile(const char* limit) const {
    return webnn_cli({"compile", file, "-o", (scratch.path() / "m.wnnc").string(), "-O", "0", "--force", "--allow",
                      "double-as-float32", "--max-memory", limit});
  }

  ScratchFolder scratch;
  std::string file;
};

void check_limits(const std::string& model, const char* too_little, const char* enough, char filling = '\0') {
  const Files files(model, filling);
  const CommandResult refused = files.compile(too_little);
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "bytes of memory, the limit is"));
  const CommandResult compiled = files.compile(enough);
  CAPTURE(compiled.err);
  CHECK(compiled.code == 0);
}

std::string report_with(const Files& files, std::uint64_t most_bytes) {
  compiler::LoadOptions options;
  options.formats = compiler::all_formats();
  options.base_directory = files.scratch.path();
  options.max_filled_bytes = most_bytes;
  options.double_as_float32 = true;
  compiler::Diagnostics diagnostics;
  const auto graph = compiler::load_graph(files.file, options, diagnostics);
  CHECK(graph.has_value() == !diagnostics.has_errors());
  if (diagnostics.has_errors()) CHECK(exit_code_of(diagnostics) == schema::ExitCode::resource);
  return render(diagnostics);
}

}  // namespace

TEST_CASE("security: --max-memory counts tensors of ONNX files whose elements are converted") {
  check_limits(sums(20, bfloat16, 2, 0), "15M", "60M");  // of 1 MiB each
  check_limits(sums(20, float64, 8, 0), "15M", "60M");
  check_limits(sums(20, boolean, 1, 0), "3M", "60M", '\2');
}

TEST_CASE("security: --max-memory counts tensors of ONNX files that are not aligned for their type") {
  check_limits(sums(20, float32, 4, 1), "15M", "60M");
}

TEST_CASE("security: --max-memory counts tensors of ONNX files that are lists of numbers") {
  std::string numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers += varint(i % 100);
  onnx_bytes::Model model;
  model.initializers = {tensor_head("w", int64, {count}) + field(7, numbers)};
  model.nodes = {node("Add", {"x", "w"}, "y")};
  model.inputs = {value("x", int64, {count})};
  model.outputs = {value("y", int64, {count})};
  check_limits(model.text(), "1M", "20M");
}

TEST_CASE("security: one file does not become any number of copies") {
  // 2 MiB of a file may be copied four times, and `most_bytes` besides.
  for (const bool converted : {true, false}) {
    const Files files(converted ? sums(20, bfloat16, 2, 0) : sums(20, float32, 4, 1));
    const std::string report = report_with(files, 1 << 20);
    CAPTURE(report);
    CHECK(
        contains(report, converted ? "have to be converted take more than" : "not aligned for their types take more"));
    CHECK(report_with(files, 1 << 24) == "");
    const Files few(converted ? sums(8, bfloat16, 2, 0) : sums(8, float32, 4, 1));
    CHECK(report_with(few, 0) == "");
  }
  const Files renamed(sums(20, bfloat16, 2, 0, true));
  CHECK(contains(report_with(renamed, 1 << 20), "take more than"));
}

TEST_CASE("security: --max-memory counts tensors of safetensors that are not aligned for their type") {
  std::string header = R"({"w":{"dtype":"F32","shape":[262144],"data_offsets":[0,1048576]}})";
  header += std::string(5 - header.size() % 4, ' ');
  std::string weights;
  for (int i = 0; i < 8; ++i) weights += char(header.size() >> (8 * i) & 255);
  std::string constants, nodes, last = "x";
  for (int i = 0; i < 8; ++i) {
    const std::string name = "w" + std::to_string(i), sum = "s" + std::to_string(i), comma = i == 0 ? "" : ",";
    constants +=
        comma + '"' + name + R"(":{"dataType":"float32","shape":[262144],"init":{"kind":"weights","ref":"w"}})";
    nodes += comma + R"({"id":")" + sum + R"(","op":"add","inputs":[")" + last + R"(",")" + name + R"("]})";
    last = sum;
  }
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "m.json").string();
  write_file(
      file, R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"float32","shape":[1]}},"consts":{)" +
                constants + R"(},"nodes":[)" + nodes + R"(],"outputs":{"y":"s7"}})");
  write_file(scratch.path() / "m.safetensors", weights + header + std::string(1 << 20, '\0'));
  const auto compile = [&](const char* limit) {
    return webnn_cli(
        {"compile", file, "-o", (scratch.path() / "m.wnnc").string(), "-O", "0", "--force", "--max-memory", limit});
  };
  const CommandResult refused = compile("3M");
  CAPTURE(refused.err);
  CHECK(refused.code == 7);
  CHECK(contains(refused.err, "bytes of memory, the limit is"));
  const CommandResult compiled = compile("60M");
  CAPTURE(compiled.err);
  CHECK(compiled.code == 0);
}

}  // namespace webnn::tests::copied_tensors_test
