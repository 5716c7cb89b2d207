// Self-contained HTML pages: they need no network and no other files.
#pragma once

#include <string>
#include <string_view>

namespace webnn::cli {

/// A complete document. `body` is HTML, `script` is JavaScript that runs after loading. Afterwards the body has the
/// attribute data-ready="yes"; an error becomes the text of an element of class "error".
std::string html_page(std::string_view title, std::string_view body, std::string_view script);

/// JavaScript: pictures of class "graph" in an element of class "viewport" can be dragged, and zoomed with the wheel;
/// clicking a line marks it.
std::string_view viewport_script();

}  // namespace webnn::cli
