// An open Vulkan device with its one queue: work is submitted in order, and a number that only grows says how far the
// device has come.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/vulkan/instance.hpp"
#include "runtime/vulkan/profile.hpp"

namespace webnn::runtime::vulkan {

class Queue;

/// A command buffer, owned, in a pool of its own: recording and ending touch the pool, and one thread may end commands
/// while another one records some. Move-only; it ends when the device is done with it.
class Commands {
 public:
  Commands() = default;
  explicit Commands(Queue& queue);
  Commands(Commands&& other) noexcept
      : queue_(other.queue_),
        pool_(std::exchange(other.pool_, VK_NULL_HANDLE)),
        buffer_(std::exchange(other.buffer_, VK_NULL_HANDLE)) {}
  Commands& operator=(Commands&& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(pool_, other.pool_);
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~Commands();

  VkCommandBuffer get() const { return buffer_; }
  explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }

 private:
  Queue* queue_ = nullptr;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer buffer_ = VK_NULL_HANDLE;
};

class Queue {
 public:
  /// `without`: optional features, as if the device lacked them. Throws Error (device) when the device does not open.
  Queue(std::unique_ptr<Instance> instance, VkPhysicalDevice physical, std::span<const std::string_view> without);
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  const Functions& vk() const { return vk_; }
  VkDevice device() const { return device_; }
  VkPhysicalDevice physical() const { return physical_; }
  const Profile& profile() const { return profile_; }
  Instance& instance() const { return *instance_; }

  /// Command buffers, each recorded by one thread.
  Commands begin_commands(VkCommandBufferUsageFlags flags);
  void end_commands(const Commands& commands);

  /// Starts the work, after all that was submitted before; the number that is reached when it has ended.
  std::uint64_t submit(const Commands& commands);
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
  std::mutex mutex_;
  std::atomic<std::uint64_t> submitted_ = 0, known_ = 0, waits_ = 0;
};

/// A full barrier: what comes after sees what was written before, and writes after it was read.
void full_barrier(const Functions& vk, VkCommandBuffer commands);

}  // namespace webnn::runtime::vulkan
