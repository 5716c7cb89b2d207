// Greedy placement: takes items in some order and puts each into the tightest gap between placed items that are live at
// the same time.
#include "compiler/passes/parts/memory_planner.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "schema/program.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

using schema::arena_alignment;

struct ItemPlaces {
  std::vector<std::uint64_t> offsets;
  std::uint64_t arena_bytes = 0;
};

using Order = std::vector<std::uint32_t>;

/// Indices of all items, sorted by `before(a, b)`; ties keep the items' order, so that plans are reproducible.
template <typename Before>
Order sorted(std::size_t count, Before before) {
  Order order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), before);
  return order;
}

/// Calls `begin(item)` and `end(item)` in step order; at each step all items begin before any ends.
template <typename Begin, typename End>
void sweep(std::span<const MemoryItem> items, Begin begin, End end) {
  const Order by_first =
      sorted(items.size(), [&](auto a, auto b) { return items[a].first_step < items[b].first_step; });
  const Order by_last = sorted(items.size(), [&](auto a, auto b) { return items[a].last_step < items[b].last_step; });
  auto ending = by_last.begin();
  for (std::uint32_t item : by_first) {
    for (; ending != by_last.end() && items[*ending].last_step < items[item].first_step; ++ending) end(*ending);
    begin(item);
  }
  for (; ending != by_last.end(); ++ending) end(*ending);
}

/// Places items in `order`: each into the smallest gap that holds it, otherwise at the lowest free end. O(n^2).
ItemPlaces best_fit(std::span<const MemoryItem> items, const Order& order) {
  // The data of placed items that the inner loop reads, contiguous; sorted by offset.
  struct Placed {
    std::uint64_t begin, end;
    std::uint32_t first_step, last_step;
  };
  std::vector<Placed> placed;
  placed.reserve(items.size());
  ItemPlaces result;
  result.offsets.resize(items.size());
  for (std::uint32_t index : order) {
    const MemoryItem& item = items[index];
    std::uint64_t free_from = 0;
    std::uint64_t best_gap = ~std::uint64_t{0};
    std::uint64_t offset = 0;
    for (const Placed& other : placed) {
      if (other.last_step < item.first_step || item.last_step < other.first_step) continue;
      if (other.begin > free_from) {
        const std::uint64_t gap = other.begin - free_from;
        if (gap >= item.bytes && gap < best_gap) {
          best_gap = gap;
          offset = free_from;
        }
      }
      free_from = std::max(free_from, other.end);
    }
    if (best_gap == ~std::uint64_t{0}) offset = free_from;
    result.offsets[index] = offset;
    const Placed here{offset, offset + item.bytes, item.first_step, item.last_step};
    placed.insert(std::upper_bound(placed.begin(), placed.end(), offset,
                                   [](std::uint64_t at, const Placed& p) { return at < p.begin; }),
                  here);
    result.arena_bytes = std::max(result.arena_bytes, here.end);
  }
  return result;
}

/// Places items in the order of their first step, like an allocator with a free list. O(n log n).
ItemPlaces by_time(std::span<const MemoryItem> items) {
  ItemPlaces result;
  result.offsets.resize(items.size());
  std::map<std::uint64_t, std::uint64_t> free_at;                // begin -> bytes; neighbours are merged
  std::set<std::pair<std::uint64_t, std::uint64_t>> free_sized;  // (bytes, begin)
  const auto insert = [&](std::uint64_t begin, std::uint64_t bytes) {
    free_at.emplace(begin, bytes);
    free_sized.emplace(bytes, begin);
  };
  const auto remove = [&](std::map<std::uint64_t, std::uint64_t>::iterator block) {
    free_sized.erase({block->second, block->first});
    return free_at.erase(block);
  };
  const auto begin = [&](std::uint32_t index) {
    const std::uint64_t bytes = items[index].bytes;
    if (const auto fit = free_sized.lower_bound({bytes, 0}); fit != free_sized.end()) {
      const auto [size, at] = *fit;
      remove(free_at.find(at));
      if (size > bytes) insert(at + bytes, size - bytes);
      result.offsets[index] = at;
      return;
    }
    std::uint64_t at = result.arena_bytes;
    if (!free_at.empty()) {  // a free block at the end of the arena grows
      const auto last = std::prev(free_at.end());
      if (last->first + last->second == at) {
        at = last->first;
        remove(last);
      }
    }
    result.offsets[index] = at;
    result.arena_bytes = at + bytes;
  };
  const auto end = [&](std::uint32_t index) {
    std::uint64_t from = result.offsets[index], bytes = items[index].bytes;
    auto next = free_at.lower_bound(from);
    if (next != free_at.end() && next->first == from + bytes) {
      bytes += next->second;
      next = remove(next);
    }
    if (next != free_at.begin()) {
      const auto previous = std::prev(next);
      if (previous->first + previous->second == from) {
        from = previous->first;
        bytes += previous->second;
        remove(previous);
      }
    }
    insert(from, bytes);
  };
  sweep(items, begin, end);
  return result;
}

std::uint64_t largest_live_set(std::span<const MemoryItem> items) {
  std::uint64_t live = 0, largest = 0;
  sweep(
      items, [&](std::uint32_t item) { largest = std::max(largest, live += items[item].bytes); },
      [&](std::uint32_t item) { live -= items[item].bytes; });
  return largest;
}

}  // namespace

std::optional<MemoryPlan> place_items(std::span<const MemoryItem> items) {
  // Items without bytes take no part; the others have sizes in whole alignment units from here on.
  constexpr std::uint64_t limit = ~std::uint64_t{0} >> 1;
  std::vector<MemoryItem> aligned;
  std::vector<std::uint32_t> source;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].bytes == 0) continue;
    if (items[i].bytes > limit - arena_alignment) return std::nullopt;
    MemoryItem item = items[i];
    item.bytes = schema::round_up(item.bytes, arena_alignment);
    if (item.bytes > limit - total) return std::nullopt;
    total += item.bytes;
    aligned.push_back(item);
    source.push_back(std::uint32_t(i));
  }

  MemoryPlan plan;
  plan.offsets.resize(items.size());
  plan.lower_bound = largest_live_set(aligned);
  ItemPlaces best = by_time(aligned);
  if (aligned.size() <= exact_item_limit) {
    const auto duration = [&](std::uint32_t i) {
      return std::uint64_t{aligned[i].last_step} - aligned[i].first_step + 1;
    };
    const auto bytes = [&](std::uint32_t i) { return aligned[i].bytes; };
    const auto area = [&](std::uint32_t i) { return double(bytes(i)) * double(duration(i)); };
    const auto largest_first = [&](auto key) {
      return sorted(aligned.size(), [key](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
    };
    const auto attempt = [&](const Order& order) {
      if (best.arena_bytes == plan.lower_bound) return;  // optimal
      if (ItemPlaces placement = best_fit(aligned, order); placement.arena_bytes < best.arena_bytes)
        best = std::move(placement);
    };
    attempt(largest_first(bytes));
    attempt(largest_first(duration));
    attempt(largest_first(area));
  }
  plan.arena_bytes = best.arena_bytes;
  for (std::size_t i = 0; i < aligned.size(); ++i) plan.offsets[source[i]] = best.offsets[i];
  return plan;
}

std::optional<std::pair<std::size_t, std::size_t>> find_overlap(std::span<const MemoryItem> items,
                                                                std::span<const std::uint64_t> offsets) {
  // As long as there is no overlap the live items are disjoint, so a new item only has to be compared with its
  // neighbours.
  std::map<std::uint64_t, std::uint32_t> live;  // by offset
  std::optional<std::pair<std::size_t, std::size_t>> found;
  const auto begin = [&](std::uint32_t item) {
    if (found || items[item].bytes == 0) return;
    const auto next = live.lower_bound(offsets[item]);
    if (next != live.end() && next->first - offsets[item] < items[item].bytes) found = {next->second, item};
    if (next != live.begin()) {
      const auto previous = std::prev(next);
      if (offsets[item] - previous->first < items[previous->second].bytes) found = {previous->second, item};
    }
    live.emplace(offsets[item], item);
  };
  const auto end = [&](std::uint32_t item) {
    if (const auto at = live.find(offsets[item]); at != live.end() && at->second == item) live.erase(at);
  };
  sweep(items, begin, end);
  return found;
}

}  // namespace webnn::compiler
