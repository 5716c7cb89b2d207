// Files as bytes: mapped read-only, so that weights are not copied, and never from outside of a given folder when a
// file's name comes with a model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "schema/elements/bytes.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// The whole content of a file that the user named: a regular file, a pipe or a device. Throws Error: io when it cannot
/// be read, resource when it is longer than `max_bytes`.
std::string read_whole_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// The same as bytes; a regular file is mapped. A mapped file must not be cut short while it is in use.
Bytes map_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// Zeros that take no memory until they are read. Throws Error (resource).
Bytes untouched_zeros(std::uint64_t size);

/// Hands the pages of a mapped file back to the system, so that they count as this process's memory no longer; they
/// come from the file again when they are read. Other bytes are left alone.
void release_pages(const Bytes& bytes);

struct FileBeneath {
  enum class Status : std::uint8_t { mapped, absent, unsafe, unreadable };
  Status status = Status::absent;
  Bytes bytes;
  std::string reason;  // when unsafe or unreadable: the rest of a sentence that begins with the file's name
};

/// Maps the file `relative` of `folder` without ever leaving the folder: no absolute path, no "..", no symbolic link
/// that leads out, no second name of a file elsewhere (hard link), regular files only. What is checked is what is
/// opened: the kernel resolves the path below the folder (openat2), and the rest is asked of the open file.
FileBeneath map_beneath(const std::filesystem::path& folder, std::string_view relative);

}  // namespace webnn::compiler
