// Memory that the host maps, through which copies to and from other memory pass: a pool of pieces, each of which is used
// again when the copies through it have ended. Allocating such memory takes longer than copying through it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/vulkan/memory/allocation.hpp"

namespace webnn::runtime::vulkan {

/// For one thread at a time.
class Staging {
 public:
  /// What is used again at once. The host fills one piece while the device empties others, so a piece is small enough
  /// that the first one does not delay them, and large enough that submitting it costs little.
  static constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;
  /// What is kept while nothing is being copied: enough pieces to keep host and device busy, few enough for caches.
  static constexpr std::uint64_t kept_bytes = 4 * piece_bytes;

 private:
  struct Piece {
    Part memory;
    std::uint64_t used = 0;
    std::uint64_t number = 0;  // of the last submission that uses it
  };

 public:
  /// Bytes of a piece, which is not used again as long as these exist.
  struct Space {
    std::shared_ptr<const Piece> piece;
    Part part;
    std::uint64_t bytes = 0;
  };

  explicit Staging(Queue& queue) : queue_(&queue) {}

  /// Up to `bytes` bytes, fewer where a piece ends. Nothing where all pieces are in use and more than `limit` bytes in
  /// all would be needed, or the driver gives no more.
  std::optional<Space> take(std::uint64_t bytes, std::uint64_t limit);
  /// What was taken since the last call is used by this submission.
  void note_submission(std::uint64_t number);
  /// The submission that must end before something can be taken again. None: somebody holds all pieces.
  std::optional<std::uint64_t> next_free() const;
  /// Frees what is not in use, until `kept` bytes are left.
  void trim(std::uint64_t kept);
  std::uint64_t bytes() const { return bytes_; }
  /// How often the driver was asked for memory.
  std::uint64_t allocations() const { return allocations_; }

 private:
  struct Chunk {
    std::unique_ptr<Allocation> memory;
    std::vector<std::shared_ptr<Piece>> pieces;
  };

  bool is_free(const std::shared_ptr<Piece>& piece) const;
  std::optional<Space> take_of(const std::shared_ptr<Piece>& piece, std::uint64_t bytes);
  bool grow(std::uint64_t limit);

  Queue* queue_;
  std::vector<Chunk> chunks_;
  std::uint64_t bytes_ = 0, allocations_ = 0;
};

}  // namespace webnn::runtime::vulkan
