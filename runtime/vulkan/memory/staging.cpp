#include "runtime/vulkan/memory/staging.hpp"

#include <algorithm>

#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

namespace {

constexpr std::uint64_t largest_chunk = std::uint64_t{64} << 20;
constexpr std::uint64_t alignment = 256;
/// Copies are divided where a piece ends, but not into crumbs.
constexpr std::uint64_t least_bytes = std::uint64_t{64} << 10;
/// The number of what was not submitted yet.
constexpr std::uint64_t unsubmitted = ~std::uint64_t{0};

}  // namespace

bool Staging::is_free(const std::shared_ptr<Piece>& piece) const {
  return piece.use_count() == 1 && queue_->copies().has_reached(piece->number);
}

std::optional<Staging::Space> Staging::take_of(const std::shared_ptr<Piece>& piece, std::uint64_t bytes) {
  if (is_free(piece)) piece->used = 0;
  const std::uint64_t room = piece_bytes - piece->used;
  if (room < std::min(bytes, least_bytes)) return std::nullopt;
  const Part part{piece->memory.allocation, piece->memory.offset + piece->used};
  const std::uint64_t taken = std::min(bytes, room);
  piece->used += round_up(taken, alignment);
  piece->number = unsubmitted;
  return Space{piece, part, taken};
}

/// Chunks grow, because drivers give few allocations.
bool Staging::grow(std::uint64_t limit) {
  if (bytes_ != 0 && bytes_ + piece_bytes > limit) return false;
  const std::uint64_t most = limit > bytes_ ? limit - bytes_ : piece_bytes;
  const std::uint64_t wanted =
      std::clamp(3 * bytes_, piece_bytes, std::max(piece_bytes, std::min(most, largest_chunk)));
  const std::uint64_t size = wanted / piece_bytes * piece_bytes;
  Chunk chunk;
  ++allocations_;
  try {
    chunk.memory = std::make_unique<Allocation>(*queue_, size, MemoryKind::staging);
  } catch (const schema::Error&) {
    if (bytes_ == 0) throw;
    return false;  // what there is does, more slowly
  }
  for (std::uint64_t at = 0; at < size; at += piece_bytes)
    chunk.pieces.push_back(std::make_shared<Piece>(Piece{{chunk.memory.get(), at}}));
  chunks_.push_back(std::move(chunk));
  bytes_ += size;
  return true;
}

std::optional<Staging::Space> Staging::take(std::uint64_t bytes, std::uint64_t limit) {
  for (const Chunk& chunk : chunks_)
    for (const std::shared_ptr<Piece>& piece : chunk.pieces)
      if (auto space = take_of(piece, bytes)) return space;
  if (!grow(limit)) return std::nullopt;
  return take_of(chunks_.back().pieces.front(), bytes);
}

void Staging::note_submission(std::uint64_t number) {
  for (const Chunk& chunk : chunks_)
    for (const std::shared_ptr<Piece>& piece : chunk.pieces)
      if (piece->number == unsubmitted) piece->number = number;
}

std::optional<std::uint64_t> Staging::next_free() const {
  std::optional<std::uint64_t> next;
  for (const Chunk& chunk : chunks_)
    for (const std::shared_ptr<Piece>& piece : chunk.pieces)
      if (piece.use_count() == 1 && (!next || piece->number < *next)) next = piece->number;
  return next;
}

void Staging::trim(std::uint64_t kept) {
  for (std::size_t i = chunks_.size(); i-- > 0 && bytes_ > kept;) {  // the largest ones first
    if (!std::ranges::all_of(chunks_[i].pieces, [&](const auto& piece) { return is_free(piece); })) continue;
    bytes_ -= chunks_[i].memory->bytes;
    chunks_.erase(chunks_.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace webnn::runtime::vulkan
