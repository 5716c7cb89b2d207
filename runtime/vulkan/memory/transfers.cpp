#include "runtime/vulkan/memory/transfers.hpp"

#include <algorithm>
#include <cstring>

namespace webnn::runtime::vulkan {

namespace {

constexpr std::uint64_t first_chunk = std::uint64_t{4} << 20, largest_chunk = std::uint64_t{64} << 20;
/// The staging memory of a device: when it is used up, an upload waits for an earlier one.
constexpr std::uint64_t most_staging = std::uint64_t{160} << 20;
/// What is kept while nothing is being copied.
constexpr std::uint64_t kept_staging = std::uint64_t{16} << 20;
constexpr std::uint64_t staging_alignment = 256;
/// Submissions whose commands are kept at a time: a caller who never reads waits for the older half of them.
constexpr std::size_t most_running = 64;

}  // namespace

VkCommandBuffer Transfers::commands() {
  if (!open_) {
    open_ = queue_->begin_commands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    full_barrier(queue_->vk(), open_.get());  // against all work submitted before
  }
  return open_.get();
}

void Transfers::submit() {
  if (!open_) return;
  if (running_.size() >= most_running) queue_->wait(running_[most_running / 2].second);
  std::erase_if(running_, [&](const auto& entry) { return queue_->has_reached(entry.second); });
  const auto is_open = [](const Expected& one) { return one.number == 0; };
  if (std::ranges::any_of(expected_, is_open)) barrier_to_host(queue_->vk(), open_.get());
  queue_->end_commands(open_);
  const std::uint64_t number = queue_->submit(open_);
  for (Chunk& chunk : chunks_)
    if (chunk.number == ~std::uint64_t{0}) chunk.number = number;
  for (Expected& one : expected_)
    if (is_open(one)) one.number = number;
  running_.emplace_back(std::move(open_), number);
  open_ = Commands();
  written_.clear();
}

/// Frees the chunks and commands of submissions that the queue has reached, but for one small chunk. What is expected is
/// still in them.
void Transfers::give_back_chunks(std::uint64_t reached) {
  if (!expected_.empty()) return;
  std::erase_if(running_, [&](const auto& entry) { return entry.second <= reached; });
  std::erase_if(chunks_, [&](Chunk& chunk) {
    if (chunk.number > reached) return false;
    chunk.used = 0;
    if (staging_bytes_ <= kept_staging) return false;
    staging_bytes_ -= chunk.memory->bytes;
    return true;
  });
  if (staging_bytes_ <= kept_staging) next_chunk_ = first_chunk;
}

Part Transfers::stage(std::uint64_t bytes) {
  const std::uint64_t size = (bytes + staging_alignment - 1) / staging_alignment * staging_alignment;
  const auto take = [&](Chunk& chunk) {
    const Part part{chunk.memory.get(), chunk.used};
    chunk.used += size;
    chunk.number = ~std::uint64_t{0};  // until it is submitted
    return part;
  };
  for (;;) {
    for (Chunk& chunk : chunks_)
      if (chunk.memory->bytes - chunk.used >= size) return take(chunk);
    const std::uint64_t next = std::max(std::max(next_chunk_, first_chunk), size);
    if (chunks_.empty() || staging_bytes_ + next <= most_staging) {
      chunks_.push_back({std::make_unique<Allocation>(*queue_, next, MemoryKind::staging)});
      staging_bytes_ += next;
      next_chunk_ = std::min(4 * next, largest_chunk);
      return take(chunks_.back());
    }
    // All staging memory is in use: what is large enough is used again, and when nothing is, all of it is given back.
    submit();
    expected_.clear();
    Chunk* best = nullptr;
    for (Chunk& chunk : chunks_)
      if (chunk.memory->bytes >= size && (!best || chunk.number < best->number)) best = &chunk;
    queue_->wait(best ? best->number : queue_->submitted());
    if (best)
      best->used = 0;
    else
      chunks_.clear(), staging_bytes_ = 0;
  }
}

/// Commands of one buffer run at the same time, unless a barrier divides them.
void Transfers::order_write(const Part& to, std::uint64_t bytes) {
  const VkCommandBuffer buffer = commands();
  const std::uint64_t begin = to.allocation->address + to.offset, end = begin + bytes;
  if (written_.overlaps(begin, end)) {
    full_barrier(queue_->vk(), buffer);
    written_.clear();
  }
  written_.add(begin, end);
}

void Transfers::copy(const Part& to, const Part& from, std::uint64_t bytes) {
  const VkBufferCopy region{from.offset, to.offset, bytes};
  queue_->vk().CmdCopyBuffer(commands(), from.allocation->buffer, to.allocation->buffer, 1, &region);
}

void Transfers::upload(const Part& to, std::span<const std::byte> from) {
  const std::lock_guard lock(mutex_);
  expected_.clear();
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t bytes = std::min<std::size_t>(from.size() - at, largest_chunk);
    const Part staged = stage(bytes);
    std::memcpy(staged.mapped(), from.data() + at, bytes);
    const Part part{to.allocation, to.offset + at};
    order_write(part, bytes);
    copy(part, staged, bytes);
    at += bytes;
  }
}

void Transfers::clear(const Part& what, std::uint64_t bytes) {
  constexpr std::byte zeros[3]{};
  const std::uint64_t rest = bytes % 4;  // the command writes words
  if (bytes > rest) {
    const std::lock_guard lock(mutex_);
    expected_.clear();
    order_write(what, bytes - rest);
    queue_->vk().CmdFillBuffer(commands(), what.allocation->buffer, what.offset, bytes - rest, 0);
  }
  upload({what.allocation, what.offset + bytes - rest}, std::span(zeros).first(rest));
}

void Transfers::expect_download(const Part& from, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{16} << 20;  // of larger ones the copy itself takes the time
  const std::lock_guard lock(mutex_);
  if (bytes > most) return;
  const Part staged = stage(bytes);
  const std::uint64_t begin = from.allocation->address + from.offset;
  const VkCommandBuffer buffer = commands();
  if (written_.overlaps(begin, begin + bytes)) {
    full_barrier(queue_->vk(), buffer);
    written_.clear();
  }
  copy(staged, from, bytes);
  expected_.push_back({from, bytes, staged});
}

/// The content of an expected download, if this is one.
bool Transfers::take_expected(std::span<std::byte> to, const Part& from) {
  const auto found = std::ranges::find_if(expected_, [&](const Expected& one) {
    return one.from.allocation == from.allocation && one.from.offset == from.offset && one.bytes == to.size();
  });
  if (found == expected_.end()) return false;
  if (found->number == 0) submit();
  const Expected taken = *found;
  queue_->wait(taken.number);
  std::memcpy(to.data(), taken.staged.mapped(), to.size());
  expected_.erase(found);
  give_back_chunks(taken.number);
  return true;
}

void Transfers::download(std::span<std::byte> to, const Part& from) {
  const std::lock_guard lock(mutex_);
  if (take_expected(to, from)) return;
  for (std::size_t at = 0; at < to.size();) {
    const std::size_t bytes = std::min<std::size_t>(to.size() - at, largest_chunk);
    const Part staged = stage(bytes);
    full_barrier(queue_->vk(), commands());
    copy(staged, {from.allocation, from.offset + at}, bytes);
    barrier_to_host(queue_->vk(), commands());
    submit();
    const std::uint64_t number = running_.back().second;
    queue_->wait(number);
    std::memcpy(to.data() + at, staged.mapped(), bytes);
    give_back_chunks(number);
    at += bytes;
  }
}

void Transfers::flush() {
  const std::lock_guard lock(mutex_);
  expected_.clear();
  submit();
}

std::uint64_t Transfers::last_number() {
  const std::lock_guard lock(mutex_);
  return queue_->submitted() + (open_ ? 1 : 0);
}

}  // namespace webnn::runtime::vulkan
