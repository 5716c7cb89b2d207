// Places the boxes of a directed acyclic graph in layers, so that arrows point downwards and rarely cross.
//
// Sugiyama's method: layers by longest path, a point in each layer that a long arrow passes, orders within layers by
// medians of neighbours, then horizontal positions closest to the neighbours' means that keep the order. There are points
// for so many arrows that time and size grow with boxes and arrows alone; the rest go straight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace webnn::cli {

struct BoxSize {
  double width = 0, height = 0;
};

struct Arrow {
  std::uint32_t from = 0, to = 0;  // indices of boxes
};

struct Point {
  double x = 0, y = 0;
};

struct Layout2d {
  std::vector<Point> boxes;                // centre of each box
  std::vector<std::vector<Point>> arrows;  // from the lower edge of a box through points to the upper edge of another
  double width = 0, height = 0;
};

/// Arrows to or from boxes that do not exist, from a box to itself, and arrows that close a cycle get no points. The
/// same input gives the same picture.
Layout2d layered_layout(std::span<const BoxSize> boxes, std::span<const Arrow> arrows);

}  // namespace webnn::cli
