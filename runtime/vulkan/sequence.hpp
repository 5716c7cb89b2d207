// A program's kernels as one recorded command buffer. It is recorded once; the addresses of the caller's tensors, which
// change between runs, are in tables that the shaders read. Around a CPU kernel, the command buffer is split in two.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "runtime/vulkan/host_kernel.hpp"
#include "runtime/vulkan/memory/memory.hpp"
#include "runtime/vulkan/pipelines.hpp"
#include "runtime/vulkan/recorded.hpp"
#include "schema/kernels/cost.hpp"

namespace webnn::runtime::vulkan {

/// A prepared kernel of the device, ready to be recorded.
struct ReadyKernel {
  DispatchList dispatches;
  CountedVector<VkPipeline> pipelines;  // by dispatch
  MemoryCharge recording;               // what a sequence will take for them
  CallSizes sizes;
  Cost cost;
};

/// Collects the dispatches of kernels when their `run` is called.
class Recorder {
 public:
  struct Entry {
    const Dispatch* dispatch;
    VkPipeline pipeline;
    const KernelArguments* arguments;
    const CallSizes* sizes;
    std::uint32_t call;  // number of the kernel's call, from 1
  };

  void add(const ReadyKernel& kernel, const KernelArguments& arguments) {
    ++calls_;
    cost_ += kernel.cost;
    for (std::size_t i = 0; i < kernel.dispatches.size(); ++i)
      entries_.push_back({&kernel.dispatches[i], kernel.pipelines[i], &arguments, &kernel.sizes, calls_});
  }
  /// The invocation is a CPU kernel.
  void add(HostKernel& kernel) { host_kernel_ = &kernel; }

  const std::vector<Entry>& entries() const { return entries_; }
  /// The CPU kernel added since the last call; null: none.
  HostKernel* take_host_kernel() { return std::exchange(host_kernel_, nullptr); }
  /// The cost of what was added since the last call.
  Cost take_cost() { return std::exchange(cost_, {}); }

 private:
  std::vector<Entry> entries_;
  std::uint32_t calls_ = 0;
  HostKernel* host_kernel_ = nullptr;
  Cost cost_;
};

class RecordedSequence final : public Sequence {
 public:
  /// `recording` is where kernels find the recorder during recording.
  RecordedSequence(Queue& queue, Memory& memory, Pipelines& pipelines, Recorder*& recording,
                   std::span<const Invocation> invocations);
  RecordedSequence(const RecordedSequence&) = delete;
  RecordedSequence& operator=(const RecordedSequence&) = delete;
  ~RecordedSequence() override;

  /// The memory that a sequence takes for a dispatch, in its lists and in all copies.
  static std::uint64_t bytes_of(const Dispatch& dispatch);

  void submit() override;
  void run_timed(std::span<StepTime> times) override;

 private:
  /// What is submitted at once: command buffers between CPU kernels, and parts of long ones, down to some workgroups of a
  /// dispatch.
  struct Part {
    Commands commands;
    HostKernel* before = nullptr;  // a CPU kernel that runs first; null: none
    const KernelArguments* arguments = nullptr;
  };
  using Parts = std::vector<Part>;
  /// The parts with the tables that they refer to.
  struct Copy {
    std::unique_ptr<Allocation> tables;  // written by the host
    // Where that is not near the kernels: what they read instead, a copy made by the first part. Each workgroup would wait
    // for the host's memory otherwise.
    Buffer near_tables;
    VkDeviceAddress address = 0;  // of what they read
    Parts parts;
    std::vector<std::uint64_t> addresses;     // that are in its tables
    std::shared_ptr<const ByteRanges> reach;  // the memory that they let it access
    std::uint64_t last_run = 0;
  };
  static constexpr std::size_t most_copies = 3;
  struct Plan {
    std::vector<std::size_t> order;  // of the entries
    std::vector<bool> barriers;      // by place in the order: whether one precedes it
  };

  void arrange();
  void cut(std::span<const Recorder::Entry> entries, const Cost& cost, std::optional<Cost>& at_once);
  void plan(std::span<const Accesses> accesses);
  void read_addresses();
  Copy& copy_for_addresses();
  void make(Copy& copy);
  void bring_near(const Copy& copy, const Commands& commands) const;
  /// Which timestamps a recording writes into a pool.
  struct Stamps {
    VkQueryPool pool = VK_NULL_HANDLE;  // null: none
    std::size_t times = 0;              // between them: one for each invocation, or one
  };
  Parts record(const Copy& copy, const Stamps& stamps);
  void run(Copy& copy, const Parts& parts);
  void write_addresses(Copy& copy);
  std::shared_ptr<const ByteRanges> reach() const;
  void prove_barriers(const Copy& copy, const Plan& plan) const;

  Queue* queue_;
  Memory* memory_;
  Pipelines* pipelines_;
  Recorder** recording_;
  std::span<const Invocation> invocations_;

  // Filled by the first run, because only then all addresses are known.
  bool arranged_ = false;
  std::vector<Recorder::Entry> entries_;
  std::vector<std::size_t> ends_;           // by invocation: end of its entries
  std::vector<HostKernel*> host_kernels_;   // by invocation; null: runs on the GPU
  std::vector<bool> cuts_;                  // by entry: whether a part begins with it
  std::vector<std::uint32_t> slices_;       // by entry: of its workgroups, each in a part of its own
  std::vector<std::size_t> table_offsets_;  // by entry, in bytes
  std::size_t table_bytes_ = 0;
  Plan in_turn_, by_depth_;  // in the order of the invocations; as early as possible, with as few barriers as possible
  std::vector<std::uint64_t> addresses_;  // of this run, in the order of the entries' tables
  std::vector<Copy> copies_;
};

}  // namespace webnn::runtime::vulkan
