// A graph as a picture: boxes of operators that follow each other without a branch, with arrows between the boxes.
// Weights are written in the line of the operator that uses them. Pictures can be written as SVG and as Graphviz DOT.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/drawing/layered_layout.hpp"
#include "compiler/ir/graph.hpp"

namespace webnn::cli {

/// One operator in its box.
struct PictureLine {
  std::string text;    // "conv2d"
  std::string detail;  // "64x3x7x7 -> [1, 64, 112, 112]"
  std::string tooltip;
  std::string colour;  // "#cfe2ff"
  std::string key;     // by which scripts find the line; may be empty
};

struct PictureBox {
  bool is_rounded = false;  // an input or output of the graph
  std::vector<PictureLine> lines;
};

struct GraphPicture {
  std::string name;
  std::vector<PictureBox> boxes;
  std::vector<Arrow> arrows;
  std::vector<std::string> labels;  // by arrow: the shape that flows along it; may be empty
};

/// Pale colours that distinguish families.
std::string colour_of(schema::Family family);

/// The maximum number of operators in a box.
inline constexpr std::size_t longest_box = 12;

GraphPicture picture_of(const compiler::Graph& graph);

/// An <svg> element with its own size. Lines are <g class="line" data-key="...">.
std::string svg_of(const GraphPicture& picture);
void print_dot(std::ostream& out, const GraphPicture& picture);

}  // namespace webnn::cli
