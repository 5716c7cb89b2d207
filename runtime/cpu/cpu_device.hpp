// The CPU as a device: its memory is the process's own, and kernels run in the calling thread and its team.
#pragma once

#include "runtime/cpu/cpu_features.hpp"
#include "runtime/device.hpp"

namespace webnn::runtime {

class CpuDevice : public Device {
 public:
  /// `allowed` limits the features that programs may use (`--isa`); the machine's own features limit them anyway.
  explicit CpuDevice(Feature allowed = Feature(~0u));

  Buffer allocate(std::size_t bytes) override;
  using Device::share;
  Buffer share(std::span<std::byte> memory) override { return {memory.data(), memory.size(), nullptr}; }
  void upload(const Buffer& to, std::span<const std::byte> from) override;
  void download(std::span<std::byte> to, const Buffer& from) override;
  void clear(const Buffer& buffer) override;
  bool can_run(KernelId id, const KernelSpec& spec) const override;
  Kernel make_kernel(KernelId id, const KernelSpec& spec,
                     std::span<const std::span<const std::byte>> constants) override;
  std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations, const Bands& bands) override;
  void wait() override {}

 private:
  std::size_t physical_memory_;
};

}  // namespace webnn::runtime
