// What values of options mean, and which are refused: numbers, sizes, files that two options name, names of tensors as names
// of files.
#include <doctest/doctest.h>
#include <filesystem>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::option_values_test {
namespace {

namespace fs = std::filesystem;

constexpr const char* sum = R"({"format": "webnn-graph-json", "version": 2,
  "inputs": {"a.1": {"dataType": "float32", "shape": [2]}, "std": {"dataType": "float32", "shape": [2]}}, "consts": {},
  "nodes": [{"id": "y", "op": "add", "inputs": ["a.1", "std"]}], "outputs": {"out/1": "y"}})";

struct Files {
  ScratchFolder folder;
  std::string graph = (folder.path() / "sum.json").string();
  Files() { write_file(graph, sum); }
  std::string at(const char* name) const { return (folder.path() / name).string(); }
};

}  // namespace

TEST_CASE("cli numbers: they are decimal, whole and within 64 bits, sizes too") {
  const Files files;
  const auto code = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"run", files.graph, "--fill", "ones", "--no-cache"});
    return webnn_cli(options).code;
  };
  const CommandResult runs = webnn_cli({"run", files.graph, "--fill", "ones", "--no-cache", "--repeat", "010"});
  CHECK(contains(runs.out + runs.err, "10 runs"));
  CHECK(code({"--threads", "09"}) == 0);
  for (const char* number : {"0x10", "-1", "1.5", "", "18446744073709551616"}) {
    CAPTURE(number);
    CHECK(code({"--repeat", number}) == 2);
  }
  CHECK(code({"--max-memory", "1GiB"}) == 0);
  CHECK(code({"--max-memory", "1 gb"}) == 0);
  CHECK(code({"--max-memory", "010"}) == 7);
  CHECK(code({"--max-memory", "0"}) == 0);
  for (const char* size : {"-1", "-5GB", "1XB", "GB", "18446744073709551616", "17179869184GiB", "16EiB"}) {
    CAPTURE(size);
    CHECK(code({"--max-memory", size}) == 2);
  }
}

TEST_CASE("cli outputs: two options cannot write the same file") {
  const Files files;
  const std::string program = files.at("sum.wnnc"), detour = files.at("./sum.wnnc");
  const CommandResult result = webnn_cli({"compile", files.graph, "-o", program, "--header", detour});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "--output and --header both write"));
  CHECK_FALSE(fs::exists(program));
  CHECK(webnn_cli({"compile", files.graph, "-o", program, "--header", files.at("sum.hpp")}).code == 0);
}

TEST_CASE("cli names: files of tensors have the tensors' names, with or without escapes") {
  const Files files;
  fs::create_directory(files.at("in"));
  const fs::path in = files.at("in");
  const auto save = [&](const char* name, const char* values) {
    CHECK(webnn_cli({"run", files.graph, "-i", std::string("a.1=") + values, "-i", "std=[0, 0]", "--no-cache",
                     "--outputs", files.at("out"), "--force"})
              .code == 0);
    fs::copy_file(fs::path(files.at("out")) / "out%2F1.npy", in / name);
  };
  save("a.1.npy", "[3, 4]");
  save("std.npy", "[1, 1]");
  const auto run = [&] { return webnn_cli({"run", files.graph, "--inputs", in.string(), "--no-cache"}); };
  CHECK(contains(run().out, "4, 5"));
  fs::rename(in / "a.1.npy", in / "a%2E1.npy");  // as earlier versions wrote it
  CHECK(contains(run().out, "4, 5"));
  fs::remove(in / "a%2E1.npy");
  CHECK(contains(run().err, "'a.1'"));
}

TEST_CASE("cli inputs: an error names the input") {
  const Files files;
  const CommandResult result = webnn_cli({"run", files.graph, "-i", "a.1=[1, 2]", "-i", "std=[1]", "--no-cache"});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "input 'std': the list has 1 elements"));
}

TEST_CASE("cli programs: limits on graphs are refused") {
  const Files files;
  const std::string program = files.at("sum.wnnc");
  REQUIRE(webnn_cli({"compile", files.graph, "-o", program}).code == 0);
  CHECK(webnn_cli({"run", program, "--fill", "ones"}).code == 0);
  for (const char* option : {"--max-tensor-bytes", "--max-model-size", "--max-nodes"}) {
    const CommandResult result = webnn_cli({"run", program, "--fill", "ones", option, "1"});
    CHECK(result.code == 2);
    CHECK(contains(result.err, std::string(option) + " is for graphs"));
  }
}

TEST_CASE("cli test: a device or kernels that are not there end the command, not each case") {
  const std::string cases = (source_dir() / "models/digits").string();
  CHECK(webnn_cli({"test", cases, "--device", "gpu:99"}).code == 5);
  CHECK(webnn_cli({"test", cases, "--isa", "nosuch"}).code == 2);
  CHECK(webnn_cli({"test", cases, "--kernels", "nosuch"}).code == 2);
  CHECK(webnn_cli({"test", cases, "--atol", "-1"}).code == 2);
}

TEST_CASE("cli standard input: two sides of a comparison cannot both be it") {
  const CommandResult result = webnn_cli({"compare", "-", "-", "--fill", "ones"});
  CHECK(result.code == 2);
  CHECK(contains(result.err, "standard input can be read once"));
}

TEST_CASE("cli batch: an input that is a link to nothing is reported") {
  const Files files;
  fs::create_directory(files.at("batch"));
  fs::create_symlink("/nowhere/2.npy", fs::path(files.at("batch")) / "2.npy");
  const CommandResult result = webnn_cli({"run", (source_dir() / "models/digits/digits.json").string(), "--batch",
                                          files.at("batch"), "--outputs", files.at("results"), "--no-cache"});
  CHECK(result.code == 1);
  CHECK(contains(result.out + result.err, "2.npy"));
}

}  // namespace webnn::tests::option_values_test
