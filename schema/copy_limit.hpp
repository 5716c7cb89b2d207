// How much memory copies of what is in a file may take: of tensors that cannot be used where they are, because of their
// type or their address, and of names and lists. Each may be copied a few times, but many may be the same bytes of the
// file, and a small file must not turn into much memory.
#pragma once

#include <algorithm>
#include <cstdint>

namespace webnn::schema {

class CopyLimit {
 public:
  /// `most_bytes`: of all copies, however small the files are.
  explicit CopyLimit(std::uint64_t most_bytes, std::uint64_t file_bytes = 0)
      : most_bytes_(most_bytes), file_bytes_(file_bytes) {}

  void add_file(std::uint64_t bytes) { file_bytes_ += bytes; }
  /// Of all files.
  std::uint64_t file_bytes() const { return file_bytes_; }
  std::uint64_t limit() const { return most_bytes_ + 4 * file_bytes_; }
  /// Whether so many bytes more may be copied.
  bool take(std::uint64_t bytes) {
    if (bytes > limit() - std::min(copied_bytes_, limit())) return false;
    copied_bytes_ += bytes;
    return true;
  }

 private:
  std::uint64_t most_bytes_, file_bytes_, copied_bytes_ = 0;
};

}  // namespace webnn::schema
