#include "cli/sandbox/supervisor.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

#include "cli/sandbox/filter.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

using schema::Error;
using schema::ExitCode;

Supervisor::Supervisor(Descriptor listener, pid_t process, Grants grants)
    : listener_(std::move(listener)),
      memory_(::open(("/proc/" + std::to_string(process) + "/mem").c_str(), O_RDWR | O_CLOEXEC)),
      process_(process),
      grants_(std::move(grants)),
      calls_(system_calls(process)) {
  if (!memory_.valid())
    throw Error(
        ExitCode::unsupported,
        std::string("this system has no sandbox: a process may not read its child's memory: ") + std::strerror(errno));
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
  const PendingCall pending{process_, memory_.get(), arguments};
  Reply reply = call == asked_.end() ? Reply{-EPERM} : call->second->answer(pending, grants_);

  if (reply.is_file) {
    const Descriptor file{int(reply.value)};
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

}  // namespace webnn::cli
