#include "runtime/line_chain.hpp"

#include <string>
#include <utility>

#include "runtime/machine/core_caches.hpp"
#include "schema/error.hpp"

namespace webnn::runtime {
namespace {

const ProgramValue& result(const Program& program, std::size_t step) {
  return program.values[program.steps[step].outputs[0]];
}

bool passes_lines(const Program& program, std::size_t step) {
  const Step& the_step = program.steps[step];
  return the_step.outputs.size() == 1 && result(program, step).slot.kind == Slot::Kind::lines;
}

/// How many bands are needed for the lines in between to stay in the caches of so many cores.
std::size_t bands_of(const Program& program, std::size_t first, std::size_t steps, unsigned threads) {
  const std::size_t cached = core_caches().l2 / 4 * 3 * threads;
  std::uint64_t largest = 0;  // bytes of one result in between, or of two neighbours
  for (std::size_t i = first; i + 1 < first + steps; ++i)
    largest = std::max(largest, result(program, i).slot.bytes + (i > first ? result(program, i - 1).slot.bytes : 0));
  return std::size_t((largest + cached - 1) / cached);
}

}  // namespace

LineChain::LineChain(std::size_t first, std::vector<Link> links, std::size_t bands)
    : first_(first), links_(std::move(links)), bands_(bands) {
  walk([](const Link&, std::size_t, std::size_t) {},
       [&](std::size_t i, std::size_t, std::size_t end, std::size_t, std::size_t kept) {
         if (i + 1 < steps()) links_[i].lines = std::max(links_[i].lines, end - kept);
       });
  ScratchLayout layout;
  for (Link& link : links_) link.offset = layout.add(link.lines * link.line_bytes);
  bytes_ = layout.bytes();
}

std::vector<LineChain> line_chains(const Program& program, std::span<const Kernel> kernels, unsigned threads) {
  std::vector<LineChain> chains;
  for (std::size_t first = 0; first < program.steps.size(); ++first) {
    if (!passes_lines(program, first)) continue;
    std::size_t last = first + 1;
    while (passes_lines(program, last)) ++last;  // the last step passes none, as the program is verified
    std::vector<LineChain::Link> links;
    for (std::size_t i = first; i <= last; ++i) {
      const Step& step = program.steps[i];
      const auto window = line_window(step.kernel, spec_of(program, step));
      if (!window || !kernels[i].run_lines)
        throw Error(ExitCode::program, "kernel " + std::string(row(step.kernel).name) + " computes no lines alone");
      links.push_back({*window, std::size_t(result(program, i).slot.bytes / std::uint64_t(window->output))});
    }
    const auto lines = std::size_t(links.back().window.output);
    const std::size_t bands = std::clamp<std::size_t>(bands_of(program, first, links.size(), threads), 1, lines);
    chains.emplace_back(first, std::move(links), bands);
    first = last;
  }
  return chains;
}

}  // namespace webnn::runtime
