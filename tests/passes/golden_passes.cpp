// Golden tests of passes: tests/passes/<pass>/<case>.txt holds a graph, a line `---`, and the graph after the pass.
//
// The first line may be a comment with the sizes of named dimensions, `// --dim batch=4`; with operators and data types
// that no kernel takes, `// --without softmax float16`; or with rows of the kernel table and the instructions that they
// need, `// --isa avx512 --rows onednn.conv2d`; with `--keep-layouts` inputs and outputs may be channels-last. Beside
// these rows there are the reference kernels, and without them only these, so that plans do not change with every
// kernel that is added. A row of a GPU is for GPUs that compute with float16. Nothing runs: any machine compiles for any
// target. `webnn-tests --bless` renews what stands behind the line.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <set>
#include <sstream>

#include "api/kernels.hpp"
#include "api/oracle/evaluate.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/passes/print_unit.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/available_kernels.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::golden_passes_test {
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

/// The words of the first line if it is a comment with options.
std::vector<std::string> words_of_first_line(const std::string& input) {
  std::istringstream words(input.substr(0, input.find('\n')));
  std::vector<std::string> found;
  std::string word;
  if (!(words >> word) || word != "//") return found;
  while (words >> word) found.push_back(word);
  return found;
}

/// The words behind `option` on the first line, up to the next option.
std::vector<std::string> words_behind(std::string_view option, const std::string& input) {
  std::vector<std::string> found;
  bool behind = false;
  for (const std::string& word : words_of_first_line(input)) {
    if (behind && !word.starts_with("--")) found.push_back(word);
    if (word.starts_with("--")) behind = word == option;
  }
  return found;
}

/// A form for every constant that a row packs; its name is the row's, its bytes are what they were.
std::optional<PackedConstant> pack_nothing(KernelId kernel, const KernelSpec&, std::size_t,
                                           std::span<const std::byte> bytes) {
  return PackedConstant{"form of " + std::string(row(kernel).name), Bytes({bytes.begin(), bytes.end()})};
}

/// A pass that fills the plan needs what the ones before it have put there; the others run alone.
bool runs_before(const Pass& earlier, const Pass& pass) {
  const Pass* const first = &find_pass("split_outputs");
  return &pass > first && &earlier >= first && &earlier < &pass;
}

/// Why this build cannot run the case; empty if it can.
std::string why_not(const std::string& input) {
  for (const std::string& row : words_behind("--rows", input)) {
    const std::string provider = row.substr(0, row.find('.'));
    if (!api::find_kernel(row)) return no_provider(provider);
  }
  for (const std::string& isa : words_behind("--isa", input))
    if (!runtime::parse_isa(isa)) return "no processor of this kind has " + isa;
  return {};
}

/// The text behind the line: the unit, or what the pass complained about.
std::string run_golden(const Pass& pass, const std::string& input) {
  Diagnostics diagnostics;
  auto graph = parse(input, {}, diagnostics);
  if (graph) {
    Options options = options_of_tests();
    options.dimensions = dimensions_of(input);
    options.available = [without = all_but(words_behind("--without", input)), rows = words_behind("--rows", input)](
                            const KernelRow& kernel, const KernelSpec& spec) {
      return without(kernel, spec) && (kernel.provider() == "reference" || std::ranges::count(rows, kernel.name) != 0);
    };
    options.keep_layouts = std::ranges::count(words_of_first_line(input), "--keep-layouts") != 0;
    options.evaluate = api::reference_evaluate();
    options.pack = pack_nothing;
    if (const auto isa = words_behind("--isa", input); isa.size() == 1)
      options.target.features = runtime::parse_isa(isa[0]).value();
    for (const std::string& name : words_behind("--rows", input))
      if (const KernelRow& kernel = row(api::find_kernel(name).value()); kernel.device == DeviceKind::vulkan)
        options.target = {DeviceKind::vulkan, options.target.features | kernel.features | Feature::float16};
    Unit unit{std::move(*graph), {}, options, diagnostics, {}};
    for (const Pass& earlier : pass_table())
      if (runs_before(earlier, pass)) run_pass(earlier, unit);
    if (run_pass(pass, unit)) return print(unit, {.exact = true});
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
      if (const std::string why = why_not(input); !why.empty()) {
        skip_part(file.string(), why);
        continue;
      }
      check_golden(file, input + std::string(separator) + run_golden(pass, input));
    }
  }
}

TEST_CASE("passes: every pass has a folder of golden files, and every folder belongs to a pass") {
  std::set<std::string> folders, passes;
  for (const auto& entry : fs::directory_iterator(source_dir() / "tests/passes"))
    if (entry.is_directory()) folders.insert(entry.path().filename());
  for (const Pass& pass : pass_table()) passes.emplace(pass.name);
  CHECK(folders == passes);
}

}  // namespace
}  // namespace webnn::tests::golden_passes_test
