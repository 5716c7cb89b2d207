// Escapes text for HTML, SVG and XML.
#pragma once

#include <string>
#include <string_view>

namespace webnn::cli {

/// Escapes & < > " ' and control characters: safe as text and within quotes. Invalid UTF-8 becomes \xNN.
std::string markup_text(std::string_view text);

/// JSON that is safe inside a <script> element: contains neither "</" nor "<!--".
std::string script_json(std::string json);

/// A number with at most two decimal places.
std::string coordinate(double value);

}  // namespace webnn::cli
