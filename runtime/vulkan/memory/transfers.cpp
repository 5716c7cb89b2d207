#include "runtime/vulkan/memory/transfers.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <string>

#include "schema/error.hpp"

namespace webnn::runtime::vulkan {

namespace {

/// The staging memory of the uploads before the first submission: loading a network is one submission then.
constexpr std::uint64_t most_collected = std::uint64_t{128} << 20;
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
  const std::lock_guard lock(mutex_);
  uses_.forget([&](std::uint64_t used) { return queue_->kernels().has_reached(used); });
  uses_.add(bytes, number);
}

void Transfers::submit() {
  if (!open_) return staging_.note_submission(lane_->submitted());  // of what was taken for nothing
  if (running_.size() >= most_running) queue_->wait(*lane_, running_[most_running / 2].second);
  std::erase_if(running_, [&](const auto& entry) { return lane_->has_reached(entry.second); });
  running_.reserve(most_running);  // what was submitted must be kept, even without memory
  // Whatever happens, nothing more is recorded into these commands.
  Commands ended = std::exchange(open_, {});
  const std::uint64_t after = std::exchange(after_, 0);
  const bool host_reads = std::exchange(host_reads_, false), changes = std::exchange(changes_, false);
  recorded_ = 0;
  forget_accesses();
  try {
    if (host_reads) barrier_to_host(queue_->vk(), ended);
    queue_->end_commands(ended);
    const std::uint64_t number = queue_->submit(ended, after);
    staging_.note_submission(number);
    for (Expected& one : expected_)
      if (one.number == 0) one.number = number;
    running_.emplace_back(std::move(ended), number);
  } catch (const schema::Error& error) {
    staging_.note_submission(lane_->submitted());
    std::erase_if(expected_, [](const Expected& one) { return one.number == 0; });
    if (!changes) throw;
    // Callers were told that these writes are accepted, and whatever reads memory from now on would read what was there
    // before. So the device counts as lost.
    queue_->lose(std::string(error.what()) + ", and what was written is gone", error.hint());
  }
}

void Transfers::trim() {
  std::erase_if(running_, [&](const auto& entry) { return lane_->has_reached(entry.second); });
  staging_.trim(Staging::kept_bytes);
}

/// For an upload of `bytes` bytes. Later ones use memory again that is there, because allocating more takes longer than
/// to wait for it.
std::uint64_t Transfers::staging_limit(std::uint64_t bytes) const {
  return queue_->submitted() == 0 && bytes <= Staging::kept_bytes ? most_collected : Staging::kept_bytes;
}

Staging::Space Transfers::stage(std::uint64_t bytes, std::uint64_t limit) {
  for (;;) {
    if (auto space = staging_.take(bytes, limit)) return *space;
    submit();
    if (const auto number = staging_.next_free())
      queue_->wait(*lane_, *number);
    else
      expected_.clear();  // holds all of it
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
  changes_ = changes_ || writes;
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
    const std::uint64_t limit = staging_limit(from.size());
    const Staging::Space staged = stage(from.size() - at, limit);
    std::memcpy(staged.part.mapped(), from.data() + at, staged.bytes);
    const Part part{to.allocation, to.offset + at};
    order(part, staged.bytes, true);
    copy(part, staged.part, staged.bytes);
    at += staged.bytes;
    recorded_ += staged.bytes;
    // The device copies this while the next bytes are staged.
    if (recorded_ >= Staging::piece_bytes && limit == Staging::kept_bytes) submit();
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

/// Records a copy to staging memory, for the host.
void Transfers::request(const Part& from, const Staging::Space& staged) {
  order(from, staged.bytes, false);
  copy(staged.part, from, staged.bytes);
  host_reads_ = true;
}

void Transfers::expect_download(const Part& from, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > Staging::piece_bytes) return;  // the copy itself takes the time
  std::vector<Staging::Space> staged;
  for (std::uint64_t at = 0; at < bytes; at += staged.back().bytes) {
    auto space = staging_.take(bytes - at, Staging::kept_bytes);
    if (!space) return;
    staged.push_back(*std::move(space));
  }
  std::uint64_t at = 0;
  for (const Staging::Space& space : staged) {
    request({from.allocation, from.offset + at}, space);
    at += space.bytes;
  }
  expected_.push_back({from, bytes, std::move(staged)});
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
  trim();
}

/// The content of an expected download, if this is one.
bool Transfers::take_expected(std::span<std::byte> to, const Part& from) {
  const auto found = find_expected(from, to.size());
  if (found == expected_.end()) return false;
  if (found->number == 0) submit();
  const Expected taken = std::move(*found);
  expected_.erase(found);
  queue_->wait(*lane_, taken.number);
  std::byte* place = to.data();
  for (const Staging::Space& space : taken.staged) {
    std::memcpy(place, space.part.mapped(), space.bytes);
    place += space.bytes;
  }
  return true;
}

void Transfers::download(std::span<std::byte> to, const Part& from) {
  struct Travelling {
    Staging::Space staged;
    std::byte* to;
    std::uint64_t number;
  };
  const std::lock_guard lock(mutex_);
  if (take_expected(to, from)) return trim();
  std::deque<Travelling> travelling;
  for (std::size_t at = 0; at < to.size() || !travelling.empty();) {
    // The device copies as many pieces as there is staging memory for, while the host copies the first one of them.
    while (at < to.size()) {
      const std::uint64_t rest = to.size() - at;
      const std::optional<Staging::Space> staged =
          travelling.empty() ? stage(rest, Staging::kept_bytes) : staging_.take(rest, Staging::kept_bytes);
      if (!staged) break;
      request({from.allocation, from.offset + at}, *staged);
      submit();
      travelling.push_back({*staged, to.data() + at, running_.back().second});
      at += staged->bytes;
    }
    const Travelling& first = travelling.front();
    queue_->wait(*lane_, first.number);
    std::memcpy(first.to, first.staged.part.mapped(), first.staged.bytes);
    travelling.pop_front();
  }
  trim();
}

void Transfers::flush() {
  const std::lock_guard lock(mutex_);
  expected_.clear();
  submit();
}

std::uint64_t Transfers::last_use(const Part& part, std::uint64_t bytes) const {
  const std::uint64_t begin = part.allocation->address + part.offset;
  const std::lock_guard lock(mutex_);
  return uses_.last(begin, begin + bytes);
}

Moment Transfers::last_moment() {
  const std::lock_guard lock(mutex_);
  return {queue_->kernels().submitted(), lane_->submitted() + (open_ ? 1 : 0)};
}

void Transfers::trim_staging() {
  const std::lock_guard lock(mutex_);
  trim();
}

std::uint64_t Transfers::free_staging() {
  const std::lock_guard lock(mutex_);
  const std::uint64_t before = staging_.bytes();
  staging_.trim(0);
  return before - staging_.bytes();
}

std::uint64_t Transfers::staging_bytes() const {
  const std::lock_guard lock(mutex_);
  return staging_.bytes();
}

std::uint64_t Transfers::staging_allocations() const {
  const std::lock_guard lock(mutex_);
  return staging_.allocations();
}

}  // namespace webnn::runtime::vulkan
