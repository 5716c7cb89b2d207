#include "compiler/frontend/mapped_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <linux/openat2.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "schema/error.hpp"
#include "schema/file/descriptor.hpp"
#include "schema/file/file_mapping.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// A file that was opened, in memory.
Bytes map_whole(const Descriptor& descriptor, std::size_t bytes, const std::filesystem::path& file) {
  Bytes mapped = map_open_file(descriptor.get(), bytes, file.string());
  if (mapped.size() == 0 && errno == ENOMEM)
    throw Error(ExitCode::resource, "no address space for " + std::to_string(bytes) + " bytes");
  return mapped;
}

std::string cannot_read(const std::filesystem::path& file, int error) {
  return "cannot read " + in_quotes(file.string()) + ": " + std::strerror(error);
}

/// Opens the path component by component and follows no symbolic links; for kernels without openat2.
Descriptor open_step_by_step(const Descriptor& folder, const std::filesystem::path& relative) {
  Descriptor at(fcntl(folder.get(), F_DUPFD_CLOEXEC, 0));
  std::vector<std::filesystem::path> steps(relative.begin(), relative.end());
  for (std::size_t i = 0; i < steps.size() && at.valid(); ++i) {
    const int kind = i + 1 < steps.size() ? O_DIRECTORY : 0;
    Descriptor next(openat(at.get(), steps[i].c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | kind));
    struct stat status {};  // a link to a folder is called no folder, and is a link all the same
    if (!next.valid() && errno == ENOTDIR && fstatat(at.get(), steps[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(status.st_mode))
      errno = ELOOP;
    at = std::move(next);
  }
  return at;
}

Descriptor open_beneath(const Descriptor& folder, const std::filesystem::path& relative) {
  open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;  // a pipe without a writer must not block
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const long number = syscall(SYS_openat2, folder.get(), relative.c_str(), &how, sizeof how);
  if (number < 0 && (errno == ENOSYS || errno == EPERM)) return open_step_by_step(folder, relative);
  return Descriptor(int(number));
}

Descriptor open_folder(const std::filesystem::path& folder) {
  return Descriptor(open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

struct RegularFile {
  Descriptor descriptor;  // valid, or one of the next two says why not
  std::string unsafe;     // the rest of a sentence that begins with the file name
  int error = 0;          // of the system
  struct stat status {};
};

/// Opens a regular file below a folder, which messages call `folder_name`.
RegularFile open_regular(const Descriptor& folder, const std::filesystem::path& relative,
                         const std::string& folder_name) {
  RegularFile file;
  for (const auto& step : relative)
    if (step == "..") file.unsafe = "leads out of " + folder_name;
  if (!file.unsafe.empty()) return file;
  Descriptor descriptor = open_beneath(folder, relative);
  if (!descriptor.valid() && (errno == EXDEV || errno == ELOOP))
    file.unsafe = "is a symbolic link that cannot be followed within " + folder_name;
  else if (!descriptor.valid() || fstat(descriptor.get(), &file.status) != 0)
    file.error = errno;
  else if (!S_ISREG(file.status.st_mode))
    file.unsafe = "is not a regular file";
  else
    file.descriptor = std::move(descriptor);
  return file;
}

Descriptor open_found(const FileName& name) {
  const Descriptor folder = open_folder(name.folder);
  if (!folder.valid()) throw Error(ExitCode::io, cannot_read(name.folder, errno));
  RegularFile file = open_regular(folder, name.path.lexically_relative(name.folder), in_quotes(name.folder.string()));
  if (!file.unsafe.empty())
    throw Error(ExitCode::io, in_quotes(name.string()) + " " + file.unsafe, "name the file itself to have it read");
  if (!file.descriptor.valid()) throw Error(ExitCode::io, cannot_read(name.path, file.error));
  return std::move(file.descriptor);
}

Descriptor open_named(const FileName& file) {
  if (!file.folder.empty()) return open_found(file);
  Descriptor descriptor(open(file.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!descriptor.valid()) throw Error(ExitCode::io, cannot_read(file.path, errno));
  return descriptor;
}

[[noreturn]] void too_long(const std::filesystem::path& file, std::uint64_t max_bytes) {
  throw Error(ExitCode::resource,
              in_quotes(file.string()) + " is longer than the limit of " + std::to_string(max_bytes) + " bytes");
}

using GoesOn = std::function<bool(std::string_view start)>;

std::string read_descriptor(const Descriptor& descriptor, const std::filesystem::path& file, std::uint64_t max_bytes,
                            const GoesOn& goes_on = {}) {
  constexpr std::size_t block = std::size_t{1} << 20;
  std::string content;
  struct stat status {};
  if (fstat(descriptor.get(), &status) == 0 && S_ISREG(status.st_mode)) {
    if (std::uint64_t(status.st_size) > max_bytes) too_long(file, max_bytes);
    content.reserve(std::size_t(status.st_size) + block);  // otherwise the last block would double the string
  }
  for (bool is_asked = false;;) {
    const std::size_t old = content.size();
    if (old >= block && goes_on && !std::exchange(is_asked, true) && !goes_on(content)) return content;
    content.resize(old + block);
    const ssize_t got = ::read(descriptor.get(), content.data() + old, block);
    if (got < 0 && errno == EINTR) {
      content.resize(old);
      continue;
    }
    if (got < 0) throw Error(ExitCode::io, cannot_read(file, errno));
    content.resize(old + std::size_t(got));
    if (content.size() > max_bytes) too_long(file, max_bytes);
    if (got == 0) return content;
  }
}

/// Reads on until there are `bytes` bytes or the content ends.
void read_until(const Descriptor& descriptor, const std::filesystem::path& file, std::uint64_t bytes,
                std::string& content) {
  constexpr std::uint64_t block = std::uint64_t{1} << 20;
  while (content.size() < bytes) {
    const std::size_t old = content.size(), most = std::size_t(std::min(block, bytes - old));
    content.resize(old + most);
    const ssize_t got = ::read(descriptor.get(), content.data() + old, most);
    content.resize(old + std::size_t(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno != EINTR) throw Error(ExitCode::io, cannot_read(file, errno));
    if (got == 0) return;
  }
}

}  // namespace

std::string read_whole_file(const FileName& file, std::uint64_t max_bytes) {
  return read_descriptor(open_named(file), file.path, max_bytes);
}

std::string read_whole_file(const FileName& file, std::uint64_t max_bytes, const GoesOn& goes_on) {
  return read_descriptor(open_named(file), file.path, max_bytes, goes_on);
}

std::string read_start(const FileName& file, std::size_t bytes) try {
  std::error_code error;
  std::string start;
  if (!std::filesystem::is_regular_file(file.path, error)) return start;
  read_until(open_named(file), file.path, bytes, start);
  return start;
} catch (const Error&) {
  return {};
}

namespace {

struct stat status_of(const Descriptor& descriptor, const FileName& file) {
  struct stat status {};
  if (fstat(descriptor.get(), &status) != 0) throw Error(ExitCode::io, cannot_read(file.path, errno));
  return status;
}

Bytes map_descriptor(const Descriptor& descriptor, const struct stat& status, const FileName& file,
                     std::uint64_t max_bytes) {
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    if (std::uint64_t(status.st_size) > max_bytes) too_long(file.path, max_bytes);
    Bytes bytes = map_whole(descriptor, std::size_t(status.st_size), file.path);
    if (bytes.size() == 0) throw Error(ExitCode::io, cannot_read(file.path, errno));
    return bytes;
  }
  const std::string content = read_descriptor(descriptor, file.path, max_bytes);
  const auto* first = reinterpret_cast<const std::byte*>(content.data());
  return Bytes(std::vector<std::byte>(first, first + content.size()));
}

}  // namespace

Bytes map_file(const FileName& file, std::uint64_t max_bytes) {
  const Descriptor descriptor = open_named(file);
  return map_descriptor(descriptor, status_of(descriptor, file), file, max_bytes);
}

Bytes map_file_as_asked(const FileName& file, std::size_t start_bytes,
                        const std::function<std::uint64_t(std::string_view start)>& length) {
  const Descriptor descriptor = open_named(file);
  const struct stat status = status_of(descriptor, file);
  if (S_ISREG(status.st_mode))
    return map_descriptor(descriptor, status, file, std::numeric_limits<std::uint64_t>::max());
  auto content = std::make_shared<std::string>();
  read_until(descriptor, file.path, start_bytes, *content);
  const std::uint64_t whole = length(*content);
  if (whole + 1 > content->size()) read_until(descriptor, file.path, whole + 1, *content);
  return Bytes(content, std::as_bytes(std::span(*content)));
}

Bytes untouched_zeros(std::uint64_t size) {
  void* const address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw Error(ExitCode::resource, "no address space for " + std::to_string(size) + " bytes");
  std::shared_ptr<const void> owner(address, [size](const void* memory) { munmap(const_cast<void*>(memory), size); });
  return Bytes(std::move(owner), {static_cast<const std::byte*>(address), size});
}

void release_pages(const Bytes& bytes) {
  if (!bytes.is_mapped() || bytes.size() == 0) return;
  const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(bytes.data()) + bytes.size();
  // Whole pages, including those shared with neighbours: nothing was written to them, so nothing is lost.
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

FileBeneath map_beneath(const std::filesystem::path& folder, std::string_view relative) {
  using Status = FileBeneath::Status;
  const std::filesystem::path path(relative);
  if (relative.empty() || relative.find('\0') != relative.npos || path.is_absolute())
    return {Status::unsafe, {}, "is no path below the model's folder"};

  const Descriptor base = open_folder(folder);
  if (!base.valid()) return {Status::unreadable, {}, std::string("cannot be reached: ") + std::strerror(errno)};
  const RegularFile file = open_regular(base, path, "the model's folder");
  if (!file.unsafe.empty()) return {Status::unsafe, {}, file.unsafe};
  if (file.error == ENOENT || file.error == ENOTDIR) return {Status::absent, {}, {}};
  if (file.error != 0) return {Status::unreadable, {}, std::string("cannot be read: ") + std::strerror(file.error)};
  // A hard link cannot be distinguished from the original, which may be anywhere.
  if (file.status.st_nlink > 1) return {Status::unsafe, {}, "has a second name elsewhere (hard link)"};
  if (file.status.st_size == 0) return {Status::mapped, {}, {}};
  Bytes bytes = map_whole(file.descriptor, std::size_t(file.status.st_size), folder / path);
  if (bytes.size() == 0) return {Status::unreadable, {}, std::string("cannot be mapped: ") + std::strerror(errno)};
  return {Status::mapped, std::move(bytes), {}};
}

}  // namespace webnn::compiler
