#include "cli/sandbox/supervisor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/uio.h>

#include "cli/sandbox/filter.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;

namespace {

constexpr std::uint64_t mebi = std::uint64_t{1} << 20, gibi = mebi << 10, very_much = std::uint64_t{1} << 40;

/// Whether the system lets this process read and write the memory of its child, in which everything has the address
/// that it has here.
bool reaches_memory_of(pid_t process) {
  static char one = 0;
  const iovec place{&one, 1};
  return process_vm_readv(process, &place, 1, &place, 1, 0) == 1 &&
         process_vm_writev(process, &place, 1, &place, 1, 0) == 1;
}

/// The soft limit: the process cannot raise it, and its own system calls cannot either.
void limit_address_space(pid_t process, std::uint64_t bytes) {
  rlimit now{};
  if (prlimit(process, RLIMIT_AS, nullptr, &now) != 0) return;
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, bytes);
  prlimit(process, RLIMIT_AS, &now, nullptr);
}

}  // namespace

// Reading alone makes tables of pages, of a five-hundredth of what is read: addresses have a limit, too. It leaves room
// for the heaps of many threads and for constants that are all one number.
Supervisor::Supervisor(Descriptor listener, pid_t process, Grants grants, std::uint64_t memory_bytes)
    : listener_(std::move(listener)),
      process_(process),
      memory_bytes_(memory_bytes),
      address_space_(8 * gibi + 8 * std::min(memory_bytes, very_much)),
      grants_(std::move(grants)),
      calls_(system_calls(process)) {
  if (!reaches_memory_of(process))
    throw Error(
        ExitCode::unsupported,
        std::string("this system has no sandbox: a process may not reach its child's memory: ") + std::strerror(errno),
        "containers and security modules may forbid process_vm_readv and process_vm_writev");
  limit_address_space(process, address_space_);
  for (const SystemCall& call : calls_)
    if (call.answer) asked_[number_of_call(call.name)] = &call;
  grants_.add_process(process);
}

void Supervisor::serve() {
  seccomp_notif request{};
  if (ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_RECV, &request) != 0) return;  // its thread has ended
  std::uint64_t arguments[6];
  for (std::size_t i = 0; i < std::size(arguments); ++i) arguments[i] = request.data.args[i];
  const auto call = asked_.find(request.data.nr);
  constexpr std::uint64_t bytes_per_thread = 256 << 10;  // of which the system takes a tenth that it does not count
  const PendingCall pending{process_, memory_bytes_ / bytes_per_thread, arguments};
  Reply reply = call == asked_.end() ? Reply{-EPERM} : call->second->answer(pending, grants_);

  if (reply.is_file) {
    const Descriptor file{int(reply.value)};
    make_room_for(file);
    seccomp_notif_addfd given{};
    given.id = request.id;
    given.srcfd = std::uint32_t(file.get());
    given.newfd_flags = O_CLOEXEC;
    const int number = ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_ADDFD, &given);
    reply.value = number < 0 ? -errno : number;
  }
  seccomp_notif_resp response{};
  response.id = request.id;
  response.error = reply.value < 0 ? std::int32_t(reply.value) : 0;
  response.val = reply.value < 0 ? 0 : reply.value;
  response.flags = reply.is_of_system ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
  ioctl(listener_.get(), SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/// Files are mapped, each by a few threads at once.
void Supervisor::make_room_for(const Descriptor& file) {
  constexpr off_t small = 1 << 16;  // as many as a process can map have room anyway
  constexpr std::uint64_t times = 64;
  struct stat status {};
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < small) return;
  if (!files_with_room_.emplace(status.st_dev, status.st_ino).second) return;
  address_space_ += times * std::min(std::uint64_t(status.st_size), very_much);
  limit_address_space(process_, address_space_);
}

bool Supervisor::is_within_memory() const {
  // The program's own data and code that libraries have written are not writable any more; a quarter is for them.
  const std::uint64_t most = memory_bytes_ + memory_bytes_ / 4 + 16 * mebi;
  std::uint64_t kibibytes = 0;
  std::ifstream status("/proc/" + std::to_string(process_) + "/status");
  for (std::string name, line; status >> name && std::getline(status, line);)
    if (name == "RssAnon:" || name == "VmSwap:") kibibytes += std::strtoull(line.c_str(), nullptr, 10);
  return kibibytes <= most >> 10;
}

}  // namespace webnn::cli
