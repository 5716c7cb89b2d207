// The repository's own source files, as the tests of its structure see them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace webnn::tests {

struct SourceFile {
  std::string path;  // relative to the repository's root, with slashes
  std::string text;
  std::string folder() const { return std::filesystem::path(path).parent_path().generic_string(); }
};

/// The top-level folders that hold sources.
const std::vector<std::string>& source_folders();

/// Every file below the source folders whose extension is one of `extensions`, sorted by path.
std::vector<SourceFile> source_files(const std::vector<std::string>& extensions);

/// `text` cut at line ends.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace webnn::tests
