#include "cli/sandbox/sandbox.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "cli/sandbox/filter.hpp"
#include "cli/sandbox/supervisor.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using Clock = std::chrono::steady_clock;

[[noreturn]] void no_sandbox(const std::string& why) {
  throw Error(ExitCode::unsupported, "this system has no sandbox: " + why);
}

/// A message with at most one open file.
struct Parcel {
  char text[256] = {};
  iovec bytes{text, sizeof text};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr header{};
  Parcel() {
    header.msg_iov = &bytes;
    header.msg_iovlen = 1;
  }
};

void send_listener(int channel, const Descriptor& listener, const std::string& why) {
  Parcel parcel;
  why.copy(parcel.text, sizeof parcel.text - 1);
  if (listener.valid()) {
    parcel.header.msg_control = parcel.control;
    parcel.header.msg_controllen = sizeof parcel.control;
    cmsghdr* const first = CMSG_FIRSTHDR(&parcel.header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(sizeof(int));
    const int number = listener.get();
    std::memcpy(CMSG_DATA(first), &number, sizeof number);
  }
  sendmsg(channel, &parcel.header, MSG_NOSIGNAL);
}

Descriptor receive_listener(int channel) {
  Parcel parcel;
  parcel.header.msg_control = parcel.control;
  parcel.header.msg_controllen = sizeof parcel.control;
  ssize_t got = 0;
  do got = recvmsg(channel, &parcel.header, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  const cmsghdr* const first = got > 0 ? CMSG_FIRSTHDR(&parcel.header) : nullptr;
  if (!first || first->cmsg_type != SCM_RIGHTS) no_sandbox(got > 0 ? parcel.text : "its process ended early");
  int number = -1;
  std::memcpy(&number, CMSG_DATA(first), sizeof number);
  return Descriptor(number);
}

void limit(int resource, std::uint64_t most) {
  rlimit now{};
  getrlimit(__rlimit_resource_t(resource), &now);
  now.rlim_max = std::min(now.rlim_max, rlim_t(most));
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(__rlimit_resource_t(resource), &now);
}

/// In the child: gives everything up but the standard streams and the channel, and works.
[[noreturn]] void work_inside(pid_t parent, int channel, const SandboxLimits& limits,
                              const std::function<int()>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(int(ExitCode::internal));
  const unsigned first = STDERR_FILENO + 1;
  if (unsigned(channel) > first) syscall(SYS_close_range, first, unsigned(channel) - 1, 0);
  syscall(SYS_close_range, unsigned(channel) + 1, ~0u, 0);
  for (const char* name : {"HOME", "XDG_CACHE_HOME"}) unsetenv(name);  // programs of strangers stay out of the cache
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_DATA, limits.memory_bytes);
  std::string why;
  {
    const Descriptor listener = install_filter(system_calls(getpid()), channel, why);
    send_listener(channel, listener, why);
    if (!listener.valid() || !finish_filter()) _exit(int(ExitCode::unsupported));
  }
  char go = 0;  // the supervisor is ready, or has ended
  if (read(channel, &go, sizeof go) != sizeof go) _exit(int(ExitCode::unsupported));
  close(channel);
  _exit(work());
}

std::string text_of_time(std::chrono::nanoseconds time) {
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  return milliseconds % 1000 == 0 ? std::to_string(milliseconds / 1000) + " s" : std::to_string(milliseconds) + " ms";
}

[[noreturn]] void time_is_over(const SandboxLimits& limits) {
  throw Error(ExitCode::resource, "the sandboxed process was ended after " + text_of_time(limits.time),
              "--sandbox-time sets the limit");
}

/// Serves the child until it ends. Throws Error (resource) when it goes beyond its limits.
void serve_until_end(Supervisor& supervisor, const Descriptor& process, const SandboxLimits& limits,
                     Clock::time_point end) {
  constexpr auto between_looks = std::chrono::milliseconds(50);
  for (Clock::time_point look = Clock::now() + between_looks;;) {
    const Clock::time_point now = Clock::now();
    if (now >= end) time_is_over(limits);
    if (now >= look) {
      if (!supervisor.is_within_memory())
        throw Error(ExitCode::resource, "the sandboxed process was ended because it took too much memory",
                    "--sandbox-memory sets the limit");
      look = now + between_looks;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(end, look) - now).count();
    pollfd files[] = {{supervisor.listener(), POLLIN, 0}, {process.get(), POLLIN, 0}};
    if (poll(files, std::size(files), int(left)) < 0 && errno != EINTR) no_sandbox(std::strerror(errno));
    if (files[1].revents != 0) return;
    if ((files[0].revents & POLLIN) != 0) supervisor.serve();
  }
}

/// Ends the process when it is left, and waits for it.
class Child {
 public:
  explicit Child(pid_t number) : number_(number) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (number_ > 0) kill(number_, SIGKILL), wait();
  }
  pid_t number() const { return number_; }
  int wait() {
    int status = 0;
    while (waitpid(number_, &status, 0) < 0 && errno == EINTR) continue;
    number_ = -1;
    return status;
  }

 private:
  pid_t number_;
};

/// The exit code of a process that ended, or why it did not come to its end.
int outcome_of(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  if (signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  if (signal == SIGKILL)
    throw Error(ExitCode::resource, "the system ended the sandboxed process, as it does when memory runs out");
  throw Error(ExitCode::internal,
              std::string("the sandboxed process crashed (") + strsignal(signal) + "); nothing else was touched",
              "this is a bug of webnn-cli; please report it");
}

}  // namespace

bool has_sandbox() { return true; }

int run_in_sandbox(Grants grants, const SandboxLimits& limits, const std::function<int()>& work) {
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (struct stat status{}; fstat(standard, &status) == 0 && S_ISDIR(status.st_mode))
      throw Error(ExitCode::usage,
                  "standard input, output or error is a folder, which a sandboxed process must not have");
  constexpr std::uint64_t least_memory = 4 << 20;  // with less, the filter of system calls cannot be made
  if (limits.memory_bytes < least_memory)
    throw Error(ExitCode::resource,
                "a sandboxed process needs " + std::to_string(least_memory) + " bytes of memory at least");
  const Clock::time_point end = Clock::now() + limits.time;
  if (!grants.wait_for_pipes(end)) time_is_over(limits);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) no_sandbox(std::strerror(errno));
  const Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  const pid_t parent = getpid();
  Child child(fork());
  if (child.number() < 0) throw Error(ExitCode::resource, std::string("cannot start a process: ") + strerror(errno));
  if (child.number() == 0) work_inside(parent, theirs.get(), limits, work);
  theirs = Descriptor();

  Supervisor supervisor(receive_listener(ours.get()), child.number(), std::move(grants), limits.memory_bytes);
  const Descriptor process(int(syscall(SYS_pidfd_open, child.number(), 0)));
  if (!process.valid()) no_sandbox(std::string("no descriptor of a process: ") + std::strerror(errno));
  if (send(ours.get(), "", 1, MSG_NOSIGNAL) != 1) no_sandbox(std::strerror(errno));
  serve_until_end(supervisor, process, limits, end);
  return outcome_of(child.wait());
}

}  // namespace webnn::cli
