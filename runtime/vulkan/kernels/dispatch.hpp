// A kernel of the vulkan provider is a list of shader dispatches (`Dispatches`), each with a table of parameters that the
// shader reads by address.
//
//   Dispatch d = DispatchMaker(shaders::unary_real(), {code, type})
//                    .input(spec, 0).output(spec, 0)     // addresses come first in the table, in this order
//                    .word(count).real(alpha)            // then the other members of the shader's struct Table
//                    .over(count);                       // one invocation each
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>

#include "runtime/kernel_conditions.hpp"
#include "runtime/kernel_list.hpp"
#include "runtime/vulkan/kernels/epilogue.hpp"
#include "runtime/vulkan/kernels/specialization.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::vulkan {

/// SPIR-V with the entry point "main"; its specialisation constant 0 is the number of invocations in a workgroup.
struct ShaderCode {
  std::string_view name;
  std::span<const std::uint32_t> words;
};

/// Memory of one call whose address is not known yet.
struct Place {
  enum class Kind : std::uint8_t { none, input, output, scratch };
  Kind kind = Kind::none;
  std::uint32_t index = 0;   // of the input or output
  std::uint64_t offset = 0;  // in bytes
};

/// An access of a dispatch.
struct PlaceAccess {
  Place place;
  std::uint64_t bytes = 0;
  bool writes = false;
  bool apart = false;  // other dispatches of the kernel write other elements among these bytes
};

struct Dispatch {
  struct Address {
    std::uint32_t word = 0;  // index in the table; the address takes two words
    Place place;
  };

  ShaderCode shader;
  Epilogue epilogue;  // applied to each element of the result
  Specialization specialization;
  std::uint32_t lanes = 0;  // invocations of a workgroup
  CountedVector<std::uint32_t> table;
  std::uint32_t post_word = 0;  // where the table of the epilogue's operands begins in `table`
  CountedVector<Address> addresses;
  CountedVector<PlaceAccess> accesses;
  std::uint64_t groups = 1;
  std::uint64_t turns = 0;         // maximum iterations of all loops of an invocation together
  std::uint64_t main_turns = 0;    // of them, those of the loop over the call's elements
  std::uint64_t work = 0;          // operations of all invocations, about: its share of what the call costs
  std::uint32_t shared_bytes = 0;  // of a workgroup, if that is more than the 16 KiB that every device has
  // Of a workgroup whose matrix units multiply; their fragments and `lanes` are the device's. 0: they do not.
  std::uint32_t subgroups = 0;
  std::uint32_t lanes_of(std::uint32_t subgroup_size) const {
    return subgroups == 0 ? lanes : subgroups * subgroup_size;
  }
};

/// The maximum iterations of a loop, with room for short loops besides it, because some drivers abort long loops
/// (Profile::most_turns). Longer loops are cut into parts, each a dispatch that continues where the one before stopped,
/// with intermediate results in scratch memory.
inline constexpr std::uint64_t most_turns_of_part = 32'768;

/// One part of a loop, or the whole loop.
struct LoopPart {
  std::uint64_t first = 0, end = 0;
  bool is_first = true, is_last = true;
  bool is_all() const { return is_first && is_last; }
};
/// Cuts `count` iterations into parts of at most `most`; at least one part.
CountedVector<LoopPart> cut_loop(std::uint64_t count, std::uint64_t most);

/// The private form of the operand that a row packs.
struct GpuPacking {
  std::string_view form;
  std::uint64_t (*bytes)(const KernelSpec& spec);
  /// Fills `to`, which holds zeros.
  void (*pack)(const KernelSpec& spec, std::span<const std::byte> from, std::span<std::byte> to);
};

class DispatchMaker {
 public:
  static constexpr std::uint32_t usual_group = 64;
  /// For shaders whose invocations do little each: the most that every device allows.
  static constexpr std::uint32_t large_group = 128;

  /// `own`: the shader's own constants, from 1 on. `lanes`: of a workgroup.
  DispatchMaker(const ShaderCode& shader, std::initializer_list<std::uint32_t> own, std::uint32_t lanes = usual_group);

  DispatchMaker& specialize(Constant constant, std::uint32_t value);

  /// Addresses must come before all other words. An absent operand has the address 0.
  DispatchMaker& input(const KernelSpec& spec, std::size_t index);
  /// An operand that may be packed.
  DispatchMaker& packed(const KernelSpec& spec, std::size_t index, const GpuPacking& packing);
  DispatchMaker& output(const KernelSpec& spec, std::size_t index = 0);
  DispatchMaker& absent() { return address({}, 0, false, false); }
  DispatchMaker& scratch(std::uint64_t offset, std::uint64_t bytes, bool reads, bool writes);
  /// The scratch memory through which parts of a loop pass intermediate results; absent if there is only one part.
  DispatchMaker& carry(const LoopPart& part, std::uint64_t bytes);

  DispatchMaker& word(std::uint64_t value);  // 32 bits
  DispatchMaker& wide(std::uint64_t value);  // 64 bits, aligned to an even word
  DispatchMaker& real(double value) { return word(std::bit_cast<std::uint32_t>(float(value))); }
  /// `max_rank` words each; behind the rank, shapes are filled with 1 and strides with 0.
  DispatchMaker& shape(const Shape& shape);
  DispatchMaker& strides(std::span<const std::int64_t> strides);

  /// Declares the maximum iterations of all loops of an invocation together, of the main loop and of others; not needed
  /// for short loops.
  DispatchMaker& turns(std::uint64_t main, std::uint64_t others = 0);

  /// Declares the operations of all invocations together, in the unit that the kernel's other dispatches use, too; if
  /// it is not declared, each invocation has one for each of its main turns.
  DispatchMaker& work(std::uint64_t operations);

  /// Declares a workgroup's shared memory, if that may be more than 16 KiB.
  DispatchMaker& shared(std::uint64_t bytes);

  /// Adds the spec's post-ops and the table of their operands; call it after all words of the shader's own table.
  DispatchMaker& epilogue(const KernelSpec& spec);

  /// Dispatches at least this many invocations; the shader ignores excess ones.
  Dispatch over(std::uint64_t invocations);
  /// Dispatches invocations that do at least so many units of work, for shaders with common/rounds.glsl.
  Dispatch over_units(std::uint64_t units);
  Dispatch over_groups(std::uint64_t groups);

 private:
  DispatchMaker& address(Place place, std::uint64_t bytes, bool reads, bool writes);

  Dispatch dispatch_;
};

/// There may be as many as a graph's numbers say.
using DispatchList = CountedVector<Dispatch>;

/// Dispatches that a call repeats, with other tables each time: the time steps of a recurrent network.
struct Rounds {
  std::uint64_t count = 0;
  /// Appends the dispatches of a round; the spec must still be there. What they demand of a device (shaders, constants,
  /// turns, shared memory), the first round demands too.
  std::function<void(std::uint64_t number, DispatchList& to)> append;
};

/// The dispatches of one kernel call, in order; the rounds come last.
struct Dispatches {
  DispatchList dispatches;
  Rounds rounds;
  std::uint64_t scratch_bytes = 0;

  Dispatches() = default;
  Dispatches(Dispatch dispatch) {
    dispatches.push_back(std::move(dispatch));
  }  // implicit on purpose: most calls have one

  /// Moves the rounds, or only the first of them, to `dispatches`. Throws Error (resource).
  void unroll(std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
};

/// Makes the dispatches of a call; throws Error (unsupported) for a call that this device does not take. Most functions
/// need the call alone, some also the device that runs it.
class DispatchFunction {
 public:
  using OfCall = Dispatches (*)(const KernelSpec& spec);
  using OnTarget = Dispatches (*)(const KernelSpec& spec, const Target& target);

  constexpr DispatchFunction(OfCall function) : of_call_(function) {}
  constexpr DispatchFunction(OnTarget function) : on_target_(function) {}
  Dispatches operator()(const KernelSpec& spec, const Target& target) const {
    return on_target_ ? on_target_(spec, target) : of_call_(spec);
  }

 private:
  OfCall of_call_ = nullptr;
  OnTarget on_target_ = nullptr;
};

/// A GPU kernel: its row and its function. Each file of kernels declares its own.
struct GpuKernel {
  KernelRow row;  // in those files, named without the provider and without its device
  DispatchFunction dispatches = DispatchFunction::OfCall(nullptr);
  const GpuPacking* packing = nullptr;  // null: the row packs nothing
};
using GpuKernels = std::span<const GpuKernel>;

/// All GPU kernels of this build.
const KernelList<GpuKernel>& gpu_kernels();

}  // namespace webnn::runtime::vulkan
