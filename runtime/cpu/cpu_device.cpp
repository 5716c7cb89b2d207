#include "runtime/cpu/cpu_device.hpp"

#include <cassert>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::runtime {
namespace {

DeviceInfo info_of(Feature features) { return {"cpu (" + text_of(features) + ")", {DeviceKind::cpu, features}, true}; }

void release(std::byte* address, void*) noexcept { std::free(address); }

class CpuSequence final : public Sequence {
 public:
  explicit CpuSequence(std::span<const Invocation> invocations) : invocations_(invocations) {}

  void submit() override {
    for (const Invocation& invocation : invocations_) invocation.kernel->run(invocation.arguments);
  }

  /// A kernel begins when the one before it ends.
  void run_timed(std::span<StepTime> times) override {
    assert(times.size() == invocations_.size());
    std::uint64_t before = steady_nanoseconds();
    for (std::size_t i = 0; i < invocations_.size(); ++i) {
      invocations_[i].kernel->run(invocations_[i].arguments);
      const std::uint64_t after = steady_nanoseconds();
      times[i] = {before, after};
      before = after;
    }
  }

 private:
  std::span<const Invocation> invocations_;
};

}  // namespace

CpuDevice::CpuDevice(Feature allowed)
    : Device(info_of(limit_cpu_kernels(detect_cpu_features() & allowed))),
      physical_memory_(std::size_t(sysconf(_SC_PHYS_PAGES)) * std::size_t(sysconf(_SC_PAGE_SIZE))) {}

Buffer CpuDevice::allocate(std::size_t bytes) {
  std::byte* address = nullptr;
  if (bytes <= physical_memory_)  // Linux would promise more memory and kill the process when it is touched
    address = allocate_aligned(bytes + buffer_padding);
  if (!address)
    throw Error(
        ExitCode::resource,
        "cannot allocate " + std::to_string(bytes) + " bytes, the machine has " + std::to_string(physical_memory_),
        "use smaller dimensions or a machine with more memory");
  std::memset(address + bytes, 0, buffer_padding);
  return {address, bytes, release};
}

void CpuDevice::upload(const Buffer& to, std::span<const std::byte> from) {
  assert(from.size() <= to.size());
  if (!from.empty()) std::memcpy(to.address(), from.data(), from.size());
}

void CpuDevice::download(std::span<std::byte> to, const Buffer& from) {
  assert(to.size() <= from.size());
  if (!to.empty()) std::memcpy(to.data(), from.address(), to.size());
}

void CpuDevice::clear(const Buffer& buffer) {
  if (buffer.size() != 0) std::memset(buffer.address(), 0, buffer.size());
}

bool CpuDevice::can_run(KernelId id, const KernelSpec&) const { return cpu_kernels().find(id) != nullptr; }

Kernel CpuDevice::make_kernel(KernelId id, const KernelSpec& spec,
                              std::span<const std::span<const std::byte>> constants) {
  check_kernel(*this, id, spec);
  return cpu_kernels().find(id)->prepare(spec, constants);
}

std::unique_ptr<Sequence> CpuDevice::prepare(std::span<const Invocation> invocations) {
  return std::make_unique<CpuSequence>(invocations);
}

}  // namespace webnn::runtime
