// Golden tests of passes: tests/passes/<pass>/<case>.txt holds a graph, a line `---`, and the graph after the pass.
//
// The first line may be a comment with the sizes of named dimensions: `// --dim batch=4`. `webnn-tests --bless` renews
// what stands behind the line.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <sstream>

#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "compiler/passes/pipeline.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

using namespace webnn::compiler;
namespace fs = std::filesystem;

constexpr std::string_view separator = "---\n";

std::vector<std::pair<std::string, std::uint32_t>> dimensions_of(const std::string& input) {
  std::vector<std::pair<std::string, std::uint32_t>> dimensions;
  std::istringstream words(input.substr(0, input.find('\n')));
  for (std::string word; words >> word;)
    if (const std::size_t equals = word.find('='); word.find('"') == std::string::npos && equals != std::string::npos)
      dimensions.emplace_back(word.substr(0, equals), std::uint32_t(std::stoul(word.substr(equals + 1))));
  return dimensions;
}

/// The text behind the line: the graph, or what the pass complained about.
std::string run_golden(const Pass& pass, const std::string& input) {
  Diagnostics diagnostics;
  auto graph = parse(input, {}, diagnostics);
  if (graph) {
    Options options;
    options.dimensions = dimensions_of(input);
    Unit unit{std::move(*graph), {}, options, diagnostics, {}};
    pass.run(unit);
    if (!diagnostics.has_errors()) {
      CHECK(verify(unit.graph) == std::vector<std::string>{});
      return print(unit.graph, {.exact = true});
    }
  }
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text += "// " + diagnostic.message + "\n";
    for (const std::string& hint : diagnostic.hints) text += "//   " + hint + "\n";
  }
  return text;
}

TEST_CASE("passes: golden files") {
  for (const Pass& pass : pass_table()) {
    const fs::path folder = fs::path("tests/passes") / pass.name;
    if (!fs::is_directory(source_dir() / folder)) continue;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(source_dir() / folder))
      if (entry.path().extension() == ".txt") files.push_back(folder / entry.path().filename());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      CAPTURE(file.string());
      const std::string text = read_file(source_dir() / file);
      const std::string input = text.substr(0, text.find(separator));
      check_golden(file, input + std::string(separator) + run_golden(pass, input));
    }
  }
}

TEST_CASE("passes: a folder of golden files belongs to a pass, and each pass that changes the graph has one") {
  const auto is_pass = [](const std::string& name) {
    const auto table = pass_table();
    return std::any_of(table.begin(), table.end(), [&](const Pass& pass) { return pass.name == name; });
  };
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/passes"))
    if (entry.is_directory()) CHECK_MESSAGE(is_pass(entry.path().filename()), entry.path().filename().string());
  for (const char* name : {"canonicalize", "sink_transposes", "simplify", "merge_duplicates", "remove_dead"})
    if (is_pass(name)) CHECK_MESSAGE(fs::is_directory(source_dir() / "tests/passes" / name), name);
}

}  // namespace
}  // namespace webnn::tests
