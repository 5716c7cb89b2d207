// Golden texts: expected output kept in files beside the tests, renewed by `webnn-tests --bless` and reviewed like
// code.
#pragma once

#include <filesystem>
#include <string>

namespace webnn::tests {

/// Whether this run renews golden files.
bool blessing();
void set_blessing(bool on);

/// Compares `actual` with the file `path` (relative to the repository's root); a difference fails the running test and
/// shows the first line that differs. When blessing, writes the file instead.
void check_golden(const std::filesystem::path& path, const std::string& actual);

}  // namespace webnn::tests
