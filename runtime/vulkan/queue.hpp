// An open Vulkan device with its one queue: work is submitted in order, and a number that only grows says how far the
// device has come.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "runtime/vulkan/instance.hpp"
#include "runtime/vulkan/profile.hpp"

namespace webnn::runtime::vulkan {

class Queue {
 public:
  /// Throws Error (device) when the device does not open.
  Queue(std::unique_ptr<Instance> instance, VkPhysicalDevice physical);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  const Functions& vk() const { return vk_; }
  VkDevice device() const { return device_; }
  VkPhysicalDevice physical() const { return physical_; }
  const Profile& profile() const { return profile_; }
  Instance& instance() const { return *instance_; }

  /// Command buffers of the one thread that submits work.
  VkCommandBuffer begin_commands(VkCommandBufferUsageFlags flags);
  void end_commands(VkCommandBuffer commands);
  void free_commands(VkCommandBuffer commands);

  /// Starts the work, after all that was submitted before; the number that is reached when it has ended.
  std::uint64_t submit(VkCommandBuffer commands);
  /// Returns when the device has come to this number. Throws Error (device) when it is lost.
  void wait(std::uint64_t number);
  void wait() { wait(submitted_.load()); }
  /// Without throwing, for destructors: nothing more will happen to what the work uses.
  void settle() noexcept;
  /// How often somebody had to wait for work that had not ended.
  std::uint64_t wait_count() const { return waits_; }

 private:
  std::unique_ptr<Instance> instance_;
  Functions vk_;
  VkPhysicalDevice physical_;
  Profile profile_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkSemaphore reached_ = VK_NULL_HANDLE;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::atomic<std::uint64_t> submitted_ = 0, known_ = 0, waits_ = 0;
};

/// A full barrier: what comes after sees what was written before, and writes after it was read.
void full_barrier(const Functions& vk, VkCommandBuffer commands);

}  // namespace webnn::runtime::vulkan
