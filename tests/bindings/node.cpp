// The npm package in Node.js: each file of tests/bindings/node runs in a process of its own. So do the Web Platform Tests
// (tests/bindings/wpt) and programs of others (tests/bindings/clients), where scripts/web-platform-tests.sh and
// scripts/npm-clients.sh have fetched them.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <string>

#include "compiler/onnx/export/onnx_export.hpp"
#include "compiler/onnx/export/onnx_file.hpp"
#include "models/generate/architectures.hpp"
#include "schema/error.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/machine/bindings.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::node_test {
namespace {

namespace fs = std::filesystem;

/// `arguments` are words of a shell, `options` those of Node.js.
void run_script(const std::string& name, const std::string& arguments = "", const std::string& options = "") {
  if (const char* reason = obstacle_of_node()) return skip(reason);
  const ShellResult result =
      run_shell("WEBNN_ADDON=" + shell_word(build_dir() / "node/webnn.node") + " node " + options + " " +
                shell_word(source_dir() / "tests/bindings" / name) + " " + arguments);
  CAPTURE(result.output);
  CHECK(result.status == 0);
  CHECK(result.output.find(" passed, 0 failed") != std::string::npos);
}

/// The folder of what a script has fetched, as a word of a shell; empty when it was not called before.
std::string fetched_by(const char* script) {
  // Tests have no cache of the user's, but the folder lies there.
  ShellResult folder =
      run_shell("env -u XDG_CACHE_HOME " + shell_word(source_dir() / "scripts" / script) + " --if-there");
  if (folder.status != 0) return {};
  folder.output.erase(folder.output.find_last_not_of('\n') + 1);
  return shell_word(folder.output);
}
std::string clients() { return fetched_by("npm-clients.sh"); }

void run_web_platform_tests(const std::string& device) {
  const std::string folder = fetched_by("web-platform-tests.sh");
  if (folder.empty()) return skip("the Web Platform Tests were not fetched");
  run_script("wpt/run.mjs", folder + " --device " + device);
}

/// A program of tests/bindings/clients. WebAssembly is compiled quickly rather than well: Node.js 20 would take a minute to
/// optimise some functions of ONNX Runtime.
void run_client(const std::string& name, const std::string& arguments, const std::string& options = "--liftoff-only") {
  const std::string folder = clients();
  if (folder.empty()) return skip("the clients from npm are not installed");
  run_script("clients/" + name, folder + " " + arguments, options);
}

bool has_node_from(int version) {
  return run_shell("node -e 'process.exit(parseInt(process.versions.node) < " + std::to_string(version) + " ? 1 : 0)'")
             .status == 0;
}

/// Writes a generated model as a graph file.
void generate(std::string_view name, const std::filesystem::path& folder) {
  const auto architecture = std::ranges::find(models::architectures(), name, &models::Architecture::name);
  REQUIRE(architecture != models::architectures().end());
  models::GraphWriter writer(folder, std::string(name));
  architecture->write(writer);
  writer.finish();
}

}  // namespace

TEST_CASE("node: contexts, tensors, graphs and their errors") { run_script("node/api.mjs"); }
TEST_CASE("node: the interfaces where browsers have them") { run_script("node/global.mjs"); }
TEST_CASE("node: the types in TypeScript are those of the operator table") { run_script("node/types.mjs", clients()); }
TEST_CASE("node: the examples") { run_script("node/examples.mjs", clients()); }
TEST_CASE("node: graphs from files") { run_script("node/tools.mjs", shell_word(build_dir() / "bin/webnn-cli")); }
TEST_CASE("node: no value given to the addon crashes it") { run_script("node/hostile.mjs"); }
TEST_CASE("node: results that are exact to the bit") { run_script("node/exact.mjs"); }
TEST_CASE("node: results that are exact to the bit, on a GPU") {
  if (!open_test_gpu()) return;
  run_script("node/exact.mjs", "--device gpu");
}
TEST_CASE("node: random calls of every method give results or exceptions") { run_script("node/fuzz.mjs"); }
TEST_CASE("node: dropped graphs leave no memory behind") { run_script("node/leaks.mjs"); }
TEST_CASE("node: processes and workers end while work is on its way") { run_script("node/exit.mjs"); }

TEST_CASE("node: the Web Platform Tests, unchanged, on the CPU") { run_web_platform_tests("cpu"); }
TEST_CASE("node: the Web Platform Tests, unchanged, on a GPU") {
  if (!open_test_gpu()) return;
  run_web_platform_tests("gpu");
}

TEST_CASE("node: ONNX Runtime Web, unchanged, computes with WebNN alone what it computes in WebAssembly") {
  const ScratchFolder folder;
  std::string files;
  for (const std::string name : {"squeezenet1.1", "mobilenet_v2", "bert_small"}) {
    generate(name, folder.path());
    const std::string graph = shell_word(folder.path() / (name + ".json"));
    const std::string file = shell_word(folder.path() / (name + ".onnx"));
    const ShellResult converted =
        run_shell(program_words(build_dir() / "bin/webnn-cli") + " convert " + graph + " -o " + file);
    CAPTURE(converted.output);
    REQUIRE(converted.status == 0);
    files += " " + file;
  }
  run_client("onnxruntime.mjs", files);
}
TEST_CASE("node: ONNX Runtime, unchanged, loads the ONNX files of every operator's cases") {
  const ScratchFolder folder;
  for (const fs::path& file : vector_files(source_dir() / "tests" / "operators"))
    for (std::size_t number = 0;
         const auto& vector : compiler::read_conformance_vectors(read_file(file), file.string())) {
      try {
        const std::string name = file.stem().string() + "." + std::to_string(number++) + ".onnx";
        const compiler::OnnxModel model = compiler::export_onnx(vector.graph);
        std::ofstream written(folder.path() / name, std::ios::binary);
        compiler::write_onnx(model, {}, [&](std::string_view piece) { written << piece; });
      } catch (const schema::Error& error) {
        CHECK(error.code() == schema::ExitCode::unsupported);  // it has no form in ONNX
      }
    }
  run_client("onnx_exports.mjs", shell_word(folder.path()), "");
}
TEST_CASE("node: Transformers.js, unchanged, extracts features and classifies an image") {
  if (has_node() && !has_node_from(20)) return skip("Transformers.js needs Node.js 20 or newer");
  const ScratchFolder folder;
  generate("tiny_bert", folder.path());
  generate("mobilenet_v2", folder.path());
  run_client("transformers.mjs", shell_word(folder.path()) + " " + shell_word(build_dir() / "bin/webnn-cli"));
}
TEST_CASE("node: LiteRT.js, unchanged, computes with WebNN alone what it computes on the CPU") {
  if (has_node() && !has_node_from(24)) return skip("LiteRT.js needs Node.js 24 or newer");
  run_client("litert.mjs", "", "--experimental-wasm-jspi");
}

}  // namespace webnn::tests::node_test
