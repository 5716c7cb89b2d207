// When each node runs.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/unit.hpp"

namespace webnn::compiler {

/// Live nodes, producers before consumers, with the time at which each runs. Nodes of the same time run together.
struct Schedule {
  std::vector<NodeId> order;
  std::vector<std::uint32_t> times;  // by place in `order`; never decreasing
  std::vector<bool> passes_lines;    // by place: the node's result passes on to the next one line by line
};

/// One node after another.
Schedule one_by_one(std::vector<NodeId> order);
/// The same, but neighbours whose large results pass on line by line (schema/kernels/line_window.hpp) run at the same time.
Schedule in_bands(const Unit& unit, std::vector<NodeId> order);

enum class Pace {
  early,  // each node when its operands are there
  late,   // each node when its result is needed, but none later than the last one must
};
/// Nodes that do not depend on each other run at the same time, so that there are as many times as the longest chain of
/// nodes has links. Views count as none.
Schedule by_depth(const Unit& unit, Pace pace);

}  // namespace webnn::compiler
