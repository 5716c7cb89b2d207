// The `.webnn` text format:
//
//   webnn_graph "name" v2 @quantized {
//     inputs { x: f32[dyn("batch", 8), 3]; }
//     consts { w: f32[3, 4] @weights("layer.w"); one: f32[] @scalar(1.0); b: u8[2] @bytes([1, 2]); }
//     nodes {
//       y = matmul(x, w);
//       [a, b] = split(y, splits=2, axis=1);
//     }
//     outputs { a; b; }
//   }
//
// Unnamed arguments are operands in the order of the operator's row (null for one that is left out), followed by the
// operator's required attributes (splits above could be split(y, 2, axis=1)). An object is a list of options.
//
// The format has the same content as webnn-graph-json, so it is read into the same tree, with positions in this text;
// the JSON reader then interprets the names.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// The webnn-graph-json tree for the text. Statements with syntax errors are reported and skipped, and then there is no
/// tree.
std::optional<JsonDocument> parse_text_graph(std::string_view text, const LoadOptions& options,
                                             Diagnostics& diagnostics);

std::optional<Graph> read_text_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
