// Steps that run together in bands of lines: what one writes is still in the cache when the next reads it, and never gets to
// memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/kernel.hpp"
#include "schema/kernels/line_window.hpp"

namespace webnn::runtime {

/// Neighbouring steps that pass lines (Slot::Kind::lines). A result in between has memory for those of a band only: lines
/// that the next step sees again move to its beginning.
///
/// Threads compute bands side by side, each in a place of its own, or share every step of a band where too many lines would
/// be computed in two places.
class LineChain {
 public:
  struct Link {
    SlidingWindow window;           // the lines of the result before it that each line sees
    std::size_t line_bytes = 0;     // of its result
    std::size_t scratch_bytes = 0;  // of its kernel
    std::size_t lines = 0;          // that there is memory for; 0 for the last link
    std::size_t offset = 0;         // of that memory
  };

  /// How far one place has come.
  struct Progress {
    std::size_t band = ~std::size_t{0};                  // the one after the last that it computed
    std::size_t done[schema::most_steps_in_bands] = {};  // lines, of each step
    std::size_t kept[schema::most_steps_in_bands] = {};  // the first of them in memory
  };

  /// Divides the lines of the last step into `bands` parts, which up to `places` threads compute side by side. The links are
  /// without their memory; at most `most_steps_in_bands`.
  LineChain(std::size_t first, std::vector<Link> links, std::size_t bands, unsigned places);

  std::size_t first() const { return first_; }  // step
  std::size_t steps() const { return links_.size(); }
  std::size_t bands() const { return bands_; }
  unsigned places() const { return places_; }
  /// The memory that a run needs.
  PlaceScratch memory() const { return {places_, bytes_, 0}; }

  /// Calls run(link, begin, end, input, output, scratch) for the lines of each link that bands [first, last) of the last one
  /// need. A place that goes on where `progress` ends computes no line again. `scratch` has the chain's memory. `input` and
  /// `output` are where line 0 of the results in between would be; null for the first link's input and the last one's
  /// output.
  template <typename Run>
  void run(std::size_t first, std::size_t last, const ScratchMemory& scratch, unsigned place, Progress& progress,
           Run run) const {
    std::byte* const memory = this->memory().of(scratch, place);
    walk(
        first, last, progress,
        [&](const Link& link, std::size_t from, std::size_t lines) {
          std::byte* const at = memory + link.offset;
          std::memmove(at, at + from * link.line_bytes, lines * link.line_bytes);
        },
        [&](std::size_t i, std::size_t begin, std::size_t end, std::size_t first_input, std::size_t first_output) {
          std::byte* const input = i > 0 ? line_0(memory, links_[i - 1], first_input) : nullptr;
          std::byte* const output = i + 1 < steps() ? line_0(memory, links_[i], first_output) : nullptr;
          run(i, begin, end, input, output, memory + scratch_);
        });
  }

 private:
  /// An integer's arithmetic: line 0 is not in the memory when `first` is.
  static std::byte* line_0(std::byte* memory, const Link& link, std::size_t first) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory + link.offset);
    return reinterpret_cast<std::byte*>(address - first * link.line_bytes);
  }

  /// How many lines of the last step the first `bands` bands have.
  std::size_t lines_of(std::size_t bands) const { return std::size_t(links_.back().window.output) * bands / bands_; }

  /// The lines that bands from `band` on need first.
  Progress start(std::size_t band) const {
    Progress at{band};
    std::size_t line = lines_of(band);
    for (std::size_t i = steps(); i-- > 0; line = first_line_seen(links_[i].window, line))
      at.done[i] = at.kept[i] = line;
    return at;
  }

  /// Calls move(link, from, lines) where lines `from` and following, counted in its memory, are seen again, and
  /// compute(link, begin, end, first line in the input's memory, first one in the output's).
  template <typename Move, typename Compute>
  void walk(std::size_t first, std::size_t last, Progress& at, Move move, Compute compute) const {
    if (at.band != first) at = start(first);
    std::size_t wanted[schema::most_steps_in_bands];
    for (; at.band < last; ++at.band) {
      std::size_t lines = lines_of(at.band + 1);
      for (std::size_t i = steps(); i-- > 0; lines = lines_seen(links_[i].window, lines)) wanted[i] = lines;
      for (std::size_t i = 0; i < steps(); ++i) {
        if (wanted[i] <= at.done[i]) continue;
        if (i + 1 < steps()) {
          const std::size_t seen = std::min(first_line_seen(links_[i + 1].window, at.done[i + 1]), at.done[i]);
          if (seen > at.kept[i] && seen < at.done[i]) move(links_[i], seen - at.kept[i], at.done[i] - seen);
          at.kept[i] = std::max(at.kept[i], seen);
        }
        compute(i, at.done[i], wanted[i], i > 0 ? at.kept[i - 1] : 0, at.kept[i]);
        at.done[i] = wanted[i];
      }
    }
  }

  std::size_t first_;
  std::vector<Link> links_;
  std::size_t bands_;
  unsigned places_;
  std::size_t bytes_ = 0, scratch_ = 0;  // of one place, and where its kernels' scratch is
};

/// The chains of a verified program whose kernels are prepared, in order, so that the lines between two steps stay in the
/// caches of so many threads.
std::vector<LineChain> line_chains(const Program& program, std::span<const Kernel> kernels, unsigned threads);

}  // namespace webnn::runtime
