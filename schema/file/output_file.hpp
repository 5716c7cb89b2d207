// A file that is written completely or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace webnn::schema {

/// A file under construction in the folder of the target; the folder is created if necessary. The file has no name
/// until `commit`, so nothing remains when the process dies; file systems without nameless files get a temporary name.
/// `commit` syncs it and atomically replaces the target. Long runs of zeros take no disk space. A target that is a pipe
/// or a device is written directly; a symbolic link is followed. Nothing is committed while a mapped file that was cut
/// short is in use. Small pieces are written together, the last of them by `commit`. Every function may throw Error (io).
class OutputFile {
 public:
  /// Who may read it: everybody whom the process's mask of rights lets, or the user alone.
  enum class Readers : std::uint8_t { all, user };
  explicit OutputFile(const std::filesystem::path& target, Readers readers = Readers::all);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view content);
  /// `no` is faster, but the file may be damaged after a crash of the machine.
  enum class Sync : std::uint8_t { yes, no };
  /// Everything but the name: of several files that belong together, none replaces another while one may not fit on the
  /// disk. `commit` does it for a file alone.
  void finish(Sync sync = Sync::yes);
  void commit(Sync sync = Sync::yes);

 private:
  void flush();
  void write_all(std::string_view content);
  std::string temporary_name() const;
  [[noreturn]] void fail(const char* verb) const;

  std::filesystem::path target_;
  std::string name_;  // of the temporary file; empty while it has none
  int descriptor_ = -1;
  bool direct_ = false;     // the descriptor belongs to the target itself
  std::uint64_t size_ = 0;  // including the holes of long runs of zeros
  std::string waiting_;     // small pieces, written together
  bool is_finished_ = false;
};

/// Whether this is how a file is named that has not been finished; it stays when the process that writes it is killed.
bool is_temporary_name(std::string_view file);

}  // namespace webnn::schema
