// A parallel loop as seen by the threads that work on it: its sections, its phases, and who waits for whom.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/threads/loop_section.hpp"
#include "runtime/threads/thread_pool.hpp"

namespace webnn::runtime {

/// A running loop that helpers can join. Its members are grouped into cache lines by who writes them and when; a helper
/// that looks for work reads a single line to learn that there is a loop and what it does. Non-atomic members are
/// written before the sections are published, and are read only by threads that have claimed units and not yet reported
/// them done.
class SharedLoop {
 public:
  /// Claims this slot for a loop; false when another loop has it.
  bool take() { return !taken_.load(std::memory_order_relaxed) && !taken_.exchange(true, std::memory_order_acquire); }
  void give_back() { taken_.store(false, std::memory_order_release); }

  void publish(unsigned members, const LoopSizes& sizes, const UnitBody& body);
  /// Where the caller was when it published the loop.
  int processor() const { return processor_.load(std::memory_order_relaxed); }
  /// Changes with each phase. Identifies the latest phase, which may have ended.
  std::uint64_t head() const { return head_.load(std::memory_order_acquire); }

  /// For the child of a fork, where no thread runs the loop.
  void forget() {
    head_.store(0, std::memory_order_relaxed);
    taken_.store(false, std::memory_order_relaxed);
  }

  /// The caller's part: works, then waits for units that helpers have claimed.
  void run(unsigned members);

  /// Whether a helper has come, for the caller after run().
  bool had_help(unsigned members) const;

  /// A helper's part, from the phase in `head` on, in the free section nearest to its own number. False when there is
  /// nothing to do.
  bool help(std::uint64_t head, unsigned helper);

 private:
  static std::uint64_t head_of(std::uint32_t turn, unsigned members) { return std::uint64_t{turn} << 32 | members; }
  /// The units of a section.
  Units part(unsigned place, unsigned members) const {
    return {std::uint32_t(std::size_t{units_} * place / members),
            std::uint32_t(std::size_t{units_} * (place + 1) / members)};
  }

  /// A thread's position: a phase, and the last phase known to belong to the same loop.
  struct Progress {
    std::uint32_t turn, last;
  };

  /// Works while there are phases, beginning with `units`; returns whether there was anything to do.
  bool work(Progress at, unsigned members, unsigned place, Units units);

  /// Reports units of a phase done. The thread that reports the last ones starts the next phase, or ends the loop.
  void finish(std::uint32_t turn, unsigned members, unsigned place, std::uint32_t units);

  /// Waits for the end of a phase and returns the phase that the thread's own section is in then; nullopt at the end of
  /// the loop. A helper leaves instead of waiting long; the caller sleeps. Phases may have passed without this thread.
  std::optional<std::uint32_t> next_turn(Progress at, unsigned place);

  alignas(cache_line) std::atomic<std::uint64_t> head_{0};  // number of the latest phase, and of threads
  std::atomic<int> processor_{-1};
  UnitBody body_;
  std::uint32_t units_ = 0;                                    // of each phase
  std::uint32_t first_ = 0, last_ = 0;                         // numbers of the loop's phases
  alignas(cache_line) std::atomic<std::uint32_t> pending_{0};  // units that are not done
  std::atomic<std::uint32_t> ended_{0};                        // number of the last phase that ended
  alignas(cache_line) std::atomic<bool> taken_{false};
  std::array<Section, most_threads_of_loop> sections_;
};

}  // namespace webnn::runtime
