// Holds every #include to the dependency rule: compiler and runtime meet only at schema, passes never see each other,
// kernel providers never see each other, and each third-party header has its one place.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/harness/paths.hpp"
#include "tests/structure/sources.hpp"

namespace webnn::tests::dependency_rule_test {

namespace fs = std::filesystem;

namespace {

/// What the sources below `folder` may include. The longest folder that fits a file counts.
/// An entry of `may_include` allows a file, everything below a folder ("schema"), or with "/*" only the files directly
/// in it. Entries of `third_party` are the beginnings of header names.
struct Rule {
  std::string_view folder;
  std::vector<std::string_view> may_include;
  std::vector<std::string_view> third_party;
};

const std::vector<Rule>& rules() {
  // clang-format off
  static const std::vector<Rule> table = {
      {"schema",
       {"schema/*", "schema/elements", "schema/infer", "schema/kernels", "schema/operators"},
       {"xxhash.h"}},
      {"schema/file", {"schema"}, {"flatbuffers/", "file_form/", "xxhash.h"}},

      {"compiler", {"compiler", "schema"}, {}},
      {"compiler/ir", {"compiler/ir", "schema"}, {}},
      {"compiler/frontend", {"compiler/frontend", "compiler/ir", "schema"}, {"nlohmann/", "flatbuffers/", "file_form/"}},
      {"compiler/vectors", {"compiler/vectors", "compiler/frontend", "compiler/ir", "schema"}, {"nlohmann/"}},
      {"compiler/onnx", {"compiler/onnx", "compiler/frontend", "compiler/ir", "schema"}, {"onnx/", "google/protobuf/"}},
      {"compiler/javascript", {"compiler/javascript", "compiler/frontend", "compiler/ir", "schema"}, {}},
      {"compiler/browsers", {"compiler/browsers", "compiler/frontend", "compiler/ir", "schema"}, {}},
      {"compiler/formats", {"compiler/formats", "compiler/frontend"}, {}},
      {"compiler/rewrites", {"compiler/rewrites", "compiler/ir", "schema"}, {}},
      {"compiler/passes", {"compiler/passes", "compiler/*", "compiler/rewrites", "compiler/ir", "schema"}, {"flatbuffers/"}},

      {"runtime", {"runtime/*", "runtime/machine", "runtime/tensors", "runtime/threads", "schema"}, {"flatbuffers/"}},
      {"runtime/machine", {"runtime/machine"}, {}},
      {"runtime/threads", {"runtime/*", "runtime/threads"}, {}},
      {"runtime/cpu", {"runtime", "schema"}, {}},
      {"runtime/cpu/reference", {"runtime/cpu/reference", "runtime/*", "runtime/threads", "schema"}, {}},
      {"runtime/cpu/simd", {"runtime/cpu/simd", "runtime/*", "runtime/machine", "runtime/threads", "schema"}, {"hwy/"}},
      {"runtime/cpu/onednn", {"runtime/cpu/onednn", "runtime/*", "runtime/threads", "schema"}, {"dnnl", "oneapi/dnnl/", "omp.h"}},
      {"runtime/cpu/xnnpack", {"runtime/cpu/xnnpack", "runtime/*", "runtime/threads", "schema"}, {"xnnpack", "pthreadpool"}},
      {"runtime/vulkan", {"runtime/vulkan", "runtime/*", "runtime/tensors", "runtime/threads", "schema"}, {"vulkan/"}},
      {"runtime/vulkan/kernels", {"runtime/vulkan", "runtime/*", "runtime/tensors", "runtime/threads", "schema"}, {}},

      {"api", {"api", "compiler", "runtime", "schema"}, {}},
      {"api/examples", {}, {"webnn/"}},
      {"bindings", {"bindings", "api", "compiler", "runtime/threads", "schema"}, {"node_api.h", "pybind11/"}},
      {"cli", {"cli", "api", "compiler", "runtime", "schema"}, {"png.h", "jpeglib.h", "jerror.h"}},
      {"cli/options", {"cli", "api", "compiler", "runtime", "schema"}, {"CLI/"}},
      {"cli/json", {"cli/json", "schema/printable.hpp"}, {"nlohmann/"}},
      {"cli/sandbox", {"cli/sandbox", "cli/options", "schema"}, {"seccomp.h"}},
      {"models", {"models", "schema"}, {"nlohmann/", "CLI/"}},
      {"tests", {"tests", "models", "cli", "api", "compiler", "runtime", "schema"}, {"doctest/", "nlohmann/", "onnx/"}},
      {"tests/security",
       {"tests", "cli", "api", "compiler", "runtime", "schema"},
       {"doctest/", "nlohmann/", "xxhash.h", "file_form/"}},
      {"tests/consumer", {}, {"webnn/"}},
      {"examples", {}, {"webnn/", "digits.hpp"}},
      {"docs", {}, {}},
      {"tests/vulkan_double", {"tests/vulkan_double"}, {"vulkan/"}},
      {"benchmarks", {"benchmarks", "models", "cli", "api", "compiler", "runtime", "schema"},
       {"nlohmann/", "CLI/", "omp.h", "tbb/"}},
  };
  // clang-format on
  return table;
}

/// Whether `path` is `place` or lies below it (with "/*": directly in it).
bool within(std::string_view path, std::string_view place) {
  if (place.ends_with("/*")) {
    place.remove_suffix(1);
    return path.starts_with(place) && path.find('/', place.size()) == std::string_view::npos;
  }
  return path == place || (path.starts_with(place) && path[place.size()] == '/');
}

const Rule& rule_of(const SourceFile& file) {
  const Rule* best = nullptr;
  for (const Rule& rule : rules())
    if (within(file.path, rule.folder) && (!best || rule.folder.size() > best->folder.size())) best = &rule;
  REQUIRE_MESSAGE(best, file.path << " has no row in the dependency rule");
  return *best;
}

struct Include {
  int line;
  std::string header;
  bool quoted;  // "ours.hpp" rather than <theirs.hpp>
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*(["<])([^">]+)[">])re");
  std::vector<Include> includes;
  int line = 0;
  for (const std::string& text : lines_of(file.text)) {
    ++line;
    std::smatch match;
    if (std::regex_search(text, match, pattern)) includes.push_back({line, match[2], match[1] == "\""});
  }
  return includes;
}

/// A header of C++ or of the system: no folder and no extension, or one that the operating system brings.
bool is_system_header(const std::string& header) {
  static const std::vector<std::string_view> brought = {
      "sys/",    "linux/",    "arm_neon.h", "cpuid.h",  "cxxabi.h", "dirent.h",    "dlfcn.h",  "execinfo.h",
      "fcntl.h", "fenv.h",    "fnmatch.h",  "getopt.h", "glob.h",   "immintrin.h", "link.h",   "malloc.h",
      "poll.h",  "pthread.h", "sched.h",    "signal.h", "spawn.h",  "termios.h",   "unistd.h", "x86intrin.h"};
  if (header.find_first_of("/.") == std::string::npos) return true;
  if (header.starts_with("std") && header.ends_with(".h")) return true;  // of C
  return std::ranges::any_of(brought, [&](std::string_view name) { return header.starts_with(name); });
}

/// The names of the passes: the words in round brackets that open the rows of passes.def.
std::set<std::string> pass_names() {
  static const std::regex row(R"(^[A-Z_]+\((\w+))");
  std::set<std::string> names;
  for (const std::string& line : lines_of(read_file(source_dir() / "compiler/passes/passes.def"))) {
    std::smatch match;
    if (std::regex_search(line, match, row)) names.insert(match[1]);
  }
  return names;
}

std::vector<SourceFile> cpp_files() { return source_files({".c", ".cpp", ".hpp", ".h", ".def"}); }

}  // namespace

TEST_CASE("structure: sources include only what the dependency rule allows") {
  for (const SourceFile& file : cpp_files()) {
    const Rule& rule = rule_of(file);
    for (const Include& include : includes_of(file)) {
      if (!include.quoted) continue;
      const auto allows = [&](std::string_view place) { return within(include.header, place); };
      CHECK_MESSAGE(std::ranges::any_of(rule.may_include, allows), file.path << ":" << include.line << " includes \""
                                                                             << include.header << "\", but "
                                                                             << rule.folder << " may not");
    }
  }
}

TEST_CASE("structure: third-party headers stay in their folders") {
  for (const SourceFile& file : cpp_files()) {
    const Rule& rule = rule_of(file);
    for (const Include& include : includes_of(file)) {
      if (include.quoted || is_system_header(include.header)) continue;
      const auto allows = [&](std::string_view start) { return include.header.starts_with(start); };
      CHECK_MESSAGE(std::ranges::any_of(rule.third_party, allows), file.path << ":" << include.line << " includes <"
                                                                             << include.header << ">, but "
                                                                             << rule.folder << " may not");
    }
  }
}

TEST_CASE("structure: a pass never includes another pass") {
  const std::set<std::string> passes = pass_names();
  CHECK(!passes.empty());
  for (const SourceFile& file : cpp_files()) {
    if (file.folder() != "compiler/passes") continue;
    const std::string own = fs::path(file.path).stem().string();
    for (const Include& include : includes_of(file)) {
      const fs::path header = include.header;
      if (header.parent_path() != "compiler/passes") continue;
      const std::string name = header.stem().string();
      CHECK_MESSAGE((name == own || header.extension() == ".def" || !passes.contains(name)),
                    file.path << ":" << include.line << " includes the pass " << name);
    }
  }
}

TEST_CASE("structure: graphs are read and compiled by api/runner, and by the tuner") {
  const std::regex call(R"(compiler::(read_graph|load_graph|compile)\(|\bcompile_program(_for)?\()");
  std::set<std::string> callers;
  for (const SourceFile& file : cpp_files())
    if ((file.path.starts_with("cli/") || file.path.starts_with("api/")) && std::regex_search(file.text, call))
      callers.insert(file.path.starts_with("api/runner/") ? "api/runner" : file.path);
  // A context of the public interface stands beside the runner's session.
  CHECK(callers == std::set<std::string>{"api/internals.cpp", "api/runner", "cli/tuning/tune.cpp"});
}

TEST_CASE("structure: the dependency rule has a row for every top-level folder") {
  for (const std::string& folder : source_folders())
    CHECK(std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.folder == folder; }));
}

}  // namespace webnn::tests::dependency_rule_test
