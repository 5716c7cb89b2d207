// What is recorded of a dispatch, and the proof of barriers from that: which memory a dispatch reaches is read from the
// addresses in its table and from the memory that its call was given, never from the lists of accesses that placed the
// barriers.
#pragma once

#include <span>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/vulkan/hazards.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

/// What a call's operands and results have, in bytes. An operand that is absent has none.
struct CallSizes {
  std::vector<std::uint64_t> inputs, outputs;
  std::uint64_t scratch = 0;

  CallSizes() = default;
  CallSizes(const KernelSpec& spec, std::uint64_t scratch_bytes);
};

/// The accesses that the kernel's plan lists, for the planner of barriers. `call` tells calls apart, from 1 on.
Accesses listed_accesses(const Dispatch& dispatch, const KernelArguments& arguments, std::uint32_t call);

/// The addresses of a dispatch in the order in which its table has them.
void append_addresses(const Dispatch& dispatch, const KernelArguments& arguments, std::vector<std::uint64_t>& to);

/// A dispatch as the device gets it.
struct RecordedDispatch {
  const Dispatch* dispatch = nullptr;
  std::span<const std::byte> table;  // that its shader reads, addresses included
  const KernelArguments* arguments = nullptr;
  const CallSizes* sizes = nullptr;
  std::uint32_t call = 0;  // dispatches of one call have one number
};

/// Pairs that are in conflict without a barrier between them: one writes what the other one reaches. An address in an
/// operand's memory reads all of it, one in a result's writes all of it, one in scratch memory does both up to the next
/// address there that the call has. Two parts of a result are apart when their walks in the tables are.
std::vector<Hazard> find_recorded_hazards(std::span<const RecordedDispatch> dispatches,
                                          const std::vector<bool>& barriers);

}  // namespace webnn::runtime::vulkan
