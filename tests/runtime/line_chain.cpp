// Steps that run in bands of lines: each place computes a line once, from lines that are in its memory, and networks give
// the same bits as without bands.
#include "runtime/line_chain.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <numeric>
#include <random>

#include "api/runner/compile_program.hpp"
#include "runtime/context.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/run_operator.hpp"

namespace line_chain_test {

using namespace webnn;
using namespace webnn::runtime;
using namespace webnn::tests;

namespace {

/// What line `line` of a step's result is here.
std::uint64_t name_of_line(std::size_t step, std::size_t line) { return step * 1'000'003 + line * 7 + 1; }

/// Windows of `steps` steps, each on the lines of the one before.
std::vector<SlidingWindow> random_windows(std::size_t steps, std::mt19937& engine) {
  std::vector<SlidingWindow> windows;
  std::int64_t lines = 1 + std::int64_t(engine() % 60);
  while (windows.size() < steps) {
    SlidingWindow window;
    window.input = lines;
    window.window = 1 + std::int64_t(engine() % 5);
    window.stride = 1 + std::int64_t(engine() % 3);
    window.dilation = window.window > 1 ? 1 + std::int64_t(engine() % 3) : 1;
    window.begin = std::int64_t(engine() % 6);
    window.end = std::int64_t(engine() % 6);
    const std::int64_t room = lines + window.begin + window.end - window.extent();
    if (room < 0) continue;
    window.output = room / window.stride + 1;
    windows.push_back(window);
    lines = window.output;
  }
  return windows;
}

/// A chain's memory, and what its places have computed, in lines of eight bytes.
class ChainCheck {
 public:
  ChainCheck(const LineChain& chain, const std::vector<SlidingWindow>& windows)
      : chain_(chain),
        windows_(windows),
        memory_(chain.memory().count * chain.memory().bytes),
        places_(chain.places()) {}

  /// Place `number` computes bands [first, last).
  void run(unsigned number, std::size_t first, std::size_t last) {
    Place& place = places_[number];
    const bool goes_on = place.progress.band == first;
    if (!goes_on) place.next.assign(windows_.size(), anywhere);
    chain_.run(first, last, memory_.data(), number, place.progress,
               [&](std::size_t i, std::size_t begin, std::size_t end, std::byte* input, std::byte* output, std::byte*) {
                 REQUIRE(end > begin);
                 REQUIRE((place.next[i] == anywhere || place.next[i] == begin));  // each line once
                 place.next[i] = end;
                 CHECK((input == nullptr) == (i == 0));
                 CHECK((output == nullptr) == (i + 1 == windows_.size()));
                 for (std::size_t line = begin; line < end; ++line) compute(number, i, line, input, output);
               });
    CHECK(place.progress.band == last);
  }

  const std::vector<std::size_t>& last_lines() const { return last_lines_; }

 private:
  static constexpr std::size_t anywhere = ~std::size_t{0};

  struct Place {
    LineChain::Progress progress;
    std::vector<std::size_t> next;  // line of each step
  };

  std::byte* address(unsigned number, std::byte* line_0, std::size_t line) {
    const auto at = reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(line_0) + line * 8);
    const std::size_t bytes = memory_.size() / places_.size();
    REQUIRE(at >= memory_.data() + number * bytes);
    REQUIRE(at + 8 <= memory_.data() + (number + 1) * bytes);
    return at;
  }

  void compute(unsigned number, std::size_t i, std::size_t line, std::byte* input, std::byte* output) {
    const WindowPart part = windows_[i].part(std::int64_t(line));
    for (std::int64_t tap = 0; i > 0 && tap < part.count; ++tap) {
      const auto seen = std::size_t(part.first + tap * windows_[i].dilation);
      std::uint64_t found = 0;
      std::memcpy(&found, address(number, input, seen), sizeof found);
      REQUIRE(found == name_of_line(i - 1, seen));
    }
    const std::uint64_t name = name_of_line(i, line);
    if (output != nullptr)
      std::memcpy(address(number, output, line), &name, sizeof name);
    else
      last_lines_.push_back(line);
  }

  const LineChain& chain_;
  const std::vector<SlidingWindow>& windows_;
  std::vector<std::byte> memory_;
  std::vector<Place> places_;
  std::vector<std::size_t> last_lines_;  // of the last step, as they were computed
};

/// All bands in one go, or some at a time in any order and place.
void check_chain(const LineChain& chain, const std::vector<SlidingWindow>& windows, std::mt19937& engine) {
  ChainCheck check(chain, windows);
  std::vector<std::size_t> cuts = {0, chain.bands()};
  if (chain.places() > 1)
    for (std::size_t cut = 1; cut < chain.bands(); ++cut)
      if (engine() % 2 == 0) cuts.push_back(cut);
  std::ranges::sort(cuts);
  std::vector<std::size_t> order(cuts.size() - 1);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t swaps = engine() % 3; swaps-- > 0;)
    std::swap(order[engine() % order.size()], order[engine() % order.size()]);
  for (const std::size_t range : order) check.run(unsigned(engine()) % chain.places(), cuts[range], cuts[range + 1]);
  std::vector<std::size_t> lines = check.last_lines();
  std::ranges::sort(lines);
  std::vector<std::size_t> all(std::size_t(windows.back().output));
  std::iota(all.begin(), all.end(), std::size_t{0});
  CHECK(lines == all);
}

/// The results with results of at least so many bytes passing on line by line; `programs` gets the program.
std::vector<std::byte> compute(const compiler::Graph& graph, std::uint64_t least_bytes, unsigned threads,
                               const std::vector<std::byte>& x, Program& program) {
  Context context(std::make_unique<CpuDevice>(), threads);
  compiler::Options options = options_of_tests();
  options.least_bytes_of_lines = least_bytes;
  Diagnostics diagnostics;
  auto compiled = api::compile_program(graph, options, context.device(), {}, diagnostics);
  REQUIRE(compiled);
  program = *compiled;
  const ExecutableId executable = context.load(std::move(*compiled));
  const NamedTensor inputs[] = {{"x", context.create_tensor({program.inputs[0].descriptor, false, true})}};
  const NamedTensor outputs[] = {{"y", context.create_tensor({program.outputs[0].descriptor, true, false})}};
  context.write(inputs[0].tensor, x);
  context.dispatch(executable, inputs, outputs);
  return context.read(outputs[0].tensor).get();
}

std::size_t values_of_lines(const Program& program) {
  std::size_t count = 0;
  for (const ProgramValue& value : program.values) count += value.slot.kind == Slot::Kind::lines;
  return count;
}

}  // namespace

TEST_CASE("line chain: each place computes a line once, from lines that are in its memory") {
  std::mt19937 engine(3);
  for (int attempt = 0; attempt < 2000; ++attempt) {
    CAPTURE(attempt);
    const std::size_t steps = 2 + engine() % (most_steps_in_bands - 1), first = engine() % 3;
    const std::vector<SlidingWindow> windows = random_windows(steps, engine);
    std::vector<LineChain::Link> links;
    for (const SlidingWindow& window : windows) links.push_back({window, 8});
    const std::size_t bands = 1 + engine() % std::size_t(windows.back().output);
    const unsigned places = 1 + unsigned(engine()) % 3;
    const LineChain chain(first, links, bands, places);
    CHECK(chain.first() == first);
    check_chain(chain, windows, engine);
  }
}

TEST_CASE("line chain: networks give the same bits with results that pass on line by line") {
  const compiler::Graph graph = parsed(R"(graph "lines" {
  %x = input float32[1, 3, 301, 203]
  %w0 = constant float32[16, 3, 3, 3] {0.25...}
  %w1 = constant float32[16, 1, 3, 3] {0.5...}
  %w2 = constant float32[48, 16, 1, 1] {-0.125...}
  %w3 = constant float32[48, 1, 5, 5] {0.1...}
  %w4 = constant float32[24, 48, 3, 3] {0.3...}
  %a = conv2d(%x, %w0) {padding=[1, 1, 1, 1], strides=[2, 2]}
  %ra = relu(%a)
  %b = conv2d(%ra, %w1) {padding=[1, 1, 1, 1], groups=16}
  %rb = hardSwish(%b)
  %c = conv2d(%rb, %w2)
  %rc = clamp(%c) {minValue=-2, maxValue=6}
  %d = conv2d(%rc, %w3) {padding=[2, 2, 2, 2], strides=[2, 1], groups=48}
  %e = conv2d(%d, %w4) {padding=[0, 1, 1, 1], strides=[2, 2]}
  %y = maxPool2d(%e) {windowDimensions=[3, 3], padding=[1, 0, 1, 1]}
  output "y" = %y
})");
  std::vector<float> x(3 * 301 * 203);
  std::mt19937 engine(4);
  std::normal_distribution<float> numbers;
  for (float& item : x) item = numbers(engine);
  const auto* const bytes = reinterpret_cast<const std::byte*>(x.data());
  const std::vector<std::byte> input(bytes, bytes + x.size() * sizeof(float));
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    Program apart, together;
    const std::vector<std::byte> expected = compute(graph, ~std::uint64_t{0}, threads, input, apart);
    CHECK(compute(graph, 1, threads, input, together) == expected);
    CHECK(values_of_lines(apart) == 0);
    if (together.target.features != Feature::none) CHECK(values_of_lines(together) >= 3);
    CHECK(together.arena_bytes <= apart.arena_bytes);
  }
}

}  // namespace line_chain_test
