// Recorded dispatches, and the proof that their barriers suffice. The memory that a dispatch accesses is determined
// from the addresses in its table and from the memory given to its call, never from the access lists that were used to
// place the barriers.
#pragma once

#include <span>
#include <vector>

#include "runtime/kernel.hpp"
#include "runtime/vulkan/hazards.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

/// The sizes of a call's operands and results in bytes; 0 for an absent operand.
struct CallSizes {
  std::vector<std::uint64_t> inputs, outputs;
  std::uint64_t scratch = 0;

  CallSizes() = default;
  CallSizes(const KernelSpec& spec, std::uint64_t scratch_bytes);
};

/// The accesses listed by the kernel's dispatch, for the placement of barriers. `call` numbers calls from 1.
Accesses listed_accesses(const Dispatch& dispatch, const KernelArguments& arguments, std::uint32_t call);

/// The addresses of a dispatch, in the order of its table.
void append_addresses(const Dispatch& dispatch, const KernelArguments& arguments, std::vector<std::uint64_t>& to);

/// A dispatch as the device gets it.
struct RecordedDispatch {
  const Dispatch* dispatch = nullptr;
  std::span<const std::byte> table;  // as its shader reads it, including addresses
  const KernelArguments* arguments = nullptr;
  const CallSizes* sizes = nullptr;
  std::uint32_t call = 0;  // equal for dispatches of the same call
};

/// Conflicting pairs without a barrier in between, where one dispatch writes memory that the other one accesses. An
/// address in an operand counts as reading all of it, one in a result as writing all of it, one in scratch memory as
/// doing both up to the call's next address there. Two parts of a result are disjoint if the walks in their tables are.
std::vector<Hazard> find_recorded_hazards(std::span<const RecordedDispatch> dispatches,
                                          const std::vector<bool>& barriers);

}  // namespace webnn::runtime::vulkan
