// `--device gpu` on the command line, with a GPU and without.
#include "tests/cli/command_line.hpp"

#include <doctest/doctest.h>

#include "schema/error.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::command_line_test {
namespace {

namespace fs = std::filesystem;

std::string digits(const std::string& options) {
  const fs::path folder = source_dir() / "models" / "digits";
  return " run " + shell_word(folder / "digits.json") + " --input image=@" +
         shell_word(folder / "digits.input.image.npy") + " " + options;
}

ShellResult without_drivers(const std::string& arguments) {
  return run_shell("VK_ICD_FILENAMES=/nowhere.json VK_DRIVER_FILES=/nowhere.json " + program_words("webnn-cli") + " " +
                   arguments);
}

TEST_CASE("vulkan command line: without a driver everything but the GPU works, and that is said") {
  const ShellResult listed = without_drivers("devices");
  CHECK(listed.status == 0);
  CHECK(contains(listed.output, "no gpu   "));
  const ShellResult run = without_drivers(digits("--device gpu"));
  CHECK(run.status == int(ExitCode::device));
  CHECK(contains(run.output, "use the device `cpu`"));
  CHECK(without_drivers(digits("--device cpu")).status == 0);
}

TEST_CASE("vulkan command line: a program for the GPU runs there and nowhere else") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models" / "digits" / "digits.json").string();
  const std::string input = "image=@" + (source_dir() / "models" / "digits" / "digits.input.image.npy").string();
  const std::string program = (scratch.path() / "digits.wnnc").string();
  CHECK(webnn_cli({"compile", model, "--device", "gpu", "-o", program}).code == 0);
  const CommandResult run = webnn_cli({"run", program, "--device", "gpu", "--input", input, "--top", "1"});
  CHECK(run.code == 0);
  CHECK(run.out == webnn_cli({"run", model, "--input", input, "--top", "1"}).out);
  const CommandResult elsewhere = webnn_cli({"run", program, "--device", "cpu", "--input", input});
  CHECK(elsewhere.code == int(ExitCode::program));
  CHECK(contains(elsewhere.err, "the program is for device 'vulkan', this one is 'cpu'"));
}

TEST_CASE(
    "vulkan command line: a program for the GPU on a machine without one is compiled again when that is allowed") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  const fs::path folder = source_dir() / "models" / "digits", program = scratch.path() / "digits.wnnc";
  REQUIRE(webnn_cli({"compile", (folder / "digits.json").string(), "--device", "gpu", "--embed-graph", "-o",
                     program.string()})
              .code == 0);
  const std::string command =
      "run " + shell_word(program) + " --top 1 --input image=@" + shell_word(folder / "digits.input.image.npy");
  const ShellResult refused = without_drivers(command);
  CHECK(refused.status == int(ExitCode::program));
  CHECK(contains(refused.output, "the program is for device 'vulkan', this one is 'cpu'"));
  CHECK(contains(refused.output, "--recompile-if-needed"));
  const ShellResult again = without_drivers(command + " --recompile-if-needed 2>/dev/null");
  CHECK(again.status == 0);
  CHECK(again.output == without_drivers(digits("--top 1")).output);
  CHECK(without_drivers(command + " --device gpu --recompile-if-needed").status == int(ExitCode::device));
}

TEST_CASE("vulkan command line: real models give their expected outputs") {
  WEBNN_REQUIRE_CORPUS(corpus);
  if (!open_test_gpu()) return;
  const CommandResult result =
      webnn_cli({"test", (corpus / "models").string(), "--device", "gpu", "--gpu-validation", "--atol", "1e-3"});
  CHECK_MESSAGE(result.code == 0, result.out);
}

}  // namespace
}  // namespace webnn::tests::command_line_test
