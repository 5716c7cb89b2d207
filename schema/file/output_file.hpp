// A file that is written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace webnn::schema {

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

}  // namespace webnn::schema
