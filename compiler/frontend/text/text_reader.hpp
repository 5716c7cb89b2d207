// The `.webnn` text form:
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
// Arguments without a name are operands in the order of the operator's row, null standing for one that is left out, and
// then what the operator requires besides (splits above could be split(y, 2, axis=1)); an object is a list of options.
//
// It says what webnn-graph-json says, and so it is read into the same tree, with places in the text; what the names
// mean is the JSON reader's affair.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/frontend/json/json_document.hpp"
#include "compiler/frontend/load.hpp"

namespace webnn::compiler {

/// The tree of webnn-graph-json that the text stands for. Statements that break the grammar are reported and passed
/// over, and then there is no tree.
std::optional<JsonDocument> parse_text_graph(std::string_view text, const LoadOptions& options,
                                             Diagnostics& diagnostics);

std::optional<Graph> read_text_graph(std::string_view text, const LoadOptions& options, Diagnostics& diagnostics);

}  // namespace webnn::compiler
