// Limits of the system, met by the whole program: address space, threads, file sizes, folders that cannot be written,
// closed descriptors, and a global locale that writes commas.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <locale>

#include "tests/cli/command_line.hpp"
#include "tests/faults/faulty_program.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::limits_test {
namespace {

namespace fs = std::filesystem;

std::string digits() { return shell_word(source_dir() / "models/digits/digits.json"); }

ShellResult limited(const std::string& limits, const std::string& words) {
  return run_shell("bash -c " + shell_word(limits + "; exec " + program_words("webnn-cli") + " " + words) +
                   "; exit $?");
}

bool is_one_sentence(const std::string& text) {
  return text.starts_with("webnn-cli: ") && std::ranges::count(text, '\n') <= 2;  // the second is a hint
}

/// Whether the command was refused, with exit code 7 and one sentence; otherwise it gave its result.
bool is_refused(const ShellResult& result) {
  CAPTURE(result.output);
  CHECK((result.status == 0 || result.status == 7));
  if (result.status == 7) CHECK(is_one_sentence(result.output));
  return result.status == 7;
}

/// Numbers as a German writes them.
struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

TEST_CASE("faults: any limit on the address space gives the result, or exit code 7 and one sentence") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  bool starts = false;
  int refused = 0, done = 0;
  for (int megabytes = 16; megabytes <= 400; megabytes += megabytes < 128 ? 6 : 34) {
    const std::string limit = "ulimit -v " + std::to_string(megabytes * 1024);
    // The loader itself needs some, and it has its own words.
    starts = starts || limited(limit, "version").status == 0;
    if (!starts) continue;
    for (const std::string& words : {"run " + digits() + " --fill ones --threads 2", "compile " + digits() + " --stats",
                                     "run " + digits() + " --fill ones --device cpu:reference --threads 1"}) {
      const ShellResult result = limited(limit, words);
      CAPTURE(megabytes);
      CAPTURE(words);
      ++(is_refused(result) ? refused : done);
    }
  }
  CHECK(refused > 0);
  CHECK(done > 5);
}

TEST_CASE("faults: around the least address space, each limit gives the result, or exit code 7 and one sentence") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const auto with = [](int kilobytes, const std::string& words) {
    return limited("ulimit -v " + std::to_string(kilobytes), words);
  };
  const std::string test = "test " + shell_word(source_dir() / "models/digits");
  int least = 16'000;
  while (with(least, "version").status != 0) least += 1'000;
  int refused = 0;
  // Below, libraries that the tool needs end the process while they are loaded.
  for (int kilobytes = least; kilobytes < least + 16'000; kilobytes += 333)
    for (const std::string& words : {"run " + digits() + " --fill ones --threads 2", test}) {
      const ShellResult result = with(kilobytes, words);
      CAPTURE(kilobytes);
      CAPTURE(words);
      CAPTURE(result.output);
      CHECK((result.status == 0 || result.status == 7));
      refused += result.status == 7;
    }
  CHECK(refused > 0);
}

TEST_CASE("faults: a call of malloc that fails gives the result, or exit code 7 and one sentence") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const std::string library = shell_word(build_dir() / "bin/libfaulty-calls.so");
  int refused = 0;
  // Earlier calls are those of libraries that are loaded. oneDNN does not look whether its own succeed.
  for (int number = 4'000; number < 25'000; number += 701) {
    const ShellResult result = run_shell("WEBNN_MEMORY_FAULT=" + std::to_string(number) + " LD_PRELOAD=" + library +
                                         " " + program_words("webnn-cli") + " run " + digits() +
                                         " --fill ones --threads 1 --kernels reference; exit $?");
    CAPTURE(number);
    refused += is_refused(result);
  }
  CHECK(refused > 0);
}

TEST_CASE("faults: threads that cannot be started are no crash") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  for (const WritingCommand& command : {WritingCommand{"run", "run MODEL --fill ones --threads 4"},
                                        WritingCommand{"bench", "bench MODEL --threads 3 --time 1ms --warm-up 1ms"},
                                        WritingCommand{"compile", "compile MODEL --stats --timeout 1m"}})
    for (int number = 1; number <= 5; ++number) {
      const ShellResult result = run_with_fault(command, scratch.path(), "threads:" + std::to_string(number) + ":11");
      CAPTURE(command.name);
      is_refused(result);
    }
}

TEST_CASE("faults: a folder that cannot be written is exit code 6 and one sentence") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  for (const WritingCommand& command : writing_commands()) {
    if (command.words.find("OUT") == command.words.npos) continue;
    CAPTURE(command.name);
    // Nobody, not even root, makes files below a file, or in /proc.
    for (const char* folder : {"/dev/null", "/proc"}) {
      const ShellResult result = run_with_fault(command, folder, "");
      CAPTURE(result.output);
      CHECK(result.status == 6);
      CHECK(is_one_sentence(result.output));
    }
  }
}

TEST_CASE("faults: closed descriptors are errors or nothing, for every command") {
  if (const std::string why = no_faults(); !why.empty()) return skip(why);
  const ScratchFolder scratch;
  for (const WritingCommand& command : writing_commands()) {
    if (command.is_repeatable == (command.name != "run")) continue;  // a few: each way of ending
    for (const char* closed : {"<&-", "2>&-", "<&- 2>&-", "<&- >&- 2>&-", ">&-"}) {
      CAPTURE(command.name);
      CAPTURE(closed);
      const fs::path folder = scratch.path() / "out";
      fs::remove_all(folder);
      const WritingCommand with_closed{command.name, command.words + " " + closed, command.is_repeatable};
      const ShellResult result = run_with_fault(with_closed, folder, "");
      CHECK((result.status == 0 || (result.status == 6 && std::string_view(closed).find(">&-") != std::string::npos)));
      for (const auto& [name, content] : files_in(folder)) CHECK(content.find("webnn-cli: ") == std::string::npos);
    }
  }
}

TEST_CASE("faults: numbers are read and written alike when the global locale has commas") {
  const ScratchFolder scratch;
  const fs::path graph = scratch.path() / "numbers.webnn";
  const auto all_texts = [&] {
    std::string text;
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"run", (source_dir() / "models/digits/digits.json").string(), "--fill", "random(seed=3)", "--values"},
             {"run", (source_dir() / "models/digits/digits.json").string(), "--fill", "random(seed=3)", "--values",
              "--output-format", "json"},
             {"inspect", (source_dir() / "models/digits/digits.json").string(), "--nodes"},
             {"inspect", (source_dir() / "models/digits/digits.json").string(), "--html", "-"},
             {"inspect", (source_dir() / "models/digits/digits.json").string(), "--output-format", "json"},
             {"convert", (source_dir() / "models/digits/digits.json").string(), "-o", "-", "--to", "text", "--weights",
              "inline", "--rename"},
             {"convert", (source_dir() / "models/onnx/digits.onnx").string(), "-o", "-", "--to", "json"},
             {"compile", (source_dir() / "models/digits/digits.json").string(), "--stats"},
             {"test", (source_dir() / "models/digits").string(), "--atol", "0.001"}}) {
      const CommandResult result = webnn_cli(words);
      text += result.out + result.err;
    }
    return text;
  };
  const std::string usual = all_texts();
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Commas));
  const std::string with_commas = all_texts();
  std::locale::global(before);
  CHECK(usual.size() > 10000);
  const auto differs = std::ranges::mismatch(usual, with_commas);
  const auto at = std::size_t(differs.in1 - usual.begin());
  CHECK_MESSAGE(usual == with_commas, usual.substr(at > 60 ? at - 60 : 0, 120)
                                          << "\n---\n"
                                          << with_commas.substr(at > 60 ? at - 60 : 0, 120));
}

}  // namespace webnn::tests::limits_test
