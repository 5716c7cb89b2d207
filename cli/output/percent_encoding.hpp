// Text for names of files and URIs.
#pragma once

#include <string>
#include <string_view>

namespace webnn::cli {

/// Every byte but ASCII letters, digits and those of `plain` as %XX.
std::string percent_encoded(std::string_view text, std::string_view plain);

}  // namespace webnn::cli
