// HTML pages that need nothing but themselves: no network, no other files.
#pragma once

#include <string>
#include <string_view>

namespace webnn::cli {

/// A whole document. `body` is HTML, `script` JavaScript that runs when everything is there. When it has run, the body
/// has the attribute data-ready="yes"; an error in it becomes the text of an element of class "error".
std::string html_page(std::string_view title, std::string_view body, std::string_view script);

/// JavaScript: pictures of class "graph" in an element of class "viewport" are moved by dragging and zoomed by the
/// wheel; clicking a line marks it.
std::string_view viewport_script();

}  // namespace webnn::cli
