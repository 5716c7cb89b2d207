// A GPU as a Device. Calling a kernel does not compute anything: it adds the kernel's dispatches to the recorder of the
// sequence that is being made.
#pragma once

#include <memory>

#include "runtime/vulkan/choices.hpp"
#include "runtime/vulkan/memory/memory.hpp"
#include "runtime/vulkan/pipelines.hpp"
#include "runtime/vulkan/sequence.hpp"

namespace webnn::runtime::vulkan {

class VulkanDevice final : public Device {
 public:
  VulkanDevice(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, const GpuInfo& info, GpuOptions options);
  ~VulkanDevice() override;

  Buffer allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  Buffer share(std::span<std::byte> memory) override { return memory_.share(memory); }
  Buffer share(const ExportedMemory& memory) override { return memory_.import(memory); }
  ExportableBuffer allocate_exportable(std::size_t bytes) override;
  void upload(const Buffer& to, std::span<const std::byte> from) override;
  void download(std::span<std::byte> to, const Buffer& from) override;
  void expect_download(const Buffer& from, std::size_t bytes) override { memory_.expect_download(from, bytes); }
  void forget_download(const Buffer& from, std::size_t bytes) override { memory_.forget_download(from, bytes); }
  void clear(const Buffer& buffer) override { memory_.clear(buffer); }
  std::span<const KernelChoice> choices() const override { return choices_; }
  bool can_run(KernelId id, const KernelSpec& spec) const override;
  Kernel make_kernel(KernelId id, const KernelSpec& spec,
                     std::span<const std::span<const std::byte>> constants) override;
  /// Compiles the shaders for the dispatches of a call.
  Kernel make_kernel(Dispatches list, const KernelSpec& spec);
  std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations, const Bands& bands) override;
  void wait() override;
  void when_lost(std::function<void(const std::string&)> call) override { queue_.when_lost(std::move(call)); }

  /// As the driver promises; on a CPU it uses its own instructions.
  bool keeps_subnormals() const override {
    return queue_.profile().is_cpu || !queue_.profile().widths_of_subnormals.empty();
  }
  const Queue& queue() const { return queue_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

 private:
  std::unique_ptr<Device> fallback_;  // null: only GPU kernels run
  Queue queue_;
  Memory memory_;
  Pipelines pipelines_;
  Recorder* recording_ = nullptr;
  std::vector<KernelChoice> choices_;
};

}  // namespace webnn::runtime::vulkan
