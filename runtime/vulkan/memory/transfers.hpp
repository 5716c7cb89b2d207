// Copies between the host and device memory that it does not map, by way of staging memory. Uploads are collected: they
// are recorded into one command buffer, which is submitted before the next work that may see their effect. On a lane of
// their own, copies wait only for kernels that access the same bytes.
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
#include "runtime/vulkan/memory/uses.hpp"

namespace webnn::runtime::vulkan {

/// A part of an allocation.
struct Part {
  const Allocation* allocation = nullptr;
  std::uint64_t offset = 0;
  /// As mapped by the host; null: not mapped.
  std::byte* mapped() const { return allocation->mapped ? allocation->mapped + offset : nullptr; }
};

/// Thread-safe.
class Transfers {
 public:
  explicit Transfers(Queue& queue) : queue_(&queue), lane_(&queue.copies()) {}
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
  /// Waits for the copy. All expected downloads are one submission.
  void download(std::span<std::byte> to, const Part& from);

  /// Submits what was recorded. Work that is submitted later sees its effect.
  void flush();
  /// As Memory::note_use.
  void note_use(const std::shared_ptr<const ByteRanges>& bytes, std::uint64_t number);
  /// When all that was recorded until now has ended.
  Moment last_moment();
  std::uint64_t staging_bytes() const;

 private:
  struct Chunk {
    std::unique_ptr<Allocation> memory;
    std::uint64_t used = 0;
    std::uint64_t number = 0;  // of the last submission that uses it
  };

  /// A copy for a download that has not been asked for yet.
  struct Expected {
    Part from;
    std::uint64_t bytes = 0;
    Part staged;
    std::uint64_t number = 0;  // of its submission; 0: it is still being recorded
  };

  const Commands& commands();
  std::vector<Expected>::iterator find_expected(const Part& from, std::uint64_t bytes);
  bool take_expected(std::span<std::byte> to, const Part& from);
  /// Staging memory of `bytes` bytes, at most the largest chunk. May submit what was recorded.
  Part stage(std::uint64_t bytes);
  /// What is recorded next accesses these bytes of device memory after whatever conflicts with that, kernels too.
  void order(const Part& part, std::uint64_t bytes, bool writes);
  void forget_accesses();
  void copy(const Part& to, const Part& from, std::uint64_t bytes);
  void submit();
  void give_back_chunks();

  Queue* queue_;
  Lane* lane_;
  mutable std::mutex mutex_;
  Commands open_;                                            // what is being recorded; empty: nothing
  std::vector<std::pair<Commands, std::uint64_t>> running_;  // with their numbers
  std::vector<Chunk> chunks_;
  std::uint64_t next_chunk_ = 0, staging_bytes_ = 0;
  ByteRanges read_, written_;  // by `open_` since its last barrier
  std::uint64_t after_ = 0;    // the kernels that `open_` waits for
  Uses uses_;
  std::vector<Expected> expected_;
};

}  // namespace webnn::runtime::vulkan
