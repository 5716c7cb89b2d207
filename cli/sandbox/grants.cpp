#include "cli/sandbox/grants.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <linux/openat2.h>
#include <poll.h>
#include <sys/syscall.h>
#include <thread>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

namespace fs = std::filesystem;
using schema::Error;
using schema::ExitCode;
using schema::in_quotes;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int no_permission = -EACCES;

int answer(long result) { return result < 0 ? -errno : int(result); }

/// "a/./b/" and "a/b" are one path.
std::string shortest(const std::string& path) {
  std::string text = fs::path(path).lexically_normal().string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

std::string folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// The folder below which everything lies that a pattern may match.
std::string fixed_folder_of(const std::string& pattern) {
  const std::size_t first = pattern.find_first_of("*?[");
  return first == std::string::npos ? pattern : folder_of(pattern.substr(0, first) + "x");
}

/// The rest of a path below a folder; empty when it does not lie there.
std::string rest_below(const std::string& folder, const std::string& path) {
  if (folder == ".") return path.starts_with('/') || path == "." || path == ".." || path.starts_with("../") ? "" : path;
  const std::string start = folder == "/" ? folder : folder + "/";
  return path.starts_with(start) ? path.substr(start.size()) : "";
}

/// Names that begin with a dot hold settings and keys more often than weights.
bool is_hidden(const std::string& path) {
  for (const fs::path& step : fs::path(path))
    if (step.string().starts_with('.') && step != ".") return true;
  return false;
}

std::string own_path(int file) { return "/proc/self/fd/" + std::to_string(file); }

/// Whether a file lies below a folder under names that are not hidden; links that led to it do not count.
bool lies_open(int folder, int file) {
  std::error_code error;
  const std::string above = fs::read_symlink(own_path(folder), error).string(),
                    path = fs::read_symlink(own_path(file), error).string();
  if (error || path.empty()) return false;
  const std::string rest = rest_below(above, path);
  return path == above || (!rest.empty() && !is_hidden(rest));
}

/// The place of a file below a folder, which is not opened yet: that could wait, or do something to a device.
int find_below(int folder, const std::string& name, std::uint64_t flags) {
  if (is_hidden(name)) return no_permission;
  open_how how{};
  how.flags = flags | O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  const int number = answer(syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how));
  if (number < 0) return number == -EXDEV ? no_permission : number;
  if (lies_open(folder, number)) return number;
  close(number);
  return no_permission;
}

int open_below(int folder, const std::string& name, std::uint64_t flags) {
  const int number = find_below(folder, name, flags & (O_DIRECTORY | O_NOFOLLOW));
  const Descriptor found(number);
  struct stat status {};
  if (!found.valid()) return number;
  if (fstat(number, &status) != 0) return -errno;
  if (S_ISLNK(status.st_mode)) return -ELOOP;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return no_permission;
  return answer(::open(own_path(number).c_str(), int(flags & ~std::uint64_t{O_NOFOLLOW}) | O_CLOEXEC));
}

/// How a file may be opened for reading; everything else of the flags is for writing. What is opened for its place alone
/// (O_PATH) is opened for reading, too: the kernel hands no other descriptors over.
constexpr std::uint64_t reading_flags = O_DIRECTORY | O_NONBLOCK | O_NOFOLLOW;

bool only_reads(std::uint64_t flags) {
  return (flags & O_ACCMODE) == O_RDONLY && (flags & (O_CREAT | O_TRUNC | O_APPEND)) == 0 &&
         (flags & O_TMPFILE) != O_TMPFILE;
}

/// A second descriptor of an open file: with its own position if it is a regular file, else of the same stream.
int opened_again(int file) {
  struct stat status {};
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    return answer(::open(own_path(file).c_str(), O_RDONLY | O_CLOEXEC));
  return answer(fcntl(file, F_DUPFD_CLOEXEC, 0));
}

/// Opens without waiting for the other end of a pipe; what is read or written later waits as usual.
Descriptor open_at_once(int folder, const std::string& path, int flags) {
  Descriptor opened(openat(folder, path.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
  if (opened.valid()) fcntl(opened.get(), F_SETFL, fcntl(opened.get(), F_GETFL) & ~O_NONBLOCK);
  return opened;
}

/// Whether a pipe has something to read, or had a writer, before `end`.
bool has_writer(const Descriptor& pipe, Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    pollfd file{pipe.get(), POLLIN, 0};
    if (poll(&file, 1, int(std::min<std::int64_t>(left, 1 << 30))) > 0) return true;
  }
}

bool is_pipe(const struct stat& status) { return S_ISFIFO(status.st_mode); }

Descriptor open_folder(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/// The folder of an output, created if necessary.
Descriptor open_output_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  Descriptor folder = open_folder(path);
  if (!folder.valid())
    throw Error(ExitCode::io, "cannot create the folder " + in_quotes(path) + ": " + std::strerror(errno));
  return folder;
}

}  // namespace

Grants::Grants() {
  for (const char* folder : {"/sys/devices/system/cpu", "/sys/fs/cgroup"}) read_folder(folder);
  for (const char* file : {"/proc/cpuinfo", "/proc/meminfo", "/proc/self/cgroup", "/proc/self/mountinfo"})
    read_file(file);
  // Not opened by its name: a pipe that the command does not read may have no writer.
  add_file("/dev/stdin", Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)));
}

void Grants::add(const UsedFile& used) {
  const std::string& value = used.value;
  if (value.empty() || value == "-") return;
  std::error_code error;
  switch (used.use) {
    case FileUse::none:
      break;
    case FileUse::reads:
      read_file(value);
      break;
    case FileUse::reads_folder:
      read_folder(value);
      break;
    case FileUse::reads_model:
      if (fs::is_directory(value, error)) {
        read_folder(value);
      } else {
        read_file(value);
        read_folder(folder_of(value));
      }
      break;
    case FileUse::reads_pattern:
      if (fs::is_directory(value, error))
        read_folder(value);
      else if (fs::exists(value, error))
        read_file(value);
      else
        read_folder(fixed_folder_of(value));
      break;
    case FileUse::reads_in_spec:
      for (const std::string& file : files_in_spec(value)) read_file(file);
      break;
    case FileUse::writes:
      write_file(value);
      break;
    case FileUse::writes_results:
      read_file((fs::path(value) / record_of_results).string());
      write_folder(value);
      break;
  }
}

void Grants::add_process(pid_t process) {
  const std::string file = "/proc/" + std::to_string(process) + "/status";
  grants_.push_back({Kind::file, "/proc/self/status", Descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC))});
}

bool Grants::wait_for_pipes(Clock::time_point end) {
  for (Grant& grant : grants_) {
    struct stat status {};
    if (grant.kind == Kind::file && fstat(grant.opened.get(), &status) == 0 && is_pipe(status) &&
        grant.path != "/dev/stdin" && !has_writer(grant.opened, end))
      return false;
    while (grant.kind == Kind::output && grant.error == ENXIO &&
           fstatat(grant.opened.get(), grant.name.c_str(), &status, 0) == 0 && is_pipe(status)) {
      if (Clock::now() >= end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      open_device(grant);
    }
  }
  return true;
}

void Grants::add_file(const std::string& path, Descriptor opened) {
  const int error = opened.valid() ? 0 : errno;
  grants_.push_back({Kind::file, path, std::move(opened), error});
}

void Grants::read_file(const std::string& path) { add_file(shortest(path), open_at_once(AT_FDCWD, path, O_RDONLY)); }

void Grants::read_folder(const std::string& path) {
  if (Descriptor folder = open_folder(path); folder.valid())
    grants_.push_back({Kind::folder, shortest(path), std::move(folder)});
  else
    grants_.push_back({Kind::file, shortest(path), Descriptor(), errno});
}

void Grants::write_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool is_device = fs::exists(status) && !fs::is_regular_file(status);
  const bool is_link = fs::is_symlink(fs::symlink_status(path, error));
  const std::string target = is_link && !is_device ? fs::weakly_canonical(path, error).string() : path;
  Grant grant{Kind::output, shortest(path), open_output_folder(folder_of(target)), 0, fs::path(target).filename()};
  if (is_device) open_device(grant);
  grants_.push_back(std::move(grant));
}

void Grants::open_device(Grant& output) {
  output.device = open_at_once(output.opened.get(), output.name, O_WRONLY);
  output.error = output.device.valid() ? 0 : errno;
}

void Grants::write_folder(const std::string& path) {
  grants_.push_back({Kind::output_folder, shortest(path), open_output_folder(path)});
}

template <typename Fits>
Grants::Place Grants::find(const std::string& path, Fits fits) const {
  const std::string wanted = shortest(path);
  for (const Grant& grant : grants_)
    if (Place place = fits(grant, wanted); place.grant) return place;
  return {};
}

/// A file before a folder that it lies in: it was opened as it is, with its links.
Grants::Place Grants::place_to_read(const std::string& path) const {
  const Place named = find(path, [](const Grant& grant, const std::string& wanted) {
    return wanted == grant.path && (grant.kind == Kind::file || grant.kind == Kind::folder)
               ? Place{&grant, Part::itself, {}}
               : Place{};
  });
  if (named.grant) return named;
  return find(path, [](const Grant& grant, const std::string& wanted) {
    const std::string rest = grant.kind == Kind::folder ? rest_below(grant.path, wanted) : std::string();
    return rest.empty() ? Place{} : Place{&grant, Part::beneath, rest};
  });
}

Grants::Place Grants::place_to_write(const std::string& path) const {
  return find(path, [](const Grant& grant, const std::string& wanted) -> Place {
    if (grant.kind == Kind::output) {
      if (wanted == grant.path) return {&grant, Part::itself, grant.name};
      if (wanted == shortest(folder_of(grant.path))) return {&grant, Part::container, {}};
      const std::string end = wanted.starts_with(grant.path + ".tmp") ? wanted.substr(grant.path.size()) : "";
      if (!end.empty() && end.find('/') == end.npos) return {&grant, Part::temporary, grant.name + end};
    } else if (grant.kind == Kind::output_folder) {
      if (wanted == grant.path) return {&grant, Part::container, {}};
      const std::string rest = rest_below(grant.path, wanted);
      if (!rest.empty() && rest.find('/') == rest.npos && !is_hidden(rest))
        return {&grant, rest.find(".tmp") == rest.npos ? Part::itself : Part::temporary, rest};
    }
    return {};
  });
}

int Grants::open(const std::string& path, std::uint64_t flags, mode_t mode) const {
  if (only_reads(flags)) {
    const Place place = place_to_read(path);
    if (!place.grant) return no_permission;
    if (place.part == Part::beneath) return open_below(place.grant->opened.get(), place.name, flags & reading_flags);
    if (place.grant->kind == Kind::folder)
      return answer(openat(place.grant->opened.get(), ".", int(flags & reading_flags) | O_CLOEXEC));
    return place.grant->opened.valid() ? opened_again(place.grant->opened.get()) : -place.grant->error;
  }
  const Place place = place_to_write(path);
  if (!place.grant || (flags & O_ACCMODE) != O_WRONLY) return no_permission;
  const Grant& grant = *place.grant;
  if ((flags & O_TMPFILE) == O_TMPFILE)
    return place.part == Part::container
               ? answer(openat(grant.opened.get(), ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode))
               : no_permission;
  if (place.part == Part::temporary && (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
    return answer(
        openat(grant.opened.get(), place.name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (grant.device.valid()) return answer(fcntl(grant.device.get(), F_DUPFD_CLOEXEC, 0));
  return grant.error ? -grant.error : no_permission;
}

int Grants::open_beneath(int folder, const std::string& path, std::uint64_t flags) const {
  return only_reads(flags) ? open_below(folder, path, flags & reading_flags) : no_permission;
}

int Grants::status(const std::string& path, struct stat& result) const {
  Place place = place_to_read(path);
  if (!place.grant) place = place_to_write(path);
  if (!place.grant) return no_permission;
  const Grant& grant = *place.grant;
  if (grant.device.valid() && place.part == Part::itself) return answer(fstat(grant.device.get(), &result));
  if (place.name.empty()) return grant.opened.valid() ? answer(fstat(grant.opened.get(), &result)) : -grant.error;
  const bool is_output = grant.kind == Kind::output || grant.kind == Kind::output_folder;
  if (is_output) {
    const int error = answer(fstatat(grant.opened.get(), place.name.c_str(), &result, AT_SYMLINK_NOFOLLOW));
    return error == 0 && S_ISLNK(result.st_mode) ? -ENOENT : error;  // a link to nothing is replaced
  }
  return status_beneath(grant.opened.get(), place.name, 0, result);
}

int Grants::status_beneath(int folder, const std::string& path, std::uint64_t flags, struct stat& result) const {
  const int number = find_below(folder, path, flags & O_NOFOLLOW);
  const Descriptor found(number);
  return found.valid() ? answer(fstat(found.get(), &result)) : number;
}

int Grants::rename(const std::string& from, const std::string& to) const {
  const Place old = place_to_write(from), next = place_to_write(to);
  const bool may = old.grant && old.grant == next.grant && old.part == Part::temporary && next.part != Part::container;
  if (!may) return no_permission;
  const int folder = old.grant->opened.get();
  return answer(renameat(folder, old.name.c_str(), folder, next.name.c_str()));
}

int Grants::remove(const std::string& path) const {
  const Place place = place_to_write(path);
  if (!place.grant || place.part != Part::temporary) return no_permission;
  return answer(unlinkat(place.grant->opened.get(), place.name.c_str(), 0));
}

int Grants::link(int file, const std::string& to) const {
  const Place place = place_to_write(to);
  struct stat status {};
  const bool is_nameless = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0;
  if (!is_nameless || !place.grant || place.part == Part::container) return no_permission;
  return answer(
      linkat(AT_FDCWD, own_path(file).c_str(), place.grant->opened.get(), place.name.c_str(), AT_SYMLINK_FOLLOW));
}

}  // namespace webnn::cli
