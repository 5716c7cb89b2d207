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

const Commands& Transfers::commands() {
  if (!open_) {
    open_ = queue_->begin_commands(*lane_, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    full_barrier(queue_->vk(), open_);  // against all work submitted to the lane before
  }
  return open_;
}

void Transfers::note_use(const std::shared_ptr<const ByteRanges>& bytes, std::uint64_t number) {
  if (!queue_->has_copy_lane()) return;  // copies start after all kernels anyway
  const std::lock_guard lock(mutex_);
  uses_.forget([&](std::uint64_t used) { return queue_->kernels().has_reached(used); });
  uses_.add(bytes, number);
}

void Transfers::submit() {
  if (!open_) return;
  if (running_.size() >= most_running) queue_->wait(*lane_, running_[most_running / 2].second);
  std::erase_if(running_, [&](const auto& entry) { return lane_->has_reached(entry.second); });
  const auto is_open = [](const Expected& one) { return one.number == 0; };
  if (std::ranges::any_of(expected_, is_open)) barrier_to_host(queue_->vk(), open_);
  queue_->end_commands(open_);
  const std::uint64_t number = queue_->submit(open_, std::exchange(after_, 0));
  for (Chunk& chunk : chunks_)
    if (chunk.number == ~std::uint64_t{0}) chunk.number = number;
  for (Expected& one : expected_)
    if (is_open(one)) one.number = number;
  running_.emplace_back(std::move(open_), number);
  open_ = Commands();
  forget_accesses();
}

/// Frees the chunks and commands of submissions that the queue has reached, but for one small chunk. What is expected is
/// still in them.
void Transfers::give_back_chunks() {
  if (!expected_.empty()) return;
  std::erase_if(running_, [&](const auto& entry) { return lane_->has_reached(entry.second); });
  std::erase_if(chunks_, [&](Chunk& chunk) {
    if (!lane_->has_reached(chunk.number)) return false;
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
    queue_->wait(*lane_, best ? best->number : lane_->submitted());
    if (best)
      best->used = 0;
    else
      chunks_.clear(), staging_bytes_ = 0;
  }
}

/// Commands of one buffer run at the same time, unless a barrier divides them.
void Transfers::order(const Part& part, std::uint64_t bytes, bool writes) {
  const std::uint64_t begin = part.allocation->address + part.offset, end = begin + bytes;
  const Commands& recorded = commands();
  after_ = std::max(after_, uses_.last(begin, end));
  if (written_.overlaps(begin, end) || (writes && read_.overlaps(begin, end))) {
    full_barrier(queue_->vk(), recorded);
    forget_accesses();
  }
  (writes ? written_ : read_).add(begin, end);
}

void Transfers::forget_accesses() {
  written_.clear();
  read_.clear();
}

void Transfers::copy(const Part& to, const Part& from, std::uint64_t bytes) {
  const VkBufferCopy region{from.offset, to.offset, bytes};
  queue_->vk().CmdCopyBuffer(commands().get(), from.allocation->buffer, to.allocation->buffer, 1, &region);
}

void Transfers::upload(const Part& to, std::span<const std::byte> from) {
  const std::lock_guard lock(mutex_);
  expected_.clear();
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t bytes = std::min<std::size_t>(from.size() - at, largest_chunk);
    const Part staged = stage(bytes);
    std::memcpy(staged.mapped(), from.data() + at, bytes);
    const Part part{to.allocation, to.offset + at};
    order(part, bytes, true);
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
    order(what, bytes - rest, true);
    queue_->vk().CmdFillBuffer(commands().get(), what.allocation->buffer, what.offset, bytes - rest, 0);
  }
  upload({what.allocation, what.offset + bytes - rest}, std::span(zeros).first(rest));
}

void Transfers::expect_download(const Part& from, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{16} << 20;  // of larger ones the copy itself takes the time
  const std::lock_guard lock(mutex_);
  if (bytes > most) return;
  const Part staged = stage(bytes);
  order(from, bytes, false);
  copy(staged, from, bytes);
  expected_.push_back({from, bytes, staged});
}

std::vector<Transfers::Expected>::iterator Transfers::find_expected(const Part& from, std::uint64_t bytes) {
  return std::ranges::find_if(expected_, [&](const Expected& one) {
    return one.from.allocation == from.allocation && one.from.offset == from.offset && one.bytes == bytes;
  });
}

void Transfers::forget_download(const Part& from, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = find_expected(from, bytes);
  if (found == expected_.end()) return;
  expected_.erase(found);
  give_back_chunks();
}

/// The content of an expected download, if this is one.
bool Transfers::take_expected(std::span<std::byte> to, const Part& from) {
  const auto found = find_expected(from, to.size());
  if (found == expected_.end()) return false;
  if (found->number == 0) submit();
  const Expected taken = *found;
  queue_->wait(*lane_, taken.number);
  std::memcpy(to.data(), taken.staged.mapped(), to.size());
  expected_.erase(found);
  give_back_chunks();
  return true;
}

void Transfers::download(std::span<std::byte> to, const Part& from) {
  const std::lock_guard lock(mutex_);
  if (take_expected(to, from)) return;
  for (std::size_t at = 0; at < to.size();) {
    const std::size_t bytes = std::min<std::size_t>(to.size() - at, largest_chunk);
    const Part staged = stage(bytes), part{from.allocation, from.offset + at};
    order(part, bytes, false);
    copy(staged, part, bytes);
    barrier_to_host(queue_->vk(), commands());
    submit();
    const std::uint64_t number = running_.back().second;
    queue_->wait(*lane_, number);
    std::memcpy(to.data() + at, staged.mapped(), bytes);
    give_back_chunks();
    at += bytes;
  }
}

void Transfers::flush() {
  const std::lock_guard lock(mutex_);
  expected_.clear();
  submit();
}

Moment Transfers::last_moment() {
  const std::lock_guard lock(mutex_);
  return {queue_->kernels().submitted(), lane_->submitted() + (open_ ? 1 : 0)};
}

std::uint64_t Transfers::staging_bytes() const {
  const std::lock_guard lock(mutex_);
  return staging_bytes_;
}

}  // namespace webnn::runtime::vulkan
