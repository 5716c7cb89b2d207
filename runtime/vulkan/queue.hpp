// An open Vulkan device with its queues: one for kernels and, where the device has such a queue, one for copies, which
// then run beside the kernels.
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

/// One of the device's queues. Its work starts in the order of the submissions, and a monotonic number (a timeline
/// semaphore) tells how far it has come.
class Lane {
 public:
  Lane(const Functions& vk, VkDevice device, std::uint32_t family, VkPipelineStageFlags stages);
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  ~Lane();

  std::uint32_t family() const { return family_; }
  /// What its commands do.
  VkPipelineStageFlags stages() const { return stages_; }
  /// The number of the last work submitted.
  std::uint64_t submitted() const { return submitted_; }
  /// Whether it is known that it has reached this number. Asks nobody and waits for nothing.
  bool has_reached(std::uint64_t number) const { return known_ >= number; }

 private:
  friend class Queue;
  const Functions* vk_;
  VkDevice device_;
  std::uint32_t family_;
  VkPipelineStageFlags stages_;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkSemaphore reached_ = VK_NULL_HANDLE;
  std::mutex mutex_;
  std::atomic<std::uint64_t> submitted_ = 0, known_ = 0;
  std::uint64_t behind_ = 0;  // the number of the other lane behind which all its later work starts
};

/// A moment of both lanes.
struct Moment {
  std::uint64_t kernels = 0, copies = 0;
};

/// A command buffer in a pool of its own. Recording and freeing access the pool, so with separate pools one thread may
/// free commands while another one records. Move-only; destroy it when the device is done with it.
class Commands {
 public:
  Commands() = default;
  Commands(Queue& queue, Lane& lane);
  Commands(Commands&& other) noexcept
      : queue_(other.queue_),
        lane_(other.lane_),
        pool_(std::exchange(other.pool_, VK_NULL_HANDLE)),
        buffer_(std::exchange(other.buffer_, VK_NULL_HANDLE)) {}
  Commands& operator=(Commands&& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(lane_, other.lane_);
    std::swap(pool_, other.pool_);
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~Commands();

  VkCommandBuffer get() const { return buffer_; }
  Lane& lane() const { return *lane_; }
  explicit operator bool() const { return buffer_ != VK_NULL_HANDLE; }

 private:
  Queue* queue_ = nullptr;
  Lane* lane_ = nullptr;
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

  Lane& kernels() const { return *kernels_; }
  /// The same lane on devices without a queue for copies.
  Lane& copies() const { return copies_ ? *copies_ : *kernels_; }
  bool has_copy_lane() const { return copies_ != nullptr; }

  /// Command buffers for a lane, each recorded by one thread.
  Commands begin_commands(Lane& lane, VkCommandBufferUsageFlags flags);
  void end_commands(const Commands& commands);

  /// Starts the work after all that was submitted before to its lane; returns the number that the lane reaches when it
  /// has ended. Kernels also start after all copies submitted before, and copies of a lane of their own after the
  /// kernels up to number `after`.
  std::uint64_t submit(const Commands& commands, std::uint64_t after = 0);
  /// Returns when the lane has reached this number. Throws Error (device) when the device is lost, or when it has ended
  /// nothing for the time of `limit_waits`; from then on it counts as lost.
  void wait(Lane& lane, std::uint64_t number);
  /// The same for all submitted work.
  void wait();
  /// How many submissions there were.
  std::uint64_t submitted() const { return kernels_->submitted() + (copies_ ? copies_->submitted() : 0); }
  bool has_reached(const Moment& moment) const {
    return kernels().has_reached(moment.kernels) && copies().has_reached(moment.copies);
  }
  /// For destructors: waits without throwing until the resources of the kernels up to this number, or of all submitted
  /// work, are no longer in use.
  void settle(std::uint64_t number) noexcept;
  void settle() noexcept;
  /// Limits the time in which the device must end some work; 0: there is no limit.
  void limit_waits(std::chrono::nanoseconds limit) { wait_limit_ = limit; }
  /// For changes of the profile before anything is submitted.
  Profile& profile() { return profile_; }
  /// Is called once, by the thread that finds out that the device is lost.
  void when_lost(std::function<void(const std::string& reason)> call) { when_lost_ = std::move(call); }
  /// Counts the device as lost from now on, where its memory is no longer what callers take it for, and throws Error
  /// (device).
  [[noreturn]] void lose(const std::string& reason, const std::string& hint);
  /// How often a caller had to wait for unfinished work.
  std::uint64_t wait_count() const { return waits_; }

 private:
  std::uint64_t look();
  std::uint64_t known() const;
  template <typename Wait>
  void settle_by(Wait wait) noexcept;
  void check_lost(VkResult result, std::string_view what);

  std::unique_ptr<Instance> instance_;
  Functions vk_;
  VkPhysicalDevice physical_;
  Profile profile_;
  VkDevice device_ = VK_NULL_HANDLE;
  std::unique_ptr<Lane> kernels_, copies_;  // copies: null where the device has no queue for them
  std::atomic<std::uint64_t> waits_ = 0;
  std::chrono::nanoseconds wait_limit_{0};
  std::atomic<bool> is_lost_ = false;
  std::function<void(const std::string&)> when_lost_;
};

/// A full memory barrier between all earlier and all later commands of the lane.
void full_barrier(const Functions& vk, const Commands& commands);
/// The same between dispatches alone: no copies have to end or to wait.
void dispatch_barrier(const Functions& vk, const Commands& commands);
/// Lets the host see what all earlier commands have written, once they have ended.
void barrier_to_host(const Functions& vk, const Commands& commands);

}  // namespace webnn::runtime::vulkan
