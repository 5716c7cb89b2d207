// Work of a queue that starts only when something waits for it, so that what should wait and does not is seen.
#pragma once

#include <cstdint>
#include <vector>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

/// Not thread-safe.
class LateWork {
 public:
  /// Keeps a copy of a submission with timeline semaphores.
  void keep(VkQueue queue, const VkSubmitInfo& info) {
    const auto& timeline = *static_cast<const VkTimelineSemaphoreSubmitInfo*>(info.pNext);
    const auto copy = [](auto* values, std::uint32_t count) { return std::vector(values, values + count); };
    kept_.push_back({queue, copy(info.pCommandBuffers, info.commandBufferCount),
                     copy(info.pWaitSemaphores, info.waitSemaphoreCount),
                     copy(info.pSignalSemaphores, info.signalSemaphoreCount),
                     copy(timeline.pWaitSemaphoreValues, timeline.waitSemaphoreValueCount),
                     copy(timeline.pSignalSemaphoreValues, timeline.signalSemaphoreValueCount),
                     copy(info.pWaitDstStageMask, info.waitSemaphoreCount)});
  }
  /// Starts what must have ended before the semaphore can have this value, and what was kept before.
  void start(VkSemaphore semaphore, std::uint64_t value, PFN_vkQueueSubmit submit) {
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (kept_[i].signals[0] == semaphore && kept_[i].signal_values[0] <= value) wanted = i + 1;
    for (std::size_t i = 0; i < wanted; ++i) start(kept_[i], submit);
    kept_.erase(kept_.begin(), kept_.begin() + std::ptrdiff_t(wanted));
  }
  void start_all(PFN_vkQueueSubmit submit) {
    for (const Submission& one : kept_) start(one, submit);
    kept_.clear();
  }

 private:
  struct Submission {
    VkQueue queue;
    std::vector<VkCommandBuffer> commands;
    std::vector<VkSemaphore> waits, signals;
    std::vector<std::uint64_t> wait_values, signal_values;
    std::vector<VkPipelineStageFlags> stages;
  };

  static void start(const Submission& one, PFN_vkQueueSubmit submit) {
    VkTimelineSemaphoreSubmitInfo timeline{};
    timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    timeline.waitSemaphoreValueCount = std::uint32_t(one.wait_values.size());
    timeline.pWaitSemaphoreValues = one.wait_values.data();
    timeline.signalSemaphoreValueCount = std::uint32_t(one.signal_values.size());
    timeline.pSignalSemaphoreValues = one.signal_values.data();
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    info.pNext = &timeline;
    info.waitSemaphoreCount = std::uint32_t(one.waits.size());
    info.pWaitSemaphores = one.waits.data();
    info.pWaitDstStageMask = one.stages.data();
    info.commandBufferCount = std::uint32_t(one.commands.size());
    info.pCommandBuffers = one.commands.data();
    info.signalSemaphoreCount = std::uint32_t(one.signals.size());
    info.pSignalSemaphores = one.signals.data();
    submit(one.queue, 1, &info, VK_NULL_HANDLE);
  }

  std::vector<Submission> kept_;
};
