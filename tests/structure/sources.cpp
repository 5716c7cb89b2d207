// Finds the repository's own source files; see the header.
#include "tests/structure/sources.hpp"

#include <algorithm>
#include <sstream>

#include "tests/harness/paths.hpp"

namespace webnn::tests {

namespace fs = std::filesystem;

const std::vector<std::string>& source_folders() {
  static const std::vector<std::string> folders = {"schema", "compiler", "runtime",    "api",      "bindings", "cli",
                                                   "models", "tests",    "benchmarks", "examples", "docs"};
  return folders;
}

std::vector<SourceFile> source_files(const std::vector<std::string>& extensions) {
  std::vector<SourceFile> files;
  for (const std::string& folder : source_folders()) {
    if (!fs::is_directory(source_dir() / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(source_dir() / folder)) {
      const std::string extension = entry.path().extension().string();
      if (!entry.is_regular_file() || std::ranges::find(extensions, extension) == extensions.end()) continue;
      files.push_back({fs::relative(entry.path(), source_dir()).generic_string(), read_file(entry.path())});
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace webnn::tests
