// Diagnostics as text for people:
//
//   model.json:12:34: error[WNN0123]: the strides must be positive (/nodes/4/options/strides)
//       "strides": [0, 1]
//                   ^
//     hint: ...
//
// Text from files is escaped, so that no control character reaches a terminal.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "schema/diagnostics.hpp"

namespace webnn::schema {

/// The text of the file that a diagnostic names, for the line with the caret; empty when it is not available.
using SourceText = std::function<std::string_view(std::string_view file)>;

/// Escape sequences before and after highlighted words; all empty: plain text.
struct Style {
  std::string_view error, warning, note, hint, place, end;
  std::string_view of(Severity severity) const;
};
/// Terminal colours.
inline constexpr Style terminal_style{"\x1b[1;31m", "\x1b[1;35m", "\x1b[1;36m", "\x1b[36m", "\x1b[1m", "\x1b[0m"};

/// One diagnostic; every line ends with a line break.
std::string render(const Diagnostic& diagnostic, std::string_view source = {}, const Style& style = {});
/// The source line comes from `source`, else from the text that `diagnostics` keeps.
std::string render(const Diagnostic& diagnostic, const Diagnostics& diagnostics, const SourceText& source,
                   const Style& style = {});
/// The diagnostics, in order; of very many, the first.
std::string render(const Diagnostics& diagnostics, const SourceText& source = {});

}  // namespace webnn::schema
