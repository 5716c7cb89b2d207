// Everything that fuzzing starts from or has found, read again in the normal tests.
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <doctest/doctest.h>
#include <random>
#include <set>
#include <sstream>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "api/runner/session.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/whole_targets.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

const webnn::schema::KernelTable& webnn::tests::fuzz::fuzz_kernels() { return api::kernel_table(); }

namespace webnn::tests::replay_test {
namespace {

namespace fs = std::filesystem;

/// Programs of a graph for several processors, with private forms and without.
std::vector<schema::Program> programs_of(const compiler::Graph& graph) {
  std::vector<schema::Program> programs;
  if (!graph.named_dimensions().empty()) return programs;
  for (const schema::Feature features :
       {schema::Feature::none, schema::Feature::avx2, runtime::detect_cpu_features(), schema::Feature(~0u)}) {
    schema::Diagnostics diagnostics;
    if (auto program = api::compile_program(graph, {}, runtime::CpuDevice(features), {}, diagnostics))
      programs.push_back(std::move(*program));
  }
  return programs;
}

/// Of the graphs that frontend tests read, and of those that passes make into internal operators.
std::vector<compiler::Graph> graphs_of_programs() {
  std::vector<compiler::Graph> graphs;
  for (const auto& file : fs::directory_iterator(source_dir() / "tests/frontend")) {
    if (!file.path().filename().string().starts_with("good-") || file.path().extension() != ".json") continue;
    schema::Diagnostics diagnostics;
    if (auto graph = compiler::load_graph(file.path(), {}, diagnostics)) graphs.push_back(std::move(*graph));
  }
  for (const auto& file : fs::directory_iterator(source_dir() / "tests/passes/quantize")) {
    std::string text = read_file(file.path());
    text.resize(std::min(text.find("\n---"), text.size()));
    graphs.push_back(parsed(text.substr(text.find("graph "))));
  }
  return graphs;
}

/// Runs a program on ones where the reader takes it. It may fail with an Error, and that is all that it may do.
class Runner {
 public:
  /// Whether it ran to its end.
  bool run(const std::string& file) {
    schema::Diagnostics diagnostics;
    auto program = schema::read_program(fuzz::bytes_of(fuzz::with_right_checksums(file, schema::program_container)),
                                        "input", api::kernel_table(), nullptr, diagnostics);
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

/// The seeds of a target; the empty one where there are none.
std::vector<std::string> seeds_of(const WholeTarget& target) {
  std::vector<std::string> seeds;
  if (!target.seeds.empty())
    for (const auto& file : fs::directory_iterator(source_dir() / "tests/fuzz" / target.seeds))
      seeds.push_back(read_file(file.path()));
  std::ranges::sort(seeds);
  if (seeds.empty()) seeds.emplace_back();
  return seeds;
}

/// A seed with some bytes changed, inserted, repeated or cut off; now and then many, for long sequences of choices.
std::string changed_by_chance(std::string text, std::mt19937& random) {
  for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
    const std::size_t most = random() % 8 == 0 ? 512 : 16;
    const std::size_t at = text.empty() ? 0 : random() % text.size(), length = random() % most;
    switch (text.empty() ? 1 : random() % 5) {
      case 0:
        text[at] = char(random());
        break;
      case 1:
        for (std::size_t i = 0; i < length; ++i) text.insert(text.begin() + std::ptrdiff_t(at), char(random()));
        break;
      case 2:
        text.insert(at, text.substr(random() % text.size(), length));
        break;
      case 3:
        text.erase(at, length);
        break;
      default:
        text[at] = char(std::uint8_t(text[at]) ^ 1u << random() % 8);
    }
  }
  return text;
}

/// Which inputs a target gets: by default those of the table, the same each time.
struct Chance {
  std::uint32_t seed = 28;
  int first = 0, count = 0;
};

/// WEBNN_REPLAY="SEED COUNT [FIRST]" asks for others: COUNT inputs, of which those before FIRST are only made.
Chance asked_or(Chance chance) {
  if (const char* const asked = std::getenv("WEBNN_REPLAY"))
    std::istringstream(asked) >> chance.seed >> chance.count >> chance.first;
  return chance;
}

/// A target on its seeds, and on inputs made of them by chance.
void replay(std::string_view name) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds long_time{10};
  const auto target = *std::ranges::find(whole_targets(), name, &WholeTarget::name);
  if (target.needs_gpu && !has_fuzz_gpu()) return skip("no Vulkan device of this machine can be used");
  const std::vector<std::string> seeds = seeds_of(target);
  for (const std::string& seed : seeds) CHECK(target.check(seed) == "");
  const Chance chance = asked_or({.count = under_sanitizer ? target.replays / 20 : target.replays});
  std::mt19937 random(chance.seed);
  for (int i = 0; i < chance.count; ++i) {
    const std::string input = changed_by_chance(seeds[random() % seeds.size()], random);
    if (i < chance.first) continue;
    CAPTURE(i);
    const Clock::time_point start = Clock::now();
    const std::clock_t start_of_work = std::clock();
    CHECK(target.check(input) == "");
    const double work = double(std::clock() - start_of_work) / CLOCKS_PER_SEC;
    if (const auto time = Clock::now() - start; time > long_time)  // much time with little work: the machine was busy
      MESSAGE("input " << i << " took " << std::chrono::duration<double>(time).count() << " s, " << work
                       << " of them work");
  }
}

}  // namespace

// One case for each row of whole_targets, so that they can run side by side.
TEST_CASE("fuzz: kernel keeps its promises with any input") { replay("kernel"); }
TEST_CASE("fuzz: gpu_kernel keeps its promises with any input") { replay("gpu_kernel"); }
TEST_CASE("fuzz: compile keeps its promises with any input") { replay("compile"); }
TEST_CASE("fuzz: program_run keeps its promises with any input") { replay("program_run"); }
TEST_CASE("fuzz: sequence keeps its promises with any input") { replay("sequence"); }
TEST_CASE("fuzz: picture keeps its promises with any input") { replay("picture"); }
TEST_CASE("fuzz: vectors keeps its promises with any input") { replay("vectors"); }
TEST_CASE("fuzz: tuning keeps its promises with any input") { replay("tuning"); }
TEST_CASE("fuzz: baseline keeps its promises with any input") { replay("baseline"); }
TEST_CASE("fuzz: shader_cache keeps its promises with any input") { replay("shader_cache"); }
TEST_CASE("fuzz: changing keeps its promises with any input") { replay("changing"); }

TEST_CASE("fuzz: programs keep the reader's promises and run, whole and with bytes changed by chance") {
  const Chance chance = asked_or({.seed = 7, .count = 100});  // inputs of each program
  std::mt19937 random(chance.seed);
  std::size_t count = 0, ran = 0, ran_changed = 0;
  Runner runner;
  std::set<std::string_view> operators;
  for (const compiler::Graph& graph : graphs_of_programs()) {
    CAPTURE(graph.name);
    for (const schema::Program& program : programs_of(graph)) {
      for (const schema::Step& step : program.steps) operators.insert(schema::row(step.op).name);
      const std::string file = fuzz::written_program(program);
      ++count;
      CHECK(fuzz_program(file) == "");
      ran += runner.run(file);
      for (int round = 0; round < chance.count; ++round) {
        std::string changed = file;
        for (std::size_t edits = 1 + random() % 3; edits > 0; --edits)
          changed[random() % changed.size()] ^= char(1u << random() % 8);
        CHECK(fuzz_program(changed) == "");
        ran_changed += runner.run(changed);
      }
    }
  }
  // What a kernel that is faster than the reference's needs of the CPU; without one a graph has no such operator.
  const std::pair<std::string_view, schema::Feature> wanted[] = {{"@quantizedConv2d", schema::Feature::none},
                                                                 {"@byteTable", schema::Feature::none},
                                                                 {"@quantizedAdd", schema::Feature::avx2},
                                                                 {"@quantizedAveragePool2d", schema::Feature::avx2},
                                                                 {"@blockQuantizedMatmul", schema::Feature::avx2}};
  for (const auto& [op, needed] : wanted) {
    CAPTURE(op);
    if (op == "@quantizedConv2d" && !has_convolution_library())
      skip_part(op, no_convolution_library());
    else if (machine_has(needed))
      CHECK(operators.contains(op));
    else
      skip_part(op, machine_lacks(needed));
  }
  CHECK(count > 5);
  CHECK(ran > 5);
  CHECK(ran_changed > ran);
}

TEST_CASE("fuzz: the corpus and the broken test files keep the readers' promises") {
  for (const FuzzTarget& target : fuzz_targets()) {
    CAPTURE(target.name);
    std::size_t count = 0;
    const auto replay = [&](const fs::path& file) {
      CAPTURE(file.string());
      CHECK(broken_promise(target, read_file(file)) == "");
      ++count;
    };
    const fs::path corpus = source_dir() / "tests/fuzz/corpus" / target.name;
    REQUIRE_MESSAGE(fs::is_directory(corpus), "a format that is read needs a folder of seeds");
    for (const auto& file : fs::directory_iterator(corpus)) replay(file.path());
    for (const auto& file : fs::recursive_directory_iterator(source_dir() / "tests/frontend"))
      if (file.is_regular_file() && std::ranges::count(target.suffixes, file.path().extension().string()) != 0)
        replay(file.path());
    CHECK(count > (target.name == "program" ? 0 : 10));  // programs are made above
  }
}

}  // namespace webnn::tests::replay_test
