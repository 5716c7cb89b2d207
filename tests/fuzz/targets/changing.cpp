// Readers of files in memory that another process may change meanwhile: a byte that is read twice may differ.
#include <atomic>
#include <cstring>
#include <thread>

#include "api/runner/compile_program.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "tests/fuzz/choices.hpp"
#include "tests/fuzz/entry.hpp"
#include "tests/fuzz/whole_targets.hpp"
#include "tests/random_graphs/network.hpp"

namespace webnn::tests {
namespace {

using fuzz::Choices;

/// Bytes that a thread changes and restores, again and again.
class Flipped {
 public:
  Flipped(std::string& content, std::vector<std::pair<std::size_t, char>> changes)
      : thread_([this, &content, changes = std::move(changes)] {
          while (!done_.load(std::memory_order_relaxed))
            for (const auto& [place, bits] : changes) flip(content[place], bits);
        }) {}
  Flipped(const Flipped&) = delete;
  Flipped& operator=(const Flipped&) = delete;
  ~Flipped() {
    done_ = true;
    thread_.join();
  }

 private:
  /// Another process is no race in the language's sense, so this must not be one for sanitizers either.
  static void flip(char& byte, char bits) {
    __atomic_fetch_xor(&byte, bits, __ATOMIC_RELAXED);
    __atomic_fetch_xor(&byte, bits, __ATOMIC_RELAXED);
  }
  std::atomic<bool> done_{false};
  std::thread thread_;
};

std::string base_file(std::uint32_t seed, bool as_program) {
  const Network network = random_network(seed, {.small = true});
  if (!as_program) return fuzz::written_binary(network.graph);
  schema::Diagnostics diagnostics;
  return fuzz::written_program(api::compile_program(network.graph, {}, runtime::CpuDevice(), {}, diagnostics).value());
}

}  // namespace

std::string fuzz_changing(std::string_view content) {
  Choices choices(content);
  const bool as_program = choices.below(2) == 1;
  std::string file = base_file(1 + choices.below(32), as_program);
  std::uint64_t metadata = 0;
  std::memcpy(&metadata, file.data() + 16, sizeof metadata);
  std::vector<std::pair<std::size_t, char>> changes;
  for (unsigned count = 1 + choices.below(4); count > 0; --count) {
    const std::size_t end = choices.below(8) == 0 ? 64 : std::min<std::size_t>(file.size(), 64 + metadata);
    changes.emplace_back(choices.below(std::uint32_t(end)), char(choices.below(2) ? 0xff : 1u << choices.below(8)));
  }
  const Flipped flipped(file, std::move(changes));
  const schema::Bytes mapped = schema::Bytes::mapped(nullptr, std::as_bytes(std::span(file)));
  for (int turn = 0; turn < 8; ++turn) {
    schema::Diagnostics diagnostics;
    if (as_program) {
      const auto program = schema::read_program(mapped, "input", fuzz::fuzz_kernels(), nullptr, diagnostics);
      if (program.has_value() == diagnostics.has_errors()) return "there must be either a program or an error";
      if (program && !verify_program(*program).empty()) return "a program that the proof refuses is taken";
    } else {
      compiler::LoadOptions options;
      options.formats = compiler::all_formats();
      options.file_name = "input";
      const auto graph = compiler::read_graph(mapped, options, diagnostics);
      if (graph.has_value() == diagnostics.has_errors()) return "there must be either a graph or an error";
      if (graph && !verify(*graph).empty()) return "an unsound graph is taken";
    }
  }
  return {};
}

}  // namespace webnn::tests
