// Copies between the host and device memory that it does not map, by way of staging memory. Uploads are collected: they
// are recorded into one command buffer, which is submitted before the next work that may see their effect. What is large
// is copied in pieces: the host copies one while the device copies others. On a lane of their own, copies wait only for
// kernels that access the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "runtime/vulkan/memory/allocation.hpp"
#include "runtime/vulkan/memory/byte_ranges.hpp"
#include "runtime/vulkan/memory/staging.hpp"
#include "runtime/vulkan/memory/uses.hpp"

namespace webnn::runtime::vulkan {

/// Thread-safe.
class Transfers {
 public:
  explicit Transfers(Queue& queue) : queue_(&queue), lane_(&queue.copies()), staging_(queue) {}
  Transfers(const Transfers&) = delete;
  Transfers& operator=(const Transfers&) = delete;
  /// The device must be idle. Drops what was not submitted.
  ~Transfers() = default;

  /// `from` may change when this returns.
  void upload(const Part& to, std::span<const std::byte> from);
  /// Sets `bytes` bytes to 0.
  void clear(const Part& what, std::uint64_t bytes);
  /// Records the copy of a download that follows. Whatever is uploaded, cleared or submitted before forgets it.
  void expect_download(const Part& from, std::uint64_t bytes);
  /// The download does not follow: what was copied for it is dropped.
  void forget_download(const Part& from, std::uint64_t bytes);
  /// Waits for the copy. All expected downloads are one submission; a large one is several, of which none is expected.
  void download(std::span<std::byte> to, const Part& from);

  /// Submits what was recorded. Work that is submitted later sees its effect.
  void flush();
  /// As Memory::note_use.
  void note_use(const std::shared_ptr<const ByteRanges>& bytes, std::uint64_t number);
  /// The number of the last kernels that access some of these bytes; 0: none does.
  std::uint64_t last_use(const Part& part, std::uint64_t bytes) const;
  /// When all that was recorded until now has ended.
  Moment last_moment();
  /// Frees what is known to be no longer in use of the staging memory, but for what is kept for the next copies.
  void trim_staging();
  /// Frees that too; returns how many bytes.
  std::uint64_t free_staging();
  std::uint64_t staging_bytes() const;
  /// How often staging memory was allocated.
  std::uint64_t staging_allocations() const;

 private:
  /// A copy for a download that has not been asked for yet.
  struct Expected {
    Part from;
    std::uint64_t bytes = 0;
    std::vector<Staging::Space> staged;
    std::uint64_t number = 0;  // of its submission; 0: it is still being recorded
  };

  const Commands& commands();
  std::vector<Expected>::iterator find_expected(const Part& from, std::uint64_t bytes);
  bool take_expected(std::span<std::byte> to, const Part& from);
  std::uint64_t staging_limit(std::uint64_t bytes) const;
  /// Up to `bytes` bytes of staging memory. May submit what was recorded, wait, and forget what is expected.
  Staging::Space stage(std::uint64_t bytes, std::uint64_t limit);
  /// What is recorded next accesses these bytes of device memory after whatever conflicts with that, kernels too.
  void order(const Part& part, std::uint64_t bytes, bool writes);
  void forget_accesses();
  void copy(const Part& to, const Part& from, std::uint64_t bytes);
  void request(const Part& from, const Staging::Space& staged);
  void submit();
  void trim();

  Queue* queue_;
  Lane* lane_;
  mutable std::mutex mutex_;
  Commands open_;                                            // what is being recorded; empty: nothing
  std::vector<std::pair<Commands, std::uint64_t>> running_;  // with their numbers
  std::uint64_t recorded_ = 0;                               // bytes of uploads in `open_`
  bool host_reads_ = false;                                  // what `open_` copies
  bool changes_ = false;                                     // `open_` changes device memory
  Staging staging_;
  ByteRanges read_, written_;  // by `open_` since its last barrier
  std::uint64_t after_ = 0;    // the kernels that `open_` waits for
  Uses uses_;
  std::vector<Expected> expected_;
};

}  // namespace webnn::runtime::vulkan
