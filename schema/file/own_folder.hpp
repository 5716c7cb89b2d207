// A folder of the user alone: what is found there was put there by this user, and nobody else can read it. Files are
// opened first and examined then, by their descriptors, and no symbolic link is followed, so that nothing changes
// between the check and the use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "schema/file/descriptor.hpp"

namespace webnn::schema {

class OwnFolder {
 public:
  enum class Missing : bool { stays, is_made };

  /// Opens the folder; where it is missing and shall be made, with all folders above it, for the user alone (0700).
  /// Rights of others in a folder of this user are taken away. Nullopt, with the reason in `why`, for a folder of
  /// another user, or when it cannot be opened.
  static std::optional<OwnFolder> open(const std::filesystem::path& path, Missing missing, std::string& why);

  /// Opens a regular file of this user that nobody else can write to; empty for anything else. `flags` as for open(2);
  /// with O_CREAT a missing file is made for this user alone.
  Descriptor file(const std::string& name, int flags) const;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return folder_.get(); }

 private:
  OwnFolder(std::filesystem::path path, Descriptor folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  Descriptor folder_;
};

}  // namespace webnn::schema
