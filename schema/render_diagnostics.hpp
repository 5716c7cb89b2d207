// Diagnostics as text for people:
//
//   model.json:12:34: error[WNN0123]: the strides must be positive (/nodes/4/options/strides)
//       "strides": [0, 1]
//                   ^
//     hint: ...
//
// Whatever comes from a file is escaped, so that no control character reaches a terminal.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schema/diagnostics.hpp"

namespace webnn::schema {

/// The text of a file that a diagnostic names, for the line with the caret; empty when it is not at hand.
using SourceText = std::function<std::string_view(std::string_view file)>;

/// One diagnostic, each line with its line end.
std::string render(const Diagnostic& diagnostic, std::string_view source = {});
/// The line that one of `diagnostics` is about is taken from what `source` gives, or else from what they keep.
std::string render(const Diagnostic& diagnostic, const Diagnostics& diagnostics, const SourceText& source);
/// All of them, in order.
std::string render(const Diagnostics& diagnostics, const SourceText& source = {});

}  // namespace webnn::schema
