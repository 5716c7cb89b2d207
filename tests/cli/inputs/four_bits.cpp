// Tensors of 4 bits an element, which .npy files have as 8 bits: every reader takes back what the program wrote.
#include <doctest/doctest.h>
#include <filesystem>
#include <span>

#include "compiler/frontend/npy.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::four_bits_test {
namespace {

namespace fs = std::filesystem;

/// y = x for three numbers of a type.
std::string identity_graph(const ScratchFolder& scratch, const std::string& type) {
  const fs::path file = scratch.path() / "case.json";
  write_file(file, R"({"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": ")" + type +
                       R"(", "shape": [3]}}, "nodes": [{"id": "y", "op": "identity", "inputs": ["x"]}],
    "outputs": {"y": "y"}})");
  return file.string();
}

void write_bytes(const fs::path& file, schema::DataType type, std::array<std::uint8_t, 3> numbers) {
  write_file(file, compiler::npy_bytes({type, schema::Shape{3}}, std::as_bytes(std::span(numbers))));
}

void check_type(const std::string& type, const std::string& list) {
  CAPTURE(type);
  const ScratchFolder scratch;
  const std::string graph = identity_graph(scratch, type), saved = (scratch.path() / "saved").string(),
                    printed = "[" + list + "]";
  REQUIRE(webnn_cli({"compare", graph, "--input", "x=" + printed, "--save-run", saved}).code == 0);
  const CommandResult same = webnn_cli({"compare", graph, "--ref", saved});
  CAPTURE(same.err);
  CHECK(same.code == 0);
  CHECK(contains(same.out, "1 of 1 output agrees"));
  CHECK(webnn_cli({"compare", saved, graph}).code == 0);
  CHECK(webnn_cli({"compare", graph, "--ref", saved, "--input", "x=[0, 0, 0]"}).code == 1);

  CHECK(contains(webnn_cli({"run", graph, "--input", "x=@" + saved + "/y.npy"}).out, printed));
  CHECK(contains(webnn_cli({"run", graph, "--inputs", saved + "/inputs"}).out, printed));

  fs::copy_file(saved + "/inputs/x.npy", scratch.path() / "case.input.x.npy");
  fs::copy_file(saved + "/y.npy", scratch.path() / "case.expected.y.npy");
  const CommandResult tested = webnn_cli({"test", graph});
  CAPTURE(tested.out);
  CHECK(contains(tested.out, "1 passed, 0 failed"));
}

}  // namespace

TEST_CASE("cli 4 bits: what is saved is taken back") {
  check_type("int4", "-8, 7, -1");
  check_type("uint4", "0, 15, 8");
}

TEST_CASE("cli 4 bits: an element that they cannot hold is named") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "x.npy").string();
  const auto run = [&](const std::string& type) {
    return webnn_cli({"run", identity_graph(scratch, type), "--input", "x=@" + file});
  };
  write_bytes(file, schema::DataType::int8, {1, 8, 0});
  CHECK(run("int4").code == 3);
  CHECK(contains(run("int4").err, "x.npy': element 1 is 8, which int4[3] cannot hold"));
  CHECK(run("uint4").code == 2);  // of the other sign
  write_bytes(file, schema::DataType::uint8, {1, 2, 16});
  CHECK(contains(run("uint4").err, "element 2 is 16"));

  fs::copy_file(file, scratch.path() / "case.input.x.npy");
  write_bytes(scratch.path() / "case.expected.y.npy", schema::DataType::uint8, {1, 2, 3});
  const CommandResult tested = webnn_cli({"test", identity_graph(scratch, "uint4")});
  CHECK(tested.code == 1);
  CHECK(contains(tested.out, "input 'x': element 2 is 16"));
}

}  // namespace webnn::tests::four_bits_test
