#include "compiler/passes/parts/min_cut.hpp"

#include <algorithm>

namespace webnn::compiler {
namespace {

constexpr std::uint32_t unreached = ~std::uint32_t{0};

}  // namespace

std::uint32_t MinCut::add_node() {
  leaving_.emplace_back();
  return std::uint32_t(leaving_.size() - 1);
}

void MinCut::add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
  leaving_[from].push_back(std::uint32_t(arcs_.size()));
  arcs_.push_back({to, capacity});
  leaving_[to].push_back(std::uint32_t(arcs_.size()));
  arcs_.push_back({from, 0});
}

bool MinCut::find_levels() {
  level_.assign(leaving_.size(), unreached);
  level_[source] = 0;
  steps_left_ -= std::min<std::uint64_t>(steps_left_, arcs_.size());
  std::vector<std::uint32_t> queue{source};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const std::uint32_t arc : leaving_[queue[i]])
      if (arcs_[arc].capacity != 0 && level_[arcs_[arc].to] == unreached) {
        level_[arcs_[arc].to] = level_[queue[i]] + 1;
        queue.push_back(arcs_[arc].to);
      }
  return level_[sink] != unreached;
}

/// Sends as much as one shortest path allows; false when there is none left. Not recursive, because paths may be long.
bool MinCut::augment() {
  std::vector<std::uint32_t> path;
  std::uint32_t at = source;
  while (at != sink) {
    if (steps_left_ == 0) return false;
    --steps_left_;
    if (next_[at] == leaving_[at].size()) {  // a dead end
      if (path.empty()) return false;
      at = arcs_[path.back() ^ 1u].to;
      path.pop_back();
      ++next_[at];
      continue;
    }
    const std::uint32_t arc = leaving_[at][next_[at]];
    if (arcs_[arc].capacity != 0 && level_[arcs_[arc].to] == level_[at] + 1) {
      path.push_back(arc);
      at = arcs_[arc].to;
    } else {
      ++next_[at];
    }
  }
  std::uint64_t amount = never;
  for (const std::uint32_t arc : path) amount = std::min(amount, arcs_[arc].capacity);
  for (const std::uint32_t arc : path) {
    arcs_[arc].capacity -= amount;
    arcs_[arc ^ 1u].capacity += amount;
  }
  return true;
}

std::vector<bool> MinCut::source_part() {
  while (steps_left_ > 0 && find_levels()) {
    next_.assign(leaving_.size(), 0);
    while (augment()) {
    }
  }
  std::vector<bool> part(leaving_.size());
  part[source] = true;
  if (steps_left_ == 0) return part;
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = level_[i] != unreached;
  return part;
}

}  // namespace webnn::compiler
