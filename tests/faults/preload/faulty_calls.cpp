// A library to be loaded before all others (LD_PRELOAD): one of a program's calls that change files, or that start a
// thread, fails or ends the program. WEBNN_FAULT is KIND:NUMBER:ACTION, or several with commas between them. KIND is
// `files`, `threads` or `nameless` (files without a name, which many file systems do not have); NUMBER counts the calls
// of that kind from 1, and 0 is all of them; ACTION is `kill`, `interrupt`, `terminate`, `half` (the first half is
// written, and that said) or the number of an error. Standard error is spared, for it tells what happened.
// WEBNN_MEMORY_FAULT is the number of the call of malloc that fails.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <iterator>
#include <pthread.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <vector>

namespace {

struct Fault {
  std::string kind, action;
  long number = 0;  // 0: every call
};

std::vector<Fault> asked_faults() {
  std::vector<Fault> faults;
  const char* const text = std::getenv("WEBNN_FAULT");
  std::istringstream all(text ? text : "");
  for (std::string one; std::getline(all, one, ',');) {
    const std::size_t first = one.find(':'), second = one.find(':', first + 1);
    faults.push_back({one.substr(0, first), one.substr(second + 1), std::atol(one.c_str() + first + 1)});
  }
  return faults;
}

enum class Outcome { usual, failed, half };

/// What becomes of the next call of this kind; `failed` has set errno.
Outcome next_call(const char* kind) {
  static const std::vector<Fault> faults = asked_faults();
  static std::atomic<long> counts[8];
  for (std::size_t i = 0; i < faults.size() && i < std::size(counts); ++i) {
    const auto& [of_kind, action, number] = faults[i];
    if (of_kind != kind || (++counts[i] != number && number != 0)) continue;
    if (action == "kill") std::raise(SIGKILL);
    if (action == "interrupt") std::raise(SIGINT);
    if (action == "terminate") std::raise(SIGTERM);
    if (action == "half") return Outcome::half;
    errno = std::atoi(action.c_str());
    return Outcome::failed;
  }
  return Outcome::usual;
}

template <typename Function>
Function* usual(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool fails(const char* kind = "files") { return next_call(kind) == Outcome::failed; }

/// A call that opens a file.
bool fails_to_open(int flags) {
  if ((flags & O_TMPFILE) == O_TMPFILE && fails("nameless")) return true;
  return (flags & (O_CREAT | O_WRONLY | O_RDWR | O_TRUNC)) != 0 && fails();
}

/// Allocates nothing.
bool memory_fails() {
  static const long number = [] {
    const char* const text = std::getenv("WEBNN_MEMORY_FAULT");
    return text ? std::atol(text) : 0;
  }();
  static std::atomic<long> count;
  return number != 0 && ++count == number;
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t bytes);  // glibc's
void* malloc(size_t bytes) {
  if (!memory_fails()) return __libc_malloc(bytes);
  errno = ENOMEM;
  return nullptr;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (fails_to_open(flags)) return -1;
  return usual<int(const char*, int, ...)>("open")(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  if (fails_to_open(flags)) return -1;
  return usual<int(int, const char*, int, ...)>("openat")(folder, path, flags, mode);
}

ssize_t write(int file, const void* from, size_t size) {
  const Outcome outcome = file == STDERR_FILENO ? Outcome::usual : next_call("files");
  if (outcome == Outcome::failed) return -1;
  if (outcome == Outcome::half && size > 1) size /= 2;
  return usual<ssize_t(int, const void*, size_t)>("write")(file, from, size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  if (file != STDERR_FILENO && fails()) return -1;
  return usual<ssize_t(int, const iovec*, int)>("writev")(file, parts, count);
}

ssize_t pwrite(int file, const void* from, size_t size, off_t at) {
  return fails() ? -1 : usual<ssize_t(int, const void*, size_t, off_t)>("pwrite")(file, from, size, at);
}
int fsync(int file) { return fails() ? -1 : usual<int(int)>("fsync")(file); }
int mkdir(const char* path, mode_t mode) { return fails() ? -1 : usual<int(const char*, mode_t)>("mkdir")(path, mode); }
int unlink(const char* path) { return fails() ? -1 : usual<int(const char*)>("unlink")(path); }
int unlinkat(int folder, const char* path, int flags) {
  return fails() ? -1 : usual<int(int, const char*, int)>("unlinkat")(folder, path, flags);
}
int rename(const char* from, const char* to) {
  return fails() ? -1 : usual<int(const char*, const char*)>("rename")(from, to);
}
int renameat(int from_folder, const char* from, int to_folder, const char* to) {
  return fails() ? -1 : usual<int(int, const char*, int, const char*)>("renameat")(from_folder, from, to_folder, to);
}
int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  if (fails()) return -1;
  return usual<int(int, const char*, int, const char*, int)>("linkat")(from_folder, from, to_folder, to, flags);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument) {
  if (fails("threads")) return errno;
  using Function = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return usual<Function>("pthread_create")(thread, attributes, start, argument);
}

}  // extern "C"
