// The CPU as a device: its memory is the process's own, and kernels run in the calling thread and its team.
#pragma once

#include <string>

#include "runtime/cpu/cpu_features.hpp"
#include "runtime/device.hpp"

namespace webnn::runtime {

class CpuDevice : public Device {
 public:
  /// `allowed` limits the features that programs may use (`--isa`); the machine's own features limit them anyway.
  explicit CpuDevice(Feature allowed = Feature(~0u));

  std::string_view name() const override { return name_; }
  const Target& target() const override { return target_; }
  bool host_memory() const override { return true; }
  Buffer allocate(std::size_t bytes) override;
  Buffer import(std::span<const std::byte> bytes, std::size_t alignment) override;
  Buffer share(std::span<std::byte> memory) override { return {memory.data(), memory.size(), nullptr}; }
  void upload(const Buffer& to, std::span<const std::byte> from) override;
  void download(std::span<std::byte> to, const Buffer& from) override;
  void clear(const Buffer& buffer) override;
  bool has_kernel(KernelId id) const override;
  std::optional<PackedConstant> pack(KernelId id, const KernelSpec& spec, std::size_t operand,
                                     std::span<const std::byte> bytes) const override;
  Kernel make_kernel(KernelId id, const KernelSpec& spec,
                     std::span<const std::span<const std::byte>> constants) override;
  std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations) override;
  void wait() override {}

 private:
  Target target_;
  std::string name_;
  std::size_t physical_memory_;
};

}  // namespace webnn::runtime
