// A GPU as a Device. Calling a kernel does not compute anything: it adds the kernel's dispatches to the recorder of the
// sequence that is being made.
#pragma once

#include <memory>
#include <string>

#include "runtime/vulkan/memory.hpp"
#include "runtime/vulkan/pipelines.hpp"
#include "runtime/vulkan/sequence.hpp"

namespace webnn::runtime::vulkan {

class VulkanDevice final : public Device {
 public:
  VulkanDevice(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, const GpuInfo& info, GpuOptions options);
  ~VulkanDevice() override;

  std::string_view name() const override { return name_; }
  const Target& target() const override { return target_; }
  bool host_memory() const override { return false; }
  Buffer allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
  Buffer import(std::span<const std::byte> bytes, std::size_t alignment) override;
  Buffer share(std::span<std::byte> memory) override { return memory_.share(memory); }
  Buffer import_memory(int file_descriptor, std::uint64_t offset, std::size_t bytes) override {
    return memory_.import(file_descriptor, offset, bytes);
  }
  void upload(const Buffer& to, std::span<const std::byte> from) override;
  void download(std::span<std::byte> to, const Buffer& from) override;
  void clear(const Buffer& buffer) override { memory_.clear(buffer); }
  bool has_kernel(KernelId id) const override;
  bool favours(KernelId id) const override;
  bool can_run(KernelId id, const KernelSpec& spec) const override;
  std::optional<PackedConstant> pack(KernelId, const KernelSpec&, std::size_t,
                                     std::span<const std::byte>) const override {
    return std::nullopt;
  }
  Kernel make_kernel(KernelId id, const KernelSpec& spec,
                     std::span<const std::span<const std::byte>> constants) override;
  /// Compiles the shaders for the dispatches of a call.
  Kernel make_kernel(Dispatches list, const KernelSpec& spec);
  std::unique_ptr<Sequence> prepare(std::span<const Invocation> invocations) override;
  void wait() override;

  const Queue& queue() const { return queue_; }

 private:
  std::string name_;
  Target target_;
  std::unique_ptr<Device> fallback_;  // null: only GPU kernels run
  Queue queue_;
  Memory memory_;
  Pipelines pipelines_;
  Recorder* recording_ = nullptr;
};

}  // namespace webnn::runtime::vulkan
