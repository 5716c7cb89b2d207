// Inputs from pipes and devices: no more is read than the input can hold, however much there is.
#include <doctest/doctest.h>

#include "compiler/frontend/npy.hpp"
#include "schema/error.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::endless_input_test {

TEST_CASE("security: a device without end is refused as an input after its beginning") {
  if (under_sanitizer) return skip("a sanitizer needs address space of its own");
  const std::string digits = (source_dir() / "models/digits/digits.json").string();
  // Enough address space for the tool, but not for what used to be read first.
  const auto run = [&](const std::string& spec) {
    return run_shell("ulimit -v 1500000; " + program_words("webnn-cli") + " run " + shell_word(digits) + " --input " +
                     shell_word("image=" + spec));
  };
  const ShellResult npy = run("@/dev/zero");
  CAPTURE(npy.output);
  CHECK(npy.status == 3);
  CHECK(contains(npy.output, "not a .npy file"));
  const ShellResult raw = run("1x1x20x20:float32=@/dev/zero");
  CAPTURE(raw.output);
  CHECK(raw.status == 2);
  CHECK(contains(raw.output, "1601 bytes or more"));
}

TEST_CASE("security: a device without end is refused as a graph after its beginning") {
  if (under_sanitizer) return skip("a sanitizer needs address space of its own");
  const auto run = [](const std::string& words) {
    return run_shell("ulimit -v 600000; " + program_words("webnn-cli") + " " + words);
  };
  for (const char* words : {"run /dev/zero", "validate /dev/zero", "compile - -o /dev/null --force </dev/zero"}) {
    const ShellResult result = run(words);
    CAPTURE(words);
    CAPTURE(result.output);
    CHECK(result.status == 3);
    CHECK(contains(result.output, "no graph file"));
  }
}

TEST_CASE("security: an array comes through a pipe all the same") {
  const ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "a.npy";
  const schema::OperandDescriptor descriptor{schema::DataType::float32,
                                             schema::Shape(std::vector<std::uint32_t>{3, 50000})};
  const std::vector<std::byte> data(schema::byte_length(descriptor), std::byte{7});
  write_file(file, compiler::npy_bytes(descriptor, data));
  const std::string pipe = (scratch.path() / "pipe").string();
  const ShellResult result =
      run_shell("mkfifo " + pipe + "; (cat " + shell_word(file) + " > " + pipe + ") & " + program_words("webnn-cli") +
                " run " + shell_word(source_dir() / "models/digits/digits.json") + " --input image=@" + pipe);
  CAPTURE(result.output);
  CHECK(contains(result.output, "is float32[3, 50000], but input 'image'"));
}

}  // namespace webnn::tests::endless_input_test
