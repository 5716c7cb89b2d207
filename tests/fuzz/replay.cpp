// Everything that fuzzing starts from or has found, read again in the normal tests.
#include <doctest/doctest.h>
#include <random>
#include <set>

#include "api/compile_program.hpp"
#include "api/session.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/fuzz/entry.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

namespace fs = std::filesystem;

struct Replayed {
  std::string (*entry)(std::string_view content);
  fs::path corpus;                   // below tests/fuzz/corpus
  std::set<std::string> extensions;  // of the files in tests/frontend that are seeds too
};

const Replayed replayed[] = {{fuzz_json, "json", {".json"}},
                             {fuzz_text, "text", {".webnn"}},
                             {fuzz_binary, "binary", {".wnnb"}},
                             {fuzz_tensors, "tensors", {".npy", ".safetensors"}}};

/// Programs of a graph for several processors, with private forms and without.
std::vector<std::string> programs_of(const fs::path& file) {
  std::vector<std::string> programs;
  schema::Diagnostics diagnostics;
  const auto graph = compiler::load_graph(file, {}, diagnostics);
  if (!graph || !graph->named_dimensions().empty()) return programs;
  for (const schema::Feature features :
       {schema::Feature::none, schema::Feature::avx2, runtime::detect_cpu_features(), schema::Feature(~0u)}) {
    const runtime::CpuDevice device(features);
    const auto program = api::compile_program(*graph, {}, device, {}, diagnostics);
    if (program) programs.push_back(fuzz::written_program(*program));
  }
  return programs;
}

/// Runs a program on ones where the reader takes it. It may fail with an Error, and that is all that it may do.
class Runner {
 public:
  /// Whether it ran to its end.
  bool run(const std::string& file) {
    schema::Diagnostics diagnostics;
    auto program = schema::read_program(fuzz::bytes_of(fuzz::with_right_checksums(file, schema::program_form)), "input",
                                        nullptr, diagnostics);
    if (!program || program->target.device != schema::DeviceKind::cpu) return false;
    try {
      session_.load(std::move(*program));
      std::vector<std::vector<std::byte>> inputs;
      for (const schema::Binding& input : session_.inputs())
        inputs.emplace_back(schema::byte_length(input.descriptor), std::byte{1});
      const std::vector<std::span<const std::byte>> views(inputs.begin(), inputs.end());
      session_.run(views);
    } catch (const schema::Error&) {
      return false;
    }
    return true;
  }

 private:
  api::Session session_{ContextOptions{.device = "cpu", .threads = 1, .maxMemory = 4 << 20}};
};

}  // namespace

TEST_CASE("fuzz: programs keep the reader's promises and run, whole and with bytes changed by chance") {
  std::mt19937 random(7);
  std::size_t count = 0, ran = 0, ran_changed = 0;
  Runner runner;
  for (const auto& file : fs::directory_iterator(source_dir() / "tests/frontend")) {
    if (!file.path().filename().string().starts_with("good-") || file.path().extension() != ".json") continue;
    CAPTURE(file.path().string());
    for (const std::string& program : programs_of(file.path())) {
      ++count;
      CHECK(fuzz_program(program) == "");
      ran += runner.run(program);
      for (int round = 0; round < 200; ++round) {
        std::string changed = program;
        for (std::size_t edits = 1 + random() % 3; edits > 0; --edits)
          changed[random() % changed.size()] ^= char(1u << random() % 8);
        CHECK(fuzz_program(changed) == "");
        ran_changed += runner.run(changed);
      }
    }
  }
  CHECK(count > 5);
  CHECK(ran > 5);
  CHECK(ran_changed > ran);
}

TEST_CASE("fuzz: the corpus and the broken test files keep the readers' promises") {
  for (const Replayed& row : replayed) {
    std::size_t count = 0;
    const auto replay = [&](const fs::path& file) {
      CAPTURE(file.string());
      CHECK(row.entry(read_file(file)) == "");
      ++count;
    };
    for (const auto& file : fs::directory_iterator(source_dir() / "tests/fuzz/corpus" / row.corpus))
      replay(file.path());
    for (const auto& file : fs::recursive_directory_iterator(source_dir() / "tests/frontend"))
      if (file.is_regular_file() && row.extensions.contains(file.path().extension().string())) replay(file.path());
    CHECK(count > 10);
  }
}

}  // namespace webnn::tests
