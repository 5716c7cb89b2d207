// An open Vulkan device with its only queue. Work is submitted in order, and a monotonic number (a timeline semaphore)
// tells how far the device has come.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/vulkan/instance.hpp"
#include "runtime/vulkan/profile/profile.hpp"

namespace webnn::runtime::vulkan {

class Queue;

/// A command buffer in a pool of its own. Recording and freeing access the pool, so with separate pools one thread may
/// free commands while another one records. Move-only; destroy it when the device is done with it.
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
  /// `without`: optional features to be treated as missing. Throws Error (device) when the device does not open.
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

  /// Starts the work after all that was submitted before; returns the number that is reached when it has ended.
  std::uint64_t submit(const Commands& commands);
  /// Returns when the device has reached this number. Throws Error (device) when the device is lost, or when it has
  /// ended nothing for the time of `limit_waits`; from then on it counts as lost.
  void wait(std::uint64_t number);
  void wait() { wait(submitted_.load()); }
  /// The number of the last work submitted.
  std::uint64_t submitted() const { return submitted_; }
  /// Whether it is known that the device has reached this number. Asks nobody and waits for nothing.
  bool has_reached(std::uint64_t number) const { return known_ >= number; }
  /// For destructors: waits without throwing until the resources of the work up to this number, or of all submitted
  /// work, are no longer in use.
  void settle(std::uint64_t number) noexcept;
  void settle() noexcept { settle(submitted_.load()); }
  /// Limits the time in which the device must end some work; 0: there is no limit.
  void limit_waits(std::chrono::nanoseconds limit) { wait_limit_ = limit; }
  /// For changes of the profile before anything is submitted.
  Profile& profile() { return profile_; }
  /// Is called once, by the thread that finds out that the device is lost.
  void when_lost(std::function<void(const std::string& reason)> call) { when_lost_ = std::move(call); }
  /// How often a caller had to wait for unfinished work.
  std::uint64_t wait_count() const { return waits_; }

 private:
  void check_lost(VkResult result, std::string_view what);
  [[noreturn]] void lose(const std::string& reason, const std::string& hint);

  std::unique_ptr<Instance> instance_;
  Functions vk_;
  VkPhysicalDevice physical_;
  Profile profile_;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkSemaphore reached_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::atomic<std::uint64_t> submitted_ = 0, known_ = 0, waits_ = 0;
  std::chrono::nanoseconds wait_limit_{0};
  std::atomic<bool> is_lost_ = false;
  std::function<void(const std::string&)> when_lost_;
};

/// A full memory barrier between all earlier and all later commands.
void full_barrier(const Functions& vk, VkCommandBuffer commands);
/// Lets the host see what all earlier commands have written, once they have ended.
void barrier_to_host(const Functions& vk, VkCommandBuffer commands);

}  // namespace webnn::runtime::vulkan
