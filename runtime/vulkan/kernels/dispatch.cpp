#include "runtime/vulkan/kernels/dispatch.hpp"

#include <algorithm>
#include <cassert>

#include "runtime/vulkan/kernels/shapes.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

DispatchMaker::DispatchMaker(const ShaderCode& shader, std::initializer_list<std::uint32_t> own, std::uint32_t lanes) {
  dispatch_.shader = shader;
  dispatch_.specialization = own;
  dispatch_.lanes = lanes;
}

DispatchMaker& DispatchMaker::specialize(Constant constant, std::uint32_t value) {
  dispatch_.specialization.set(constant, value);
  return *this;
}

DispatchMaker& DispatchMaker::address(Place place, std::uint64_t bytes, bool reads, bool writes) {
  assert(dispatch_.table.size() % 2 == 0);
  dispatch_.addresses.push_back({std::uint32_t(dispatch_.table.size()), place});
  dispatch_.table.resize(dispatch_.table.size() + 2);
  if (reads) dispatch_.accesses.push_back({place, bytes, false});
  if (writes) dispatch_.accesses.push_back({place, bytes, true});
  return *this;
}

DispatchMaker& DispatchMaker::input(const KernelSpec& spec, std::size_t index) {
  if (index >= spec.inputs.size() || !spec.inputs[index]) return absent();
  return address({Place::Kind::input, std::uint32_t(index), 0}, byte_length(*spec.inputs[index]), true, false);
}

DispatchMaker& DispatchMaker::packed(const KernelSpec& spec, std::size_t index, const GpuPacking& packing) {
  if (!is_packed(spec, index)) return input(spec, index);
  return address({Place::Kind::input, std::uint32_t(index), 0}, packing.bytes(spec), true, false);
}

DispatchMaker& DispatchMaker::output(const KernelSpec& spec, std::size_t index) {
  if (index >= spec.outputs.size()) return absent();
  return address({Place::Kind::output, std::uint32_t(index), 0}, byte_length(spec.outputs[index]), false, true);
}

DispatchMaker& DispatchMaker::scratch(std::uint64_t offset, std::uint64_t bytes, bool reads, bool writes) {
  return address({Place::Kind::scratch, 0, offset}, bytes, reads, writes);
}

DispatchMaker& DispatchMaker::carry(const LoopPart& part, std::uint64_t bytes) {
  return part.is_all() ? absent() : scratch(0, bytes, !part.is_first, !part.is_last);
}

DispatchMaker& DispatchMaker::shared(std::uint64_t bytes) {
  dispatch_.shared_bytes = std::uint32_t(bytes);
  return *this;
}

DispatchMaker& DispatchMaker::turns(std::uint64_t main, std::uint64_t others) {
  dispatch_.turns = main + others;
  dispatch_.main_turns = main;
  return *this;
}

DispatchMaker& DispatchMaker::work(std::uint64_t operations) {
  dispatch_.work = operations;
  return *this;
}

DispatchMaker& DispatchMaker::word(std::uint64_t value) {
  dispatch_.table.push_back(std::uint32_t(value));
  return *this;
}

DispatchMaker& DispatchMaker::wide(std::uint64_t value) {
  assert(dispatch_.table.size() % 2 == 0);
  return word(value).word(value >> 32);
}

DispatchMaker& DispatchMaker::shape(const Shape& shape) {
  for (unsigned axis = 0; axis < max_rank; ++axis) word(axis < shape.rank() ? shape[axis] : 1);
  return *this;
}

DispatchMaker& DispatchMaker::strides(std::span<const std::int64_t> strides) {
  for (unsigned axis = 0; axis < max_rank; ++axis) word(axis < strides.size() ? std::uint64_t(strides[axis]) : 0);
  return *this;
}

DispatchMaker& DispatchMaker::epilogue(const KernelSpec& spec) {
  if (spec.post_ops.empty()) return *this;
  dispatch_.epilogue = epilogue_of(spec);
  while (dispatch_.table.size() % 2 != 0) word(0);
  dispatch_.post_word = std::uint32_t(dispatch_.table.size());
  const std::size_t first = spec.root_operand_count();
  const OperandWalk walk(spec, first, spec.inputs.size());
  word(walk.shape.rank()).word(0).shape(walk.shape);
  for (std::size_t i = first; i < spec.inputs.size(); ++i) input(spec, i).strides(walk.strides[i - first]);
  return *this;
}

CountedVector<LoopPart> cut_loop(std::uint64_t count, std::uint64_t most) {
  CountedVector<LoopPart> parts;
  do {
    const std::uint64_t first = parts.empty() ? 0 : parts.back().end;
    const std::uint64_t end = count - first > most ? first + most : count;
    parts.push_back({first, end, first == 0, end == count});
  } while (!parts.back().is_last);
  return parts;
}

void Dispatches::unroll(std::uint64_t most) {
  const std::uint64_t count = std::min(rounds.count, most);
  for (std::uint64_t number = 0; number < count; ++number) rounds.append(number, dispatches);
  rounds = {};
}

Dispatch DispatchMaker::over(std::uint64_t invocations) { return over_groups(div_up(invocations, dispatch_.lanes)); }

Dispatch DispatchMaker::over_units(std::uint64_t units) {
  // GPUs start workgroups at a limited rate. With fewer workgroups than that, rounds would leave units idle at the end.
  constexpr std::uint64_t many_groups = 32'768, rounds_of_many = 4;
  const std::uint64_t rounds = units / dispatch_.lanes >= many_groups ? rounds_of_many : 1;
  if (rounds != 1) specialize(Constant::rounds, std::uint32_t(rounds));
  if (dispatch_.work == 0) work(units);
  return over(div_up(units, rounds));
}

Dispatch DispatchMaker::over_groups(std::uint64_t groups) {
  dispatch_.groups = groups;
  if (dispatch_.work == 0) dispatch_.work = groups * dispatch_.lanes * std::max<std::uint64_t>(dispatch_.main_turns, 1);
  return std::move(dispatch_);
}

}  // namespace webnn::runtime::vulkan
