#include "tests/faults/faulty_program.hpp"

#include <algorithm>

#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {

namespace fs = std::filesystem;

std::string no_faults() {
  if (under_sanitizer) return "a sanitizer wants to be the first library";
  if (is_cross_build()) return "the build is for another machine";
  return {};
}

const std::vector<WritingCommand>& writing_commands() {
  static const std::vector<WritingCommand> commands = {
      {"compile", "compile MODEL -o OUT/new/a.wnnc"},
      {"compile over a file", "compile MODEL -o OUT/old.wnnc --force"},
      {"compile with the graph", "compile MODEL -o OUT/a.wnnc --embed-graph"},
      {"compile to text", "compile MODEL --emit ir -o OUT/a.webnn"},
      {"convert to text", "convert MODEL -o OUT/a.webnn --rename"},
      {"convert to binary", "convert MODEL -o OUT/a.wnnb"},
      {"convert to json", "convert MODEL -o OUT/a.json --weights safetensors"},
      {"convert to onnx", "convert MODEL -o OUT/a.onnx --weights external"},
      {"convert to javascript", "convert MODEL -o OUT/a.js --html"},
      {"run", "run MODEL --fill ones --no-cache --outputs OUT/results"},
      {"run a batch", "run MODEL --batch 'FOLDER/*.input.image.npy' --no-cache --outputs OUT/results"},
      {"run with the cache", "run MODEL --fill ones --no-cache=false"},
      {"cache", "cache clean"},
      {"test", "test FOLDER --junit OUT/report.xml", false},
      {"inspect", "inspect MODEL --html OUT/page.html"},
      {"bench", "bench MODEL --time 1ms --warm-up 1ms --rounds 1 -o OUT/b.txt", false},
      {"profile", "profile MODEL --fill ones --time 1ms --html OUT/p.html --trace OUT/p.pftrace", false},
      {"compare", "compare MODEL --threads 1,1 --fill ones --save-run OUT/saved", false},
      {"man", "man --folder OUT/pages"},
  };
  return commands;
}

ShellResult run_with_fault(const WritingCommand& command, const fs::path& folder, const std::string& fault) {
  std::string words = command.words;
  const auto replace = [&](const std::string& word, const fs::path& by) {
    for (std::size_t at; (at = words.find(word)) != words.npos;) words.replace(at, word.size(), by.string());
  };
  const fs::path digits = source_dir() / "models/digits";
  replace("OUT", folder);
  replace("MODEL", digits / "digits.json");
  replace("FOLDER", digits);
  const fs::path library = build_dir() / "bin/libfaulty-calls.so";
  std::string environment = "WEBNN_CLI_NO_CACHE=false XDG_CACHE_HOME=" + shell_word(folder / "cache") + " ";
  if (!fault.empty()) environment += "WEBNN_FAULT=" + fault + " LD_PRELOAD=" + shell_word(library) + " ";
  return run_shell(environment + program_words("webnn-cli") + " " + words + "; exit $?");
}

std::vector<std::pair<std::string, std::string>> files_in(const fs::path& folder) {
  std::vector<std::pair<std::string, std::string>> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file())
        files.emplace_back(entry.path().lexically_relative(folder).string(), read_file(entry.path()));
  std::ranges::sort(files);
  return files;
}

}  // namespace webnn::tests
