#include "cli/sandbox/system_calls.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace webnn::cli {
namespace {

constexpr std::size_t longest_path = 4096;

/// Between this memory and that of a process, whose pages keep their protection (in /proc/PID/mem they do not).
ssize_t transfer(decltype(process_vm_readv) call, pid_t process, void* here, std::size_t size, std::uint64_t there) {
  const iovec own{here, size}, other{reinterpret_cast<void*>(there), size};
  return call(process, &own, 1, &other, 1, 0);
}

Reply opened(int file) { return {file, file >= 0}; }

/// A path is granted by its text, or lies below a folder that the process has open.
Reply open_at(const PendingCall& call, const Grants& grants, int folder, const std::string& path, std::uint64_t flags,
              mode_t mode) {
  if (path.empty()) return {-ENOENT};
  if (folder == AT_FDCWD || path.starts_with('/')) return opened(grants.open(path, flags, mode));
  const Descriptor base = call.file(folder);
  return base.valid() ? opened(grants.open_beneath(base.get(), path, flags)) : Reply{-EBADF};
}

Reply answer_open(const PendingCall& call, const Grants& grants) {
  return open_at(call, grants, AT_FDCWD, call.path(0), call.arguments[1], mode_t(call.arguments[2]));
}

Reply answer_openat(const PendingCall& call, const Grants& grants) {
  return open_at(call, grants, call.number(0), call.path(1), call.arguments[2], mode_t(call.arguments[3]));
}

Reply answer_openat2(const PendingCall& call, const Grants& grants) {
  open_how how{};
  if (call.arguments[3] != sizeof how || !call.read(2, &how, sizeof how)) return {-EINVAL};
  return open_at(call, grants, call.number(0), call.path(1), how.flags, mode_t(how.mode));
}

Reply stored(const PendingCall& call, std::size_t argument, int error, const struct stat& status) {
  if (error < 0) return {error};
  return {call.write(argument, &status, sizeof status) ? 0 : -EFAULT};
}

Reply answer_stat(const PendingCall& call, const Grants& grants) {
  struct stat status {};
  return stored(call, 1, grants.status(call.path(0), status), status);
}

Reply answer_newfstatat(const PendingCall& call, const Grants& grants) {
  struct stat status {};
  const std::string path = call.path(1);
  const int folder = call.number(0);
  if (!path.empty() && (folder == AT_FDCWD || path.starts_with('/')))
    return stored(call, 2, grants.status(path, status), status);
  const Descriptor base = call.file(folder);
  if (!base.valid()) return {-EBADF};
  if (path.empty()) return stored(call, 2, fstat(base.get(), &status) == 0 ? 0 : -errno, status);
  const std::uint64_t flags = (call.arguments[3] & AT_SYMLINK_NOFOLLOW) != 0 ? O_NOFOLLOW : 0;
  return stored(call, 2, grants.status_beneath(base.get(), path, flags, status), status);
}

/// Only whether it is there: opening it tells the rest.
Reply answer_access(const PendingCall& call, const Grants& grants) {
  struct stat status {};
  return {grants.status(call.path(0), status)};
}

Reply answer_faccessat(const PendingCall& call, const Grants& grants) {
  struct stat status {};
  return {call.number(0) == AT_FDCWD ? grants.status(call.path(1), status) : -EACCES};
}

bool at_working_folder(const PendingCall& call, std::size_t argument) { return call.number(argument) == AT_FDCWD; }

Reply answer_rename(const PendingCall& call, const Grants& grants) {
  return {grants.rename(call.path(0), call.path(1))};
}

Reply answer_renameat(const PendingCall& call, const Grants& grants) {
  if (!at_working_folder(call, 0) || !at_working_folder(call, 2)) return {-EACCES};
  return {grants.rename(call.path(1), call.path(3))};
}

Reply answer_unlink(const PendingCall& call, const Grants& grants) { return {grants.remove(call.path(0))}; }

Reply answer_unlinkat(const PendingCall& call, const Grants& grants) {
  return {at_working_folder(call, 0) ? grants.remove(call.path(1)) : -EACCES};
}

/// Of a file that was opened without a name: "/proc/self/fd/7".
Reply answer_linkat(const PendingCall& call, const Grants& grants) {
  constexpr std::string_view own = "/proc/self/fd/";
  const std::string from = call.path(1);
  if (!from.starts_with(own) || !at_working_folder(call, 2)) return {-EACCES};
  const Descriptor file = call.file(std::atoi(from.c_str() + own.size()));
  return {file.valid() ? grants.link(file.get(), call.path(3)) : -EBADF};
}

std::string folder_of_threads(const PendingCall& call) { return "/proc/" + std::to_string(call.process) + "/task"; }

/// Of this process only.
Reply answer_setaffinity(const PendingCall& call, const Grants&) {
  const std::string thread = folder_of_threads(call) + "/" + std::to_string(call.number(0));
  return call.number(0) == 0 || ::access(thread.c_str(), F_OK) == 0 ? Reply{.is_of_system = true} : Reply{-EPERM};
}

Reply answer_clone(const PendingCall& call, const Grants&) {
  struct stat folder {};  // with a link for each thread and two of its own
  if (stat(folder_of_threads(call).c_str(), &folder) != 0) return {-EAGAIN};
  return folder.st_nlink < call.most_threads + 2 ? Reply{.is_of_system = true} : Reply{-EAGAIN};
}

constexpr std::uint64_t all_bits = ~std::uint64_t{0}, low_half = 0xffffffff;

}  // namespace

std::vector<SystemCall> system_calls(pid_t process) {
  using enum Verdict;
  constexpr std::uint64_t thread = CLONE_VM | CLONE_THREAD | CLONE_SIGHAND;
  const auto itself = std::uint64_t(process);
  const auto is = [](unsigned argument, std::uint64_t value, std::uint64_t mask = low_half) {
    return std::vector<Condition>{{argument, mask, value}};
  };
  std::vector<SystemCall> table = {
      // Memory: all that can be written is private, so that the limit counts it. Libraries write and run code (JIT).
      {"brk"},
      {"madvise"},
      {"mmap", allow, is(3, 0, MAP_SHARED | MAP_GROWSDOWN)},
      {"mprotect"},
      {"mremap"},
      {"munmap"},
      // Open files.
      {"close"},
      {"close_range"},
      {"dup"},
      {"fadvise64"},
      {"fcntl", allow, is(1, F_DUPFD_CLOEXEC)},
      {"fcntl", allow, is(1, F_GETFD)},
      {"fcntl", allow, is(1, F_GETFL)},
      {"fcntl", allow, is(1, F_SETFD)},
      {"fdatasync"},
      {"fstat"},
      {"fsync"},
      {"getdents64"},
      {"ioctl", allow, is(1, TCGETS)},
      {"ioctl", allow, is(1, TIOCGWINSZ)},
      {"ioctl", allow, is(1, FIONREAD)},
      {"lseek"},
      {"poll"},
      {"ppoll"},
      {"pread64"},
      {"pwrite64"},
      {"read"},
      {"readv"},
      {"write"},
      {"writev"},
      // Threads of this process.
      {"clone", ask, is(0, thread, thread), answer_clone},
      {"clone3", absent},
      {"exit"},
      {"exit_group"},
      {"futex"},
      {"getcpu"},
      {"membarrier"},
      {"rseq"},
      {"sched_getaffinity", allow, is(0, 0)},
      {"sched_getaffinity", allow, is(0, itself)},
      {"sched_getparam", allow, is(0, 0)},
      {"sched_getscheduler", allow, is(0, 0)},
      {"sched_setaffinity", ask, {}, answer_setaffinity},
      {"sched_yield"},
      {"set_robust_list"},
      {"set_tid_address"},
      // Signals to itself.
      {"restart_syscall"},
      {"rt_sigaction"},
      {"rt_sigprocmask"},
      {"rt_sigreturn"},
      {"sigaltstack"},
      {"tgkill", allow, is(0, itself)},
      // Time and facts.
      {"arch_prctl"},
      {"clock_getres"},
      {"clock_gettime"},
      {"clock_nanosleep"},
      {"getcwd"},
      {"getegid"},
      {"geteuid"},
      {"getgid"},
      {"getpid"},
      {"getppid"},
      {"getrandom"},
      {"getrlimit"},
      {"getrusage"},
      {"gettid"},
      {"gettimeofday"},
      {"getuid"},
      {"nanosleep"},
      {"prctl", allow, is(0, PR_SET_NAME)},
      {"prlimit64", allow, {{0, low_half, 0}, {2, all_bits, 0}}},
      {"sysinfo"},
      {"time"},
      {"times"},
      {"uname"},
      // Files: the supervisor opens, creates and names them, or not.
      {"access", ask, {}, answer_access},
      {"faccessat", ask, {}, answer_faccessat},
      {"faccessat2", ask, {}, answer_faccessat},
      {"linkat", ask, {}, answer_linkat},
      {"lstat", ask, {}, answer_stat},
      {"newfstatat", ask, {}, answer_newfstatat},
      {"open", ask, {}, answer_open},
      {"openat", ask, {}, answer_openat},
      {"openat2", ask, {}, answer_openat2},
      {"rename", ask, {}, answer_rename},
      {"renameat", ask, {}, answer_renameat},
      {"renameat2", ask, {{4, low_half, 0}}, answer_renameat},
      {"stat", ask, {}, answer_stat},
      {"statx", absent},
      {"unlink", ask, {}, answer_unlink},
      {"unlinkat", ask, {{2, low_half, 0}}, answer_unlinkat},
  };
  return table;
}

bool PendingCall::read(std::size_t argument, void* to, std::size_t size) const {
  return transfer(process_vm_readv, process, to, size, arguments[argument]) == ssize_t(size);
}

bool PendingCall::write(std::size_t argument, const void* from, std::size_t size) const {
  return transfer(process_vm_writev, process, const_cast<void*>(from), size, arguments[argument]) == ssize_t(size);
}

std::string PendingCall::path(std::size_t argument) const {
  constexpr std::uint64_t page = 4096;
  std::string text;
  for (std::uint64_t at = arguments[argument]; text.size() < longest_path;) {
    char part[page];
    const std::size_t until_page_ends = page - at % page;  // the next page may be missing
    const ssize_t got = transfer(process_vm_readv, process, part, until_page_ends, at);
    if (got <= 0) return {};
    const auto* end = static_cast<const char*>(std::memchr(part, 0, std::size_t(got)));
    text.append(part, end ? std::size_t(end - part) : std::size_t(got));
    if (end) return text;
    at += std::uint64_t(got);
  }
  return {};
}

Descriptor PendingCall::file(int number) const {
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  return Descriptor(::open(path.c_str(), O_PATH | O_CLOEXEC));
}

}  // namespace webnn::cli
