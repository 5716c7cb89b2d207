#include "runtime/vulkan/sequence.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

#include "runtime/vulkan/hazards.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

using namespace schema;

namespace {

constexpr std::size_t table_alignment = 16;

#ifdef NDEBUG
constexpr bool asserts = false;
#else
constexpr bool asserts = true;
#endif

}  // namespace

RecordedSequence::RecordedSequence(Queue& queue, Memory& memory, Pipelines& pipelines, Recorder*& recording,
                                   std::span<const Invocation> invocations)
    : queue_(&queue), memory_(&memory), pipelines_(&pipelines), recording_(&recording), invocations_(invocations) {}

RecordedSequence::~RecordedSequence() {
  for (const Copy& copy : copies_) queue_->settle(copy.last_run);
}

std::uint64_t RecordedSequence::bytes_of(const Dispatch& dispatch) {
  constexpr std::size_t of_commands = 512;  // in the driver: pipeline, push constants, dispatch and barrier
  constexpr std::size_t of_plan = sizeof(std::size_t) + 1,
                        of_lists = 2 * sizeof(std::uint32_t) + sizeof(std::size_t) + 1;
  // Whether each table is twice in memory (Copy::near_tables) is known only when there is one: it counts as if.
  const std::size_t table = 2 * (dispatch.table.size() * sizeof(std::uint32_t) + table_alignment);
  const std::size_t addresses = dispatch.addresses.size() * sizeof(std::uint64_t);
  return sizeof(Recorder::Entry) + of_lists + 2 * of_plan + sizeof(Accesses) +
         dispatch.accesses.size() * sizeof(Access) + addresses + most_copies * (table + addresses + of_commands);
}

void RecordedSequence::arrange() {
  // A kernel may have thrown in an earlier run, which left some of this.
  ends_.clear();
  host_kernels_.clear();
  cuts_.clear();
  slices_.clear();
  table_offsets_.clear();
  table_bytes_ = 0;
  in_turn_ = by_depth_ = {};
  Recorder recorder;
  *recording_ = &recorder;
  const auto end_recording = [](Recorder** recording) { *recording = nullptr; };
  std::unique_ptr<Recorder*, decltype(end_recording)> recording(recording_, end_recording);
  std::optional<Cost> at_once;  // of the part; none: the next entry begins one
  for (const Invocation& invocation : invocations_) {
    const std::size_t first = recorder.entries().size();
    invocation.kernel->run(invocation.arguments);
    ends_.push_back(recorder.entries().size());
    host_kernels_.push_back(recorder.take_host_kernel());
    if (host_kernels_.back() != nullptr) at_once.reset();
    cut(std::span(recorder.entries()).subspan(first), recorder.take_cost(), at_once);
  }
  recording.reset();
  entries_ = recorder.entries();
  std::vector<Accesses> accesses;
  for (const Recorder::Entry& entry : entries_) {
    accesses.push_back(listed_accesses(*entry.dispatch, *entry.arguments, entry.call));
    table_offsets_.push_back(table_bytes_);
    const std::size_t bytes = entry.dispatch->table.size() * sizeof(std::uint32_t);
    table_bytes_ += round_up(bytes, table_alignment);
  }
  plan(accesses);
  arranged_ = true;
}

/// Decides in which parts the entries of an invocation are submitted, which share its cost by their work.
void RecordedSequence::cut(std::span<const Recorder::Entry> entries, const Cost& cost, std::optional<Cost>& at_once) {
  constexpr std::uint64_t most_slices = 4096;
  const Profile& profile = queue_->profile();
  const auto parts_for = [&](const Cost& work) {
    const auto share = [](std::uint64_t amount, std::uint64_t limit) {
      return limit == 0 ? 0 : amount / limit + (amount % limit != 0);
    };
    return std::max(share(work.flops, profile.flops_at_once), share(work.bytes, profile.bytes_at_once));
  };
  double work = 0;
  for (const Recorder::Entry& entry : entries) work += double(entry.dispatch->work);
  for (const Recorder::Entry& entry : entries) {
    const double part = double(entry.dispatch->work) / work;
    const Cost of_entry{Saturating(cost.flops).share(part), Saturating(cost.bytes).share(part)};
    if (at_once) *at_once += of_entry;
    cuts_.push_back(!at_once || parts_for(*at_once) > 1);
    if (cuts_.back()) at_once = of_entry;
    const std::uint64_t slices = std::min({parts_for(of_entry), entry.dispatch->groups, most_slices});
    slices_.push_back(std::uint32_t(std::max<std::uint64_t>(slices, 1)));
  }
}

void RecordedSequence::plan(std::span<const Accesses> accesses) {
  in_turn_.barriers = find_barriers(accesses);
  in_turn_.order.resize(entries_.size());
  std::iota(in_turn_.order.begin(), in_turn_.order.end(), std::size_t{0});
  by_depth_.order = in_turn_.order;
  for (std::size_t begin = 0, end = 0; begin < entries_.size(); begin = end) {
    do ++end;  // of the part: the next one begins with a barrier
    while (end < entries_.size() && !cuts_[end]);
    const std::vector<std::uint32_t> depths = find_depths(accesses.subspan(begin, end - begin));
    const auto depth = [&](std::size_t entry) { return depths[entry - begin]; };
    std::ranges::stable_sort(by_depth_.order.begin() + std::ptrdiff_t(begin),
                             by_depth_.order.begin() + std::ptrdiff_t(end), {}, depth);
    for (std::size_t place = begin; place < end; ++place)
      by_depth_.barriers.push_back(place == begin ||
                                   depth(by_depth_.order[place]) != depth(by_depth_.order[place - 1]));
    in_turn_.barriers[begin] = true;  // against all work submitted before
  }
}

void RecordedSequence::read_addresses() {
  addresses_.clear();
  for (const Recorder::Entry& entry : entries_) append_addresses(*entry.dispatch, *entry.arguments, addresses_);
}

void RecordedSequence::write_addresses(Copy& copy) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i)
    for (const Dispatch::Address& address : entries_[i].dispatch->addresses)
      std::memcpy(copy.tables->mapped + table_offsets_[i] + address.word * sizeof(std::uint32_t), &addresses_[next++],
                  sizeof(std::uint64_t));
  copy.addresses = addresses_;
  copy.reach = reach();
  if (!asserts && !queue_->instance().validates()) return;
  prove_barriers(copy, in_turn_);
  prove_barriers(copy, by_depth_);
}

/// All memory that the dispatches access with the arguments of this run.
std::shared_ptr<const ByteRanges> RecordedSequence::reach() const {
  const auto reach = std::make_shared<ByteRanges>();
  for (const Recorder::Entry& entry : entries_)
    for (const Access& access : listed_accesses(*entry.dispatch, *entry.arguments, entry.call))
      reach->add(access.address, access.address + access.bytes);
  return reach;
}

/// Checks the barriers against the contents of the tables, not against the lists that placed them. Nothing else would
/// notice a missing barrier: validation layers do not follow addresses, and a driver on the CPU keeps the order.
void RecordedSequence::prove_barriers(const Copy& copy, const Plan& plan) const {
  std::vector<RecordedDispatch> recorded;
  for (const std::size_t i : plan.order) {
    const Recorder::Entry& entry = entries_[i];
    const std::span table(copy.tables->mapped + table_offsets_[i],
                          entry.dispatch->table.size() * sizeof(std::uint32_t));
    recorded.push_back({entry.dispatch, table, entry.arguments, entry.sizes, entry.call});
  }
  const std::vector<Hazard> hazards = find_recorded_hazards(recorded, plan.barriers);
  if (hazards.empty()) return;
  const auto name = [&](std::size_t i) {
    return std::to_string(i) + " (" + std::string(entries_[plan.order[i]].dispatch->shader.name) + ")";
  };
  throw Error(ExitCode::internal, "there is no barrier between dispatches " + name(hazards[0].first) + " and " +
                                      name(hazards[0].second) + " of a recorded program");
}

/// A copy of the tables with the addresses of this run that no running work reads while it is changed. A copy that
/// already has these addresses may run again at any time.
RecordedSequence::Copy& RecordedSequence::copy_for_addresses() {
  const auto same = std::ranges::find(copies_, addresses_, &Copy::addresses);
  if (same != copies_.end()) return *same;
  if (copies_.size() < most_copies) {
    Copy copy;
    make(copy);
    return copies_.emplace_back(std::move(copy));
  }
  Copy& oldest = *std::ranges::min_element(copies_, {}, &Copy::last_run);
  queue_->wait(queue_->kernels(), oldest.last_run);
  write_addresses(oldest);
  return oldest;
}

void RecordedSequence::make(Copy& copy) {
  copy.tables =
      std::make_unique<Allocation>(*queue_, std::max<std::size_t>(table_bytes_, table_alignment), MemoryKind::tables);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& table = entries_[i].dispatch->table;
    std::memcpy(copy.tables->mapped + table_offsets_[i], table.data(), table.size() * sizeof(std::uint32_t));
  }
  write_addresses(copy);
  copy.address = copy.tables->address;
  if (!copy.tables->is_near || memory_->staging()) {
    copy.near_tables = memory_->allocate(copy.tables->bytes);
    const auto place = memory_->find(copy.near_tables.address());
    copy.address = place.allocation->address + place.offset;
  }
  copy.parts = record(copy, {});
}

void RecordedSequence::bring_near(const Copy& copy, const Commands& commands) const {
  full_barrier(queue_->vk(), commands);  // earlier runs may still read them
  const auto to = memory_->find(copy.near_tables.address());
  const VkBufferCopy region{0, to.offset, copy.tables->bytes};
  queue_->vk().CmdCopyBuffer(commands.get(), copy.tables->buffer, to.allocation->buffer, 1, &region);
}

/// The pool gets a timestamp before the first invocation, and one after each of them, which do not overlap then, or one
/// after the last.
RecordedSequence::Parts RecordedSequence::record(const Copy& copy, const Stamps& stamps) {
  const Functions& vk = queue_->vk();
  Parts parts;
  VkCommandBuffer commands = VK_NULL_HANDLE;  // of the last part
  VkPipeline bound = VK_NULL_HANDLE;
  const auto end_part = [&] {
    barrier_to_host(vk, parts.back().commands);
    queue_->end_commands(parts.back().commands);
  };
  const auto begin_part = [&](HostKernel* before, const KernelArguments* arguments) {
    if (!parts.empty()) end_part();
    Part& part = parts.emplace_back();
    part.commands = queue_->begin_commands(queue_->kernels(), VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
    part.before = before;
    part.arguments = arguments;
    commands = part.commands.get();
    bound = VK_NULL_HANDLE;
  };
  const auto stamp = [&](std::size_t index) {
    if (!stamps.pool) return;
    vk.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, stamps.pool, std::uint32_t(index));
    dispatch_barrier(vk, parts.back().commands);
  };
  const bool times_each = stamps.pool && stamps.times == invocations_.size();
  const Plan& plan = times_each ? in_turn_ : by_depth_;
  std::size_t place = 0, place_of_part = 0;  // where the part began
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (i == 0 || host_kernels_[i] != nullptr) {
      begin_part(host_kernels_[i], &invocations_[i].arguments);
      place_of_part = place;
    }
    if (i == 0 && copy.near_tables.size() != 0) bring_near(copy, parts.back().commands);
    if (i == 0 && stamps.pool) vk.CmdResetQueryPool(commands, stamps.pool, 0, std::uint32_t(stamps.times + 1));
    if (i == 0) stamp(0);
    for (; place < ends_[i]; ++place) {
      if (cuts_[place] && place > place_of_part) {  // a part has the same places as entries
        begin_part(nullptr, nullptr);
        place_of_part = place;
      }
      const std::size_t entry = plan.order[place];
      if (place == place_of_part)
        full_barrier(vk, parts.back().commands);  // against all work submitted before
      else if (plan.barriers[place])
        dispatch_barrier(vk, parts.back().commands);
      const VkDeviceAddress table = copy.address + table_offsets_[entry];
      PushConstants constants{table, table + entries_[entry].dispatch->post_word * sizeof(std::uint32_t)};
      const std::uint64_t groups = entries_[entry].dispatch->groups;
      const std::uint64_t of_slice = div_up(groups, slices_[entry]);
      for (std::uint64_t first = 0; first < groups;) {
        if (first > 0) begin_part(nullptr, nullptr);
        if (entries_[entry].pipeline != bound)
          vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, entries_[entry].pipeline);
        bound = entries_[entry].pipeline;
        constants.first_group = std::uint32_t(first);
        vk.CmdPushConstants(commands, pipelines_->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof constants,
                            &constants);
        // Workgroups are numbered across two axes, because one axis may be too short.
        const std::uint64_t count = std::min(of_slice, groups - first);
        const std::uint64_t columns = std::min<std::uint64_t>(count, queue_->profile().max_groups_x);
        const std::uint64_t rows = div_up(count, columns);
        vk.CmdDispatch(commands, std::uint32_t(columns), std::uint32_t(rows), 1);
        first += rows * columns;
      }
    }
    if (times_each) stamp(i + 1);
  }
  if (!times_each) stamp(1);
  end_part();
  return parts;
}

/// Submits the recorded parts and runs the CPU kernels between them.
void RecordedSequence::run(Copy& copy, const Parts& parts) {
  for (const Part& part : parts) {
    if (part.before) {
      memory_->flush();
      queue_->wait();
      part.before->run(*part.arguments);
    }
    memory_->flush();
    copy.last_run = queue_->submit(part.commands);
    memory_->note_use(copy.reach, copy.last_run);
  }
}

void RecordedSequence::submit() {
  if (!arranged_) arrange();
  if (invocations_.empty()) return;
  read_addresses();
  Copy& copy = copy_for_addresses();
  run(copy, copy.parts);
}

void RecordedSequence::run_timed(std::span<StepTime> times) {
  assert(times.size() == invocations_.size() || times.size() == 1);
  if (!arranged_) arrange();
  if (invocations_.empty()) return;
  if (queue_->profile().timestamp_nanoseconds == 0)
    throw Error(ExitCode::unsupported, "this GPU does not measure time");
  const Functions& vk = queue_->vk();
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = std::uint32_t(times.size() + 1);
  read_addresses();
  Copy& copy = copy_for_addresses();
  VkQueryPool timestamps = VK_NULL_HANDLE;
  check(vk.CreateQueryPool(queue_->device(), &info, nullptr, &timestamps), "measure time");
  const auto destroy = [&](VkQueryPool* pool) { vk.DestroyQueryPool(queue_->device(), *pool, nullptr); };
  const std::unique_ptr<VkQueryPool, decltype(destroy)> owner(&timestamps, destroy);
  const Parts timed = record(copy, {timestamps, times.size()});
  // When a part is refused, or the wait ends early, the parts before it may still run with these commands and this pool.
  const auto settle = [&](const Copy* submitted) { queue_->settle(submitted->last_run); };
  const std::unique_ptr<const Copy, decltype(settle)> settled(&copy, settle);
  run(copy, timed);
  std::vector<std::uint64_t> ticks(times.size() + 1);
  queue_->wait(queue_->kernels(), copy.last_run);
  check(vk.GetQueryPoolResults(queue_->device(), timestamps, 0, info.queryCount, ticks.size() * sizeof ticks[0],
                               ticks.data(), sizeof ticks[0], VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "measure time");
  // The last timestamp is from now, or from just before.
  const std::uint64_t now = steady_nanoseconds();
  const auto time_of = [&](std::uint64_t tick) {
    const std::uint64_t ago = ticks_between(tick, ticks.back(), queue_->profile().timestamp_bits);
    return now - std::uint64_t(double(ago) * queue_->profile().timestamp_nanoseconds);
  };
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = {time_of(ticks[i]), time_of(ticks[i + 1])};
}

}  // namespace webnn::runtime::vulkan
