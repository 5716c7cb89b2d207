// Text inside of HTML, SVG and XML.
#pragma once

#include <string>
#include <string_view>

namespace webnn::cli {

/// With & < > " ' and control characters escaped: safe as text and within quotes. Invalid UTF-8 becomes \xNN.
std::string markup_text(std::string_view text);

/// JSON that may stand inside of a <script> element: no "</" and no "<!--" is left.
std::string script_json(std::string json);

/// A number with at most two digits after the point.
std::string coordinate(double value);

}  // namespace webnn::cli
