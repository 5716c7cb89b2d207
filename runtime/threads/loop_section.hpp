// A section: one thread's share of the units of a loop. Its owner claims units from the front, other threads steal from
// the back.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/threads/thread_pool.hpp"

namespace webnn::runtime {

inline constexpr std::size_t cache_line = 64;

struct Units {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t count() const { return end - begin; }
  std::uint32_t middle() const { return begin + (count() + 1) / 2; }
};

/// The remaining units of a section in one phase of a loop (see thread_pool.hpp), and whether a thread owns the
/// section. All of it is in one word, so that a claim for a phase that has ended fails.
class Section {
 public:
  struct View {
    std::uint32_t turn;  // number of the phase, counted over all loops
    bool owned;
    bool last;  // whether it is the loop's last phase
    Units left;
  };

  View view() const { return view_of(word_.load(std::memory_order_acquire)); }

  void publish(const View& view) { word_.store(word_of(view), std::memory_order_release); }

  /// Starts the next phase; the owner stays.
  void advance(std::uint32_t turn, bool last, Units all) {
    change(turn, [&](View& view) {
      view = {turn + 1, view.owned, last, all};
      return true;
    });
  }

  /// Makes the caller the owner and claims as claim() does; nullopt when the section has an owner or is already in
  /// another phase.
  std::optional<Units> join(std::uint32_t turn) {
    Units taken;
    const bool is_owner = change(turn, [&](View& view) {
      taken = front_half(view.left);
      return !std::exchange(view.owned, true);
    });
    return is_owner ? std::optional(taken) : std::nullopt;
  }
  /// The owner leaves. False when the next phase has begun.
  bool leave(std::uint32_t turn) {
    return change(turn, [](View& view) { return std::exchange(view.owned, false); });
  }
  /// Claims half of the remaining units, from the front; empty when none are left.
  Units claim(std::uint32_t turn) { return take(turn, front_half); }
  /// The same from the back.
  Units steal(std::uint32_t turn) {
    return take(turn, [](Units& left) {
      const std::uint32_t begin = left.end - (left.middle() - left.begin);
      return Units{begin, std::exchange(left.end, begin)};
    });
  }

 private:
  static Units front_half(Units& left) {
    const std::uint32_t begin = std::exchange(left.begin, left.middle());
    return {begin, left.begin};
  }

  // turn: 32 bits, owned: 1, begin: 15, last: 1, end: 15
  static_assert(most_units_of_loop < 1u << 15);
  static std::uint64_t word_of(const View& view) {
    return std::uint64_t{view.turn} << 32 | std::uint64_t{view.owned} << 31 | view.left.begin << 16 |
           std::uint64_t{view.last} << 15 | view.left.end;
  }
  static View view_of(std::uint64_t word) {
    return {std::uint32_t(word >> 32),
            (word >> 31 & 1) != 0,
            (word >> 15 & 1) != 0,
            {std::uint32_t(word >> 16 & 0x7fff), std::uint32_t(word & 0x7fff)}};
  }

  /// Applies `edit(view)` unless it returns false or the section is in another phase; returns whether it was applied.
  template <class Edit>
  bool change(std::uint32_t turn, Edit edit) {
    std::uint64_t word = word_.load(std::memory_order_acquire);
    for (;;) {
      View view = view_of(word);
      if (view.turn != turn || !edit(view)) return false;
      if (word_.compare_exchange_weak(word, word_of(view), std::memory_order_acq_rel, std::memory_order_acquire))
        return true;
    }
  }

  /// Removes the units that `part(left)` selects, and returns them.
  template <class Part>
  Units take(std::uint32_t turn, Part part) {
    Units taken;
    const bool applied = change(turn, [&](View& view) {
      taken = part(view.left);
      return taken.count() != 0;
    });
    return applied ? taken : Units{};
  }

  alignas(cache_line) std::atomic<std::uint64_t> word_{0};
};

}  // namespace webnn::runtime
