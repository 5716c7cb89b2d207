// Names of files to read, and who gave them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace webnn::compiler {

/// The name of a file to read. What the user named may be anything: a regular file, a pipe, a device, a link to any of
/// these. What was found in a folder that the user named may be a stranger's: it is only read when it is a regular file
/// below that folder, and no symbolic link on the way leads out of it.
struct FileName {
  FileName(std::filesystem::path named) : path(std::move(named)) {}
  FileName(const std::string& named) : path(named) {}
  FileName(const char* named) : path(named) {}
  /// `path` begins with `folder`; an empty folder is the current one.
  static FileName found(const std::filesystem::path& folder, std::filesystem::path path) {
    FileName name(std::move(path));
    name.folder = folder.empty() ? std::filesystem::path(".") : folder;
    return name;
  }

  std::string string() const { return path.string(); }

  std::filesystem::path path;
  std::filesystem::path folder;  // empty: the user named the file
};

}  // namespace webnn::compiler
