// Files that a command writes: whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace webnn::cli {

/// A tensor's name as a file name: every byte outside [A-Za-z0-9_-] becomes %XX, so that no name leaves its folder.
std::string file_name_of(std::string_view tensor_name);

/// A file under construction, in the target's folder, which is made. It has no name until `commit`, so that nothing is
/// left of it when the process dies; where the file system has no nameless files it has a temporary name. `commit`
/// syncs it and puts it in the target's place at once. Long runs of zeros take no room on the disk. A target that is a
/// pipe or a device is written directly, a symbolic link is followed. Everything throws Error (io).
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& target);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view content);
  /// `no`: faster, but what a crash of the machine leaves may be damaged.
  enum class Sync : std::uint8_t { yes, no };
  void commit(Sync sync = Sync::yes);

 private:
  void write_all(std::string_view content);
  std::string temporary_name() const;
  [[noreturn]] void fail(const char* verb) const;

  std::filesystem::path target_;
  std::string name_;  // of the temporary file; empty while it has none
  int descriptor_ = -1;
  bool direct_ = false;     // the descriptor is the target's own
  std::uint64_t size_ = 0;  // with the holes that long runs of zeros become
};

/// Creates the folder if need be. Throws Error (io) when no file can be written there.
void check_writable_folder(const std::filesystem::path& folder);

/// Writes to a temporary file in the same folder, syncs and renames; on failure nothing is left. Throws Error (io).
void write_whole_file(const std::filesystem::path& file, std::string_view content);

}  // namespace webnn::cli
