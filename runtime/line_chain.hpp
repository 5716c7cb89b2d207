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
class LineChain {
 public:
  struct Link {
    SlidingWindow window;        // the lines of the result before it that each line sees
    std::size_t line_bytes = 0;  // of its result
    std::size_t lines = 0;       // that there is memory for; 0 for the last link
    std::size_t offset = 0;      // of that memory
  };

  /// Divides the lines of the last step into `bands` parts. The links are without their memory; at most `most_steps_in_bands`.
  LineChain(std::size_t first, std::vector<Link> links, std::size_t bands);

  std::size_t first() const { return first_; }  // step
  std::size_t steps() const { return links_.size(); }
  /// Of memory that a run needs, aligned to 64 bytes.
  std::size_t bytes() const { return bytes_; }

  /// Calls run(step, begin, end, input, output) for all lines of all steps. `input` and `output` are where line 0 of the
  /// results in between would be; null for the first step's input and the last one's output.
  template <typename Run>
  void run(std::byte* memory, Run run) const {
    walk(
        [&](const Link& link, std::size_t from, std::size_t lines) {
          std::byte* const at = memory + link.offset;
          std::memmove(at, at + from * link.line_bytes, lines * link.line_bytes);
        },
        [&](std::size_t i, std::size_t begin, std::size_t end, std::size_t first_input, std::size_t first_output) {
          std::byte* const input = i > 0 ? line_0(memory, links_[i - 1], first_input) : nullptr;
          std::byte* const output = i + 1 < steps() ? line_0(memory, links_[i], first_output) : nullptr;
          run(first_ + i, begin, end, input, output);
        });
  }

 private:
  /// An integer's arithmetic: line 0 is not in the memory when `first` is.
  static std::byte* line_0(std::byte* memory, const Link& link, std::size_t first) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory + link.offset);
    return reinterpret_cast<std::byte*>(address - first * link.line_bytes);
  }

  /// Calls move(link, from, lines) where lines `from` and following, counted in its memory, are seen again, and
  /// compute(link, begin, end, first line in the input's memory, first one in the output's).
  template <typename Move, typename Compute>
  void walk(Move move, Compute compute) const {
    std::size_t done[schema::most_steps_in_bands] = {}, kept[schema::most_steps_in_bands] = {};
    std::size_t wanted[schema::most_steps_in_bands];
    for (std::size_t band = 1; band <= bands_; ++band) {
      std::size_t lines = std::size_t(links_.back().window.output) * band / bands_;
      for (std::size_t i = steps(); i-- > 0; lines = lines_seen(links_[i].window, lines)) wanted[i] = lines;
      for (std::size_t i = 0; i < steps(); ++i) {
        if (wanted[i] <= done[i]) continue;
        if (i + 1 < steps()) {
          const std::size_t first = std::min(first_line_seen(links_[i + 1].window, done[i + 1]), done[i]);
          if (first > kept[i] && first < done[i]) move(links_[i], first - kept[i], done[i] - first);
          kept[i] = std::max(kept[i], first);
        }
        compute(i, done[i], wanted[i], i > 0 ? kept[i - 1] : 0, kept[i]);
        done[i] = wanted[i];
      }
    }
  }

  std::size_t first_;
  std::vector<Link> links_;
  std::size_t bands_, bytes_ = 0;
};

/// The chains of a verified program whose kernels are prepared, in order. For so many threads, the lines between two steps
/// stay in the caches.
std::vector<LineChain> line_chains(const Program& program, std::span<const Kernel> kernels, unsigned threads);

}  // namespace webnn::runtime
