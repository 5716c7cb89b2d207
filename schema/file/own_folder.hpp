// A folder of the user alone: what is found there was put there by this user, and nobody else can read it. Files are
// opened first and examined then, by their descriptors, and no symbolic link is followed, so that nothing changes
// between the check and the use.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace webnn::schema {

/// An open file, which is closed with this object.
class OwnFile {
 public:
  OwnFile() = default;
  explicit OwnFile(int descriptor) : descriptor_(descriptor) {}
  OwnFile(OwnFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnFile& operator=(OwnFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~OwnFile();

  int descriptor() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

class OwnFolder {
 public:
  enum class Missing : bool { stays, is_made };

  /// Opens the folder; where it is missing and shall be made, with all folders above it, for the user alone (0700).
  /// Rights of others in a folder of this user are taken away. Nullopt, with the reason in `why`, for a folder of
  /// another user, or when it cannot be opened.
  static std::optional<OwnFolder> open(const std::filesystem::path& path, Missing missing, std::string& why);

  /// Opens a regular file of this user that nobody else can write to; empty for anything else. `flags` as for open(2);
  /// with O_CREAT a missing file is made for this user alone.
  OwnFile file(const std::string& name, int flags) const;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return folder_.descriptor(); }

 private:
  OwnFolder(std::filesystem::path path, OwnFile folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  std::filesystem::path path_;
  OwnFile folder_;
};

}  // namespace webnn::schema
