// Files as bytes. They are mapped read-only, so that weights are not copied. A file whose name comes from a model, or
// that was found in a folder, is never opened outside of that folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "compiler/frontend/file_name.hpp"
#include "schema/elements/bytes.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// The whole content of a file. Throws Error: io when it cannot be read, resource when it is longer than `max_bytes`.
std::string read_whole_file(const FileName& file, std::uint64_t max_bytes);
/// The same where `goes_on` is true of the first MiB; otherwise the result ends there.
std::string read_whole_file(const FileName& file, std::uint64_t max_bytes,
                            const std::function<bool(std::string_view start)>& goes_on);

/// The first bytes of a regular file, at most `bytes`. Empty for other files, whose start could not be read again, and for
/// those that cannot be read.
std::string read_start(const FileName& file, std::size_t bytes);

/// The same as bytes; a regular file is mapped. If it is cut short while it is in use, the rest reads as zeros and
/// `check_not_cut` says so (schema/file/file_mapping.hpp).
Bytes map_file(const FileName& file, std::uint64_t max_bytes);

/// The same for content that tells how long it is. From a pipe or a device, which may have no end, first `start_bytes`
/// bytes are read (or all, if there are fewer), then as many in all as `length` of these says, and one more if there is
/// one. A regular file is mapped whole.
Bytes map_file_as_asked(const FileName& file, std::size_t start_bytes,
                        const std::function<std::uint64_t(std::string_view start)>& length);

/// Zeros that take no memory until they are read. Throws Error (resource).
Bytes untouched_zeros(std::uint64_t size);

/// Returns the pages of a mapped file to the system, so that they no longer count as this process's memory; they are
/// read from the file again when needed. Has no effect on other bytes.
void release_pages(const Bytes& bytes);

struct FileBeneath {
  enum class Status : std::uint8_t { mapped, absent, unsafe, unreadable };
  Status status = Status::absent;
  Bytes bytes;
  std::string reason;  // when unsafe or unreadable: the rest of a sentence that begins with the file name
};

/// Maps the file `relative` of `folder` without ever leaving the folder: no absolute path, no "..", no symbolic link
/// that leads out, no hard link, regular files only. There is no race between check and use: the kernel resolves the
/// path below the folder (openat2), and everything else is checked on the open file.
FileBeneath map_beneath(const std::filesystem::path& folder, std::string_view relative);

}  // namespace webnn::compiler
