// Pages in a real browser, when one is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace webnn::tests {

/// The document after its scripts have run in headless Chromium without a network; nullopt when no Chromium is
/// installed.
std::optional<std::string> rendered_page(const std::filesystem::path& page);

/// The same of a page that we write: its scripts must have come to their end without an error. Skips this part of
/// the test case when no Chromium is installed.
std::optional<std::string> page_without_errors(const std::filesystem::path& page);

}  // namespace webnn::tests
