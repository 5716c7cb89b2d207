// A parallel loop as those see it who work on it: its sections, its steps, and who waits for whom.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/threads/loop_section.hpp"
#include "runtime/threads/thread_pool.hpp"

namespace webnn::runtime {

/// A loop that runs, for helpers to find. Its parts lie in lines of the cache by who writes them when: a helper that
/// looks for a loop finds in one line that there is one, and what it does. What is not atomic is written before the
/// sections are published and read by those who claimed something and have not said that it is done.
class SharedLoop {
 public:
  /// Takes the place for a loop; false when another loop has it.
  bool take() { return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire); }
  void give_back() { taken_.store(false, std::memory_order_release); }

  void publish(unsigned members, const LoopSizes& sizes, const UnitBody& body);
  /// Changes with each step. Names the last one, which may have ended.
  std::uint64_t head() const { return head_.load(std::memory_order_acquire); }

  /// In the child of a fork, where nobody runs it.
  void forget() {
    head_.store(0, std::memory_order_relaxed);
    taken_.store(false, std::memory_order_relaxed);
  }

  /// The caller's part: works, then waits for what helpers have begun.
  void run(unsigned members);

  /// A helper's part from the step on that `head` names, in the section nearest to its own number that is free. False
  /// when there is nothing to do.
  bool help(std::uint64_t head, unsigned helper);

 private:
  static std::uint64_t head_of(std::uint32_t turn, unsigned members) { return std::uint64_t{turn} << 32 | members; }
  /// The units of a section.
  Units part(unsigned place, unsigned members) const {
    return {std::uint32_t(std::size_t{units_} * place / members),
            std::uint32_t(std::size_t{units_} * (place + 1) / members)};
  }

  /// Where a thread is: a step, and up to which number steps are of the same loop, as far as it knows: the next one is.
  struct Progress {
    std::uint32_t turn, last;
  };

  /// Works while there are steps, `units` before others; returns whether there was anything to do.
  bool work(Progress at, unsigned members, unsigned place, Units units);

  /// Units of a step have ended. Who ends the last ones begins the next step, or ends the loop.
  void finish(std::uint32_t turn, unsigned members, unsigned place, std::uint32_t units);

  /// Waits for the end of a step. Returns where the own section is then; nothing at the end of the loop. A helper that
  /// would have to wait for long goes, too; the caller sleeps. Steps may have passed without this thread.
  std::optional<std::uint32_t> next_turn(Progress at, unsigned place);

  alignas(cache_line) std::atomic<std::uint64_t> head_{0};  // the last step's number, and of how many members
  UnitBody body_;
  std::uint32_t units_ = 0;                                    // of each step
  std::uint32_t first_ = 0, last_ = 0;                         // numbers of the loop's steps
  alignas(cache_line) std::atomic<std::uint32_t> pending_{0};  // units that are not done
  std::atomic<std::uint32_t> ended_{0};                        // number of the last step that has
  alignas(cache_line) std::atomic<bool> taken_{false};
  std::array<Section, most_threads_of_loop> sections_;
};

}  // namespace webnn::runtime
