#include "schema/file/file_mapping.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::schema {
namespace {

std::string identity_text(const struct stat& status) {
  const auto time = [](const timespec& when) {
    return std::to_string(when.tv_sec) + "." + std::to_string(when.tv_nsec);
  };
  return std::to_string(status.st_size) + " bytes, inode " + std::to_string(status.st_dev) + ":" +
         std::to_string(status.st_ino) + ", changed " + time(status.st_mtim) + ", " + time(status.st_ctim);
}

/// One mapping. The list is read by a signal handler, which can wait for nobody: entries are never freed, only used
/// again, and `begin` is 0 while an entry is free.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0, end = 0;
  std::atomic<bool> was_cut = false;
  std::atomic<bool> is_taken = true;
  std::string name, identity;  // read only by those who hold the bytes
  Mapping* next = nullptr;
};

std::atomic<Mapping*> mappings = nullptr;
std::atomic<std::uint64_t> cuts = 0;  // of all files so far
struct sigaction action_before {};

Mapping* mapping_at(std::uintptr_t address) {
  for (Mapping* mapping = mappings.load(std::memory_order_acquire); mapping; mapping = mapping->next) {
    const std::uintptr_t begin = mapping->begin.load(std::memory_order_acquire);
    if (begin != 0 && address >= begin && address < mapping->end.load(std::memory_order_relaxed)) return mapping;
  }
  return nullptr;
}

/// Uses async-signal-safe functions only; mmap is none by POSIX, but a plain system call on Linux.
void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  Mapping* const mapping = info->si_code == BUS_ADRERR ? mapping_at(address) : nullptr;
  if (mapping) {
    const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
    void* const place = reinterpret_cast<void*>(address / page * page);
    if (mmap(place, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED) {
      mapping->was_cut.store(true);
      cuts.fetch_add(1);
      errno = error;
      return;
    }
  }
  if (action_before.sa_flags & SA_SIGINFO) return action_before.sa_sigaction(signal, info, context);
  if (action_before.sa_handler != SIG_DFL && action_before.sa_handler != SIG_IGN)
    return action_before.sa_handler(signal);
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(SIGBUS, &usual, nullptr);  // the access is repeated and ends the process
}

/// Installed with the first mapping, removed when the library is unloaded.
class Handler {
 public:
  Handler() {
    struct sigaction own {};
    own.sa_sigaction = on_bus_error;
    own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&own.sa_mask);
    sigaction(SIGBUS, &own, &action_before);
  }
  ~Handler() {
    struct sigaction now {};
    sigaction(SIGBUS, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_error)
      sigaction(SIGBUS, &action_before, nullptr);
  }
};

/// A free entry of the list, or a new one.
Mapping* take_entry() {
  for (Mapping* mapping = mappings.load(std::memory_order_acquire); mapping; mapping = mapping->next)
    if (!mapping->is_taken.exchange(true)) return mapping;
  auto* const added = new Mapping;
  added->next = mappings.load(std::memory_order_relaxed);
  while (!mappings.compare_exchange_weak(added->next, added, std::memory_order_release)) {
  }
  return added;
}

void give_back(Mapping* mapping) {
  const std::uintptr_t begin = mapping->begin.load(), end = mapping->end.load();
  mapping->begin = 0;  // first, because the addresses may be somebody else's afterwards
  munmap(reinterpret_cast<void*>(begin), end - begin);
  mapping->is_taken = false;
}

void check(const Mapping& mapping) {
  if (mapping.was_cut)
    throw Error(ExitCode::io, in_quotes(mapping.name) + " was cut short while it was in use",
                "replace a file that may be in use by renaming a new one");
}

Mapping* mapping_of(const Bytes& bytes) {
  return bytes.size() == 0 ? nullptr : mapping_at(reinterpret_cast<std::uintptr_t>(bytes.data()));
}

}  // namespace

Bytes map_open_file(int descriptor, std::size_t bytes, std::string name) {
  static const Handler handler;
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return {};
  void* const address = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) return {};
  Mapping* const mapping = take_entry();
  mapping->name = std::move(name);
  mapping->identity = identity_text(status);
  mapping->was_cut = false;
  mapping->end = reinterpret_cast<std::uintptr_t>(address) + bytes;
  mapping->begin = reinterpret_cast<std::uintptr_t>(address);
  return Bytes::mapped({address, [mapping](const void*) { give_back(mapping); }},
                       {static_cast<const std::byte*>(address), bytes});
}

std::string mapped_identity(const Bytes& bytes) {
  const Mapping* const mapping = mapping_of(bytes);
  return mapping ? mapping->identity : std::string();
}

void check_not_cut(const Bytes& bytes) {
  if (cuts.load(std::memory_order_relaxed) == 0) return;
  if (const Mapping* const mapping = mapping_of(bytes)) check(*mapping);
}

void check_no_file_cut() {
  if (cuts.load(std::memory_order_relaxed) == 0) return;
  for (const Mapping* mapping = mappings.load(std::memory_order_acquire); mapping; mapping = mapping->next)
    if (mapping->begin != 0) check(*mapping);
}

std::string identity_of_file(const char* path) {
  struct stat status {};
  return stat(path, &status) == 0 ? identity_text(status) : "absent";
}

}  // namespace webnn::schema
