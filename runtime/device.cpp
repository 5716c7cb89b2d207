#include "runtime/device.hpp"

#include <cassert>
#include <chrono>

namespace webnn::runtime {
namespace {

std::uint64_t now() {
  return std::uint64_t(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

}  // namespace

void Device::run_timed(std::span<const Invocation> invocations, std::span<StepTime> times) {
  assert(times.size() == invocations.size());
  std::uint64_t before = now();
  for (std::size_t i = 0; i < invocations.size(); ++i) {
    submit(invocations.subspan(i, 1));
    wait();
    const std::uint64_t after = now();
    times[i] = {before, after};
    before = after;
  }
}

}  // namespace webnn::runtime
