#include "runtime/line_chain.hpp"

#include <string>
#include <utility>

#include "runtime/machine/core_caches.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime {
namespace {

const ProgramValue& result(const Program& program, std::size_t step) {
  return program.values[program.steps[step].outputs[0]];
}

/// Whether threads that each compute a part of the lines do nearly the same: with the lines that two parts need, none
/// computes more than 8/7 of its share of a step.
bool divides_evenly(std::span<const LineChain::Link> links, std::size_t threads) {
  const auto lines = std::size_t(links.back().window.output);
  for (std::size_t part = 0; part < threads; ++part) {
    std::size_t begin = lines * part / threads, end = lines * (part + 1) / threads;
    for (std::size_t i = links.size(); i-- > 0;) {
      const SlidingWindow& window = links[i].window;
      if (7 * threads * (end - begin) > 8 * std::size_t(window.output)) return false;
      end = lines_seen(window, end);
      begin = std::min(first_line_seen(window, begin), end);
    }
  }
  return true;
}

/// How many bands are needed for the lines in between to stay in the caches that a place has, if bands have enough lines
/// for the threads, and for what moves to be a small part of them.
std::size_t bands_of(const Program& program, std::size_t first, std::span<const LineChain::Link> links,
                     unsigned threads, unsigned places) {
  const std::size_t cached = core_caches().l2 / 4 * (threads / places);
  std::uint64_t largest = 0;  // bytes of one result in between, or of two neighbours
  std::size_t least_lines = places > 1 ? 1 : 2 * threads;
  for (std::size_t i = 0; i + 1 < links.size(); ++i) {
    const std::uint64_t before = i > 0 ? result(program, first + i - 1).slot.bytes : 0;
    largest = std::max(largest, result(program, first + i).slot.bytes + before);
    const SlidingWindow& next = links[i + 1].window;
    const std::int64_t moved = std::max<std::int64_t>(std::min(next.extent(), next.input) - next.stride, 0);
    least_lines = std::max(least_lines, std::size_t(4 * moved / next.stride));
  }
  const std::size_t most = std::max<std::size_t>(std::size_t(links.back().window.output) / least_lines, 1);
  const std::size_t bands = std::clamp<std::size_t>(std::size_t(div_up(largest, cached)), 1, most);
  return round_up(bands, places);
}

}  // namespace

LineChain::LineChain(std::size_t first, std::vector<Link> links, std::size_t bands, unsigned places)
    : first_(first), links_(std::move(links)), bands_(bands), places_(places) {
  const auto keep_most = [&](std::size_t i, std::size_t, std::size_t end, std::size_t, std::size_t kept) {
    if (i + 1 < steps()) links_[i].lines = std::max(links_[i].lines, end - kept);
  };
  const auto move_nothing = [](const Link&, std::size_t, std::size_t) {};
  Progress all;
  walk(0, bands_, all, move_nothing, keep_most);
  for (std::size_t band = 1; places_ > 1 && band < bands_; ++band) {  // any may be the first that a place computes
    Progress first_of_place;
    walk(band, band + 1, first_of_place, move_nothing, keep_most);
  }
  ScratchLayout layout;
  if (bands_ > 1) {
    for (Link& link : links_) link.offset = layout.add(link.lines * link.line_bytes);
  } else {  // a result is needed for the next one only: they take turns
    std::size_t bytes[2] = {};
    for (std::size_t i = 0; i < steps(); ++i)
      bytes[i % 2] = std::max(bytes[i % 2], links_[i].lines * links_[i].line_bytes);
    const std::size_t offsets[2] = {layout.add(bytes[0]), layout.add(bytes[1])};
    for (std::size_t i = 0; i < steps(); ++i) links_[i].offset = offsets[i % 2];
  }
  std::size_t scratch_bytes = 0;
  for (const Link& link : links_) scratch_bytes = std::max(scratch_bytes, link.scratch_bytes);
  scratch_ = layout.add(scratch_bytes);
  bytes_ = layout.bytes();
}

std::vector<LineChain> line_chains(const Program& program, std::span<const Kernel> kernels, unsigned threads) {
  std::vector<LineChain> chains;
  const std::vector<StepRange> together = steps_together(program);
  for (std::size_t first = 0, last = 0; first < together.size(); first = last + 1) {
    last = together[first].last;
    if (last == first) continue;
    std::vector<LineChain::Link> links;
    for (std::size_t i = first; i <= last; ++i) {
      const Step& step = program.steps[i];
      const auto window = line_window(step.kernel, spec_of(program, step));
      if (!window || !kernels[i].run_lines)
        throw Error(ExitCode::program, "kernel " + std::string(row(step.kernel).name) + " computes no lines alone");
      const std::uint64_t line_bytes = result(program, i).slot.bytes / std::uint64_t(window->output);
      links.push_back({*window, std::size_t(line_bytes), kernels[i].scratch_bytes});
    }
    const unsigned places = divides_evenly(links, threads) ? threads : 1;
    if (places > 1)  // loops within a place's part are serial, and have one place
      for (std::size_t i = 0; i < links.size(); ++i)
        links[i].scratch_bytes = kernels[first + i].shared_bytes() + kernels[first + i].places.bytes;
    const std::size_t bands = bands_of(program, first, links, threads, places);
    chains.emplace_back(first, std::move(links), bands, places);
  }
  return chains;
}

}  // namespace webnn::runtime
