#include "runtime/vulkan/kernels/shapes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "schema/elements/half.hpp"
#include "schema/error.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {

Addressing addressing_of(const KernelSpec& spec, std::size_t i) {
  const Shape &from = spec.inputs[i]->shape, &to = spec.outputs[0].shape;
  const std::size_t count = element_count(from);
  // An operand of another rank is row-major.
  const bool same_order = from.rank() == to.rank() || common_layout(spec) == Layout::row_major;
  return count == element_count(to) && same_order ? Addressing::same
         : count == 1                             ? Addressing::single
                                                  : Addressing::strided;
}

Strides strides_in_result(const KernelSpec& spec, std::size_t i) {
  const Shape &from = spec.inputs[i]->shape, &to = spec.outputs[0].shape;
  const Strides strides = broadcast_strides(from, layout_strides(from, spec.input_layout(i)), to);
  return strides_in_memory(strides, to.rank(), common_layout(spec));
}

OperandWalk::OperandWalk(const KernelSpec& spec, std::size_t first, std::size_t end) : strides(end - first) {
  const Shape whole = shape_in_memory(spec.outputs[0].shape, common_layout(spec));
  std::vector<Strides> own;
  for (std::size_t i = first; i < end; ++i) own.push_back(strides_in_result(spec, i));
  for (unsigned axis = 0; axis < whole.rank(); ++axis) {
    if (whole[axis] == 1) continue;
    const unsigned rank = shape.rank();
    bool continues = rank > 0;
    for (std::size_t i = 0; i < own.size(); ++i)
      continues = continues && strides[i][rank - 1] == own[i][axis] * std::int64_t(whole[axis]);
    if (continues)
      shape[rank - 1] *= whole[axis];
    else
      shape.push_back(whole[axis]);
    for (std::size_t i = 0; i < own.size(); ++i) strides[i][shape.rank() - 1] = own[i][axis];
  }
}

Addressing OperandWalk::of_four(Addressing of_one, std::size_t number) const {
  constexpr std::int64_t four = 4;
  if (of_one != Addressing::strided || shape.rank() == 0) return of_one;
  const unsigned last = shape.rank() - 1;
  const Strides& own = strides[number];
  if (shape[last] % four != 0) return of_one;
  if (own[last] == 0) return Addressing::repeated;
  const auto is_aligned = [&](std::int64_t stride) { return stride % four == 0; };
  const bool are_aligned = std::all_of(own.begin(), own.begin() + last, is_aligned);
  return own[last] == 1 && are_aligned ? Addressing::neighbours : of_one;
}

namespace {
constexpr std::uint64_t worth_a_group = 32;
}

CountedVector<LoopPart> Rows::parts(std::uint64_t turns) const {
  return cut_loop(elements, most_turns_of_part / turns * DispatchMaker::usual_group);
}

std::uint64_t Rows::turns(const LoopPart& part, std::uint64_t turns_of_one) const {
  const std::uint64_t count = part.end - part.first, lanes = elements >= worth_a_group ? DispatchMaker::usual_group : 1;
  return div_up(count, lanes) * turns_of_one;
}

Dispatch Rows::over(DispatchMaker& maker) const {
  maker.specialize(Constant::shares_row, elements >= worth_a_group);
  return elements >= worth_a_group ? maker.over_groups(count) : maker.over(count);
}

std::uint64_t element_bits(Number number, DataType type) {
  std::byte bytes[8]{};
  schema::store(number, type, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

float real_number(Number number, DataType type) {
  const std::uint64_t bits = element_bits(number, type);
  if (type == DataType::float16) return float(std::bit_cast<Half>(std::uint16_t(bits)));
  return std::bit_cast<float>(std::uint32_t(bits));
}

float parameter(const OperatorCall& call, std::string_view name) {
  if (call.op().attribute_index(name) < 0) return 0;
  return real_number(Number(call.real(name)), call.operand(0).type);
}

RealParameters real_parameters(const OperatorCall& call) {
  if (call.id() != "clamp"_op) return {parameter(call, "alpha"), parameter(call, "beta")};
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const DataType type = call.operand(0).type;
  return {real_number(call.number("minValue", Number(-infinity)), type),
          real_number(call.number("maxValue", Number(infinity)), type)};
}

void write_geometry(DispatchMaker& maker, const OperatorCall& call, const Shape& result) {
  const auto [y, x] = sliding_windows(call, result);
  for (const auto size : {&SlidingWindow::input, &SlidingWindow::output, &SlidingWindow::window, &SlidingWindow::stride,
                          &SlidingWindow::dilation, &SlidingWindow::begin})
    maker.word(std::uint64_t(y.*size)).word(std::uint64_t(x.*size));
}

std::uint32_t number_in(std::span<const OperatorId> list, OperatorId op) {
  const auto found = std::ranges::find(list, op);
  if (found == list.end()) throw Error(ExitCode::internal, "no shader computes " + std::string(row(op).name));
  return std::uint32_t(found - list.begin());
}

}  // namespace webnn::runtime::vulkan
