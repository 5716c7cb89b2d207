#include "cli/sandbox/filter.hpp"

#include <cerrno>
#include <cstring>
#include <seccomp.h>

namespace webnn::cli {
namespace {

std::uint32_t action_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::allow:
      return SCMP_ACT_ALLOW;
    case Verdict::ask:
      return SCMP_ACT_NOTIFY;
    case Verdict::absent:
      return SCMP_ACT_ERRNO(ENOSYS);
  }
  return SCMP_ACT_KILL_PROCESS;
}

int add_rule(scmp_filter_ctx filter, std::uint32_t action, const char* name, const std::vector<Condition>& conditions) {
  const int number = number_of_call(name);
  if (number < 0) return 0;
  std::vector<scmp_arg_cmp> comparisons;
  for (const Condition& condition : conditions)
    comparisons.push_back({condition.argument, SCMP_CMP_MASKED_EQ, condition.mask, condition.value});
  return seccomp_rule_add_array(filter, action, number, unsigned(comparisons.size()), comparisons.data());
}

}  // namespace

int number_of_call(const char* name) { return seccomp_syscall_resolve_name(name); }

Descriptor install_filter(const std::vector<SystemCall>& calls, int channel, std::string& why) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  int error = filter ? 0 : -ENOMEM;
  for (const SystemCall& call : calls)
    if (error == 0) error = add_rule(filter, action_of(call.verdict), call.name, call.conditions);
  if (error == 0)
    error = add_rule(filter, SCMP_ACT_ALLOW, "sendmsg", {{0, ~std::uint64_t{0} >> 32, std::uint64_t(channel)}});
  if (error == 0) error = add_rule(filter, SCMP_ACT_ALLOW, "seccomp", {});
  if (error == 0) error = seccomp_load(filter);  // which also gives up new privileges
  Descriptor listener(error == 0 ? seccomp_notify_fd(filter) : -1);
  if (error != 0) why = std::string("the system takes no filter of system calls: ") + std::strerror(-error);
  if (filter) seccomp_release(filter);
  return listener;
}

bool finish_filter() {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) return false;
  int error = seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0);  // given up already
  for (const char* name : {"sendmsg", "seccomp"})
    if (error == 0) error = add_rule(filter, SCMP_ACT_ERRNO(EPERM), name, {});
  if (error == 0) error = seccomp_load(filter);
  seccomp_release(filter);
  return error == 0;
}

}  // namespace webnn::cli
