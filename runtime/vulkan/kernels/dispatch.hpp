// What a kernel of this device is: dispatches of shaders, each with a table of parameters that the shader reads by
// address.
//
//   Dispatch d = DispatchMaker(shaders::unary(), {code, type})
//                    .input(spec, 0).output(spec, 0)     // addresses come first in the table, in this order
//                    .word(count).real(alpha)            // then what the shader's struct Table lists
//                    .over(count);                       // one invocation each
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/vulkan/kernels/expression.hpp"

namespace webnn::runtime::vulkan {

/// SPIR-V with the entry point "main", whose specialisation constant 0 is the number of invocations in a workgroup.
struct ShaderCode {
  std::string_view name;
  std::span<const std::uint32_t> words;
};

/// Memory of one call, before its addresses are known.
struct Place {
  enum class Kind : std::uint8_t { none, input, output, scratch };
  Kind kind = Kind::none;
  std::uint32_t index = 0;   // of an input or output
  std::uint64_t offset = 0;  // in bytes
};

/// Bytes that a dispatch reads or writes.
struct PlaceAccess {
  Place place;
  std::uint64_t bytes = 0;
  bool writes = false;
  bool apart = false;  // other dispatches of the kernel write other elements among these bytes
};

struct Dispatch {
  struct Address {
    std::uint32_t word = 0;  // of the table, and the one behind it
    Place place;
  };

  ShaderCode shader;
  Expression epilogue;                        // what the shader applies to its result
  std::vector<std::uint32_t> specialization;  // by constant
  std::vector<std::uint32_t> table;
  std::uint32_t post_word = 0;  // where the table of the epilogue's operands begins in it
  std::vector<Address> addresses;
  std::vector<PlaceAccess> accesses;
  std::uint64_t groups = 1;
  std::uint64_t turns = 0;      // of all loops of an invocation together, at most
  std::uint32_t subgroups = 0;  // in a workgroup; 0: it has the invocations that its first constant says
};

/// Longer loops are cut into parts, each a dispatch that goes on where the one before it stopped, with what that left
/// in scratch memory: some drivers end loops after a while (Profile::most_turns). It leaves room for short loops
/// beside.
inline constexpr std::uint64_t most_turns_of_part = 32'768;

/// One part of a loop, or all of it.
struct LoopPart {
  std::uint64_t first = 0, end = 0;
  bool is_first = true, is_last = true;
  bool is_all() const { return is_first && is_last; }
};
/// `count` cut into parts of at most `most`; at least one part.
std::vector<LoopPart> cut_loop(std::uint64_t count, std::uint64_t most);

class DispatchMaker {
 public:
  static constexpr std::uint32_t usual_group = 64;

  /// `specialization` are the constants from 1 on.
  DispatchMaker(const ShaderCode& shader, std::initializer_list<std::uint32_t> specialization,
                std::uint32_t group = usual_group);

  /// Sets a constant that is numbered apart.
  DispatchMaker& specialize(std::uint32_t constant, std::uint32_t value);

  /// Addresses, before all words. An operand that is absent has address 0.
  DispatchMaker& input(const KernelSpec& spec, std::size_t index);
  DispatchMaker& output(const KernelSpec& spec, std::size_t index = 0);
  DispatchMaker& absent() { return address({}, 0, false, false); }
  DispatchMaker& scratch(std::uint64_t offset, std::uint64_t bytes, bool reads, bool writes);
  /// What parts of a loop hand on in scratch memory; absent when there is one part.
  DispatchMaker& carry(const LoopPart& part, std::uint64_t bytes);

  DispatchMaker& word(std::uint64_t value);  // 32 bits
  DispatchMaker& wide(std::uint64_t value);  // 64 bits, on an even word
  DispatchMaker& real(double value) { return word(std::bit_cast<std::uint32_t>(float(value))); }
  /// `max_rank` words each; those after the rank are 1 of a shape, 0 of strides.
  DispatchMaker& shape(const Shape& shape);
  DispatchMaker& strides(std::span<const std::int64_t> strides);

  /// What all loops of an invocation turn together, at most; for what does not turn often it need not be said.
  DispatchMaker& turns(std::uint64_t count);

  /// The spec's post-ops, and the table of their operands; after all words of the shader's own table.
  DispatchMaker& epilogue(const KernelSpec& spec);

  /// At least this many invocations; a shader guards against more.
  Dispatch over(std::uint64_t invocations);
  Dispatch over_groups(std::uint64_t groups);

 private:
  DispatchMaker& address(Place place, std::uint64_t bytes, bool reads, bool writes);

  Dispatch dispatch_;
  std::uint32_t group_;
};

/// A kernel's dispatches, in order.
struct Plan {
  std::vector<Dispatch> dispatches;
  std::uint64_t scratch_bytes = 0;

  Plan() = default;
  Plan(Dispatch dispatch) { dispatches.push_back(std::move(dispatch)); }  // implicit on purpose: most have one
};

/// Makes the plan of a call; throws Error (unsupported) for one that this device does not take.
using PlanFunction = Plan (*)(const KernelSpec& spec);

/// A row of this device's kernels.
struct PlanRow {
  std::string_view name;
  PlanFunction plan = nullptr;
  bool needs_shared_memory = false;  // that is faster than what all memory goes through, as on a CPU it is not
};

/// Null when this build has no kernel of that name.
const PlanRow* find_vulkan_kernel(std::string_view name);

}  // namespace webnn::runtime::vulkan
