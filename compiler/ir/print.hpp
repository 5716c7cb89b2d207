// The text format of a graph: readable, one value or node per line; parse.hpp reads it back.
//
//   graph "mobilenet" {
//     %image = input float32[batch<=8, 3, 224, 224]
//     %filter = constant float32[64, 3, 3, 3] <6912 bytes, hash 9ae16a3b2f90404f>
//     %bias = constant float32[64] {0...}
//     %two = constant float32[] {2}
//     %y = conv2d(%image, %filter, bias=%bias) {strides=[2, 2]} -> relu -> mul(_, %two) : float32[8, 64, 111, 111]
//     output "y" = %y
//   }
//
// Operands are in the row's order, optional ones by name. Attributes appear if given. Post-ops follow as `-> operator`,
// where `_` is the result of the step before and `_2` that of the second one back. A constant is a list of
// elements, one element that fills it (`{0...}`), its bytes in hexadecimal (0x..), or, for people, its size and hash. `
// label "conv1"` is at the end of a line if the label differs from the name of the first output. Names with other
// characters than letters, digits, `_`, `.` and `$` are quoted: %"layer 1/conv". Unused constants are left out.
#pragma once

#include <functional>
#include <string>

#include "compiler/ir/graph.hpp"

namespace webnn::compiler {

struct PrintOptions {
  bool exact = false;  // prints the contents of all constants, so that the text reads back; otherwise size and hash
  std::size_t elide_above = 8;  // in elements; smaller constants are always printed
  /// A line of text printed behind a node as a comment; empty: none.
  std::function<std::string(NodeId)> note = {};
};

std::string print(const Graph& graph, const PrintOptions& options = {});
/// One node as its line in the text format, without indentation and line break; for messages.
std::string print(const Graph& graph, NodeId id);

}  // namespace webnn::compiler
