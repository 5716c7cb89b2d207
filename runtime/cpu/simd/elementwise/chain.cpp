// Chooses how the operands of a group are walked.
#include "runtime/cpu/simd/elementwise/chain.hpp"

#include <algorithm>

namespace webnn::runtime::simd {
namespace {

using Walk = ChainOperand::Walk;

/// The length from which a run along the innermost axis is worth restarting the stages; operands with shorter runs are
/// expanded in tiles. Runs of whole blocks leave no rest that has to be evaluated on copies, so less is enough.
constexpr std::int64_t long_row = 2048, long_row_of_blocks = 512;
constexpr std::size_t longest_period = 2048;
constexpr std::size_t largest_tile = 1024;

/// Element strides of a tensor along its logical axes.
AxisStrides strides_in(const Shape& shape, Layout layout) {
  AxisStrides strides{};
  std::int64_t distance = 1;
  for (unsigned i = shape.rank(); i-- > 0;) {
    constexpr unsigned nhwc[] = {0, 2, 3, 1};
    const unsigned axis = layout == Layout::channels_last ? nhwc[i] : i;
    strides[axis] = distance;
    distance *= shape[axis];
  }
  return strides;
}

/// The axes of the output and every operand's strides along them.
Axes collapse(const KernelSpec& spec, std::vector<ChainOperand>& operands) {
  const Shape& shape = spec.outputs[0].shape;
  const bool channels_last = spec.output_layout(0) == Layout::channels_last;
  std::vector<AxisStrides> own;
  for (const ChainOperand& operand : operands)
    own.push_back(strides_in(spec.inputs[operand.input]->shape, spec.input_layout(operand.input)));

  Axes axes;
  const auto append = [&](std::int64_t size, const auto& stride_of) {
    if (size == 1) return;
    bool joins = axes.rank > 0;
    for (std::size_t k = 0; k < operands.size(); ++k)
      joins = joins && operands[k].strides[axes.rank - 1] == stride_of(k) * size;
    if (!joins) axes.sizes[axes.rank++] = 1;
    axes.sizes[axes.rank - 1] *= size;
    for (std::size_t k = 0; k < operands.size(); ++k) operands[k].strides[axes.rank - 1] = stride_of(k);
  };
  for (unsigned i = 0; i < shape.rank(); ++i) {
    constexpr unsigned nhwc[] = {0, 2, 3, 1};
    const unsigned axis = channels_last ? nhwc[i] : i;
    const std::int64_t size = shape[axis];
    // The number of elements of each operand along this axis, and its stride.
    const auto extent = [&](std::size_t k) -> std::int64_t {
      const Shape& operand = spec.inputs[operands[k].input]->shape;
      const unsigned missing = shape.rank() - operand.rank();
      return axis < missing ? 1 : operand[axis - missing];
    };
    const auto stride = [&](std::size_t k) -> std::int64_t {
      return extent(k) == 1 ? 0 : own[k][axis - (shape.rank() - spec.inputs[operands[k].input]->shape.rank())];
    };
    std::int64_t block = 1;  // elements that share one element of a blockwise operand
    for (std::size_t k = 0; k < operands.size(); ++k)
      if (extent(k) != 1 && extent(k) != size) block = size / extent(k);
    append(size / block, [&](std::size_t k) { return extent(k) == size ? stride(k) * block : stride(k); });
    append(block, [&](std::size_t k) { return extent(k) == size ? stride(k) : 0; });
  }
  if (axes.rank == 0) axes.sizes[axes.rank++] = 1;
  return axes;
}

/// The number of innermost elements (a product of axis sizes) that the operand holds densely, with pure repetition
/// outside; 0 when it is not periodic.
std::size_t period_of(const ChainOperand& operand, const Axes& axes) {
  std::int64_t dense = 1;
  std::size_t axis = axes.rank;
  while (axis > 0 && operand.strides[axis - 1] == dense) dense *= axes.sizes[--axis];
  for (std::size_t i = 0; i < axis; ++i)
    if (operand.strides[i] != 0) return 0;
  return std::size_t(dense);
}

}  // namespace

Chain::Chain(const KernelSpec& spec, Constants constants, const StageTable& table)
    : table_(table),
      stored_(spec.outputs[0].type),
      count_(element_count(spec.outputs[0].shape)),
      constants_(constants) {
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    if (!spec.inputs[i]) continue;
    ChainOperand operand;
    operand.input = i;
    operand.type = spec.inputs[i]->type;
    operands_.push_back(operand);
  }
  axes_ = collapse(spec, operands_);
  choose_walks();
}

void Chain::choose_walks() {
  const bool whole_blocks = axes_.inner() % std::int64_t(table_.block) == 0;
  const bool long_rows = axes_.rank > 1 && axes_.inner() >= (whole_blocks ? long_row_of_blocks : long_row);
  std::size_t laid_out = 0, periods = 0;
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    ChainOperand& operand = operands_[k];
    const std::int64_t inner = operand.strides[axes_.rank - 1];
    const bool loads = k == 0 || table_.streams(operand.type);  // without being expanded to lanes
    operand.of_lanes = bits_of(operand.type) == 32 && table_.streams(operand.type);
    operand.period = period_of(operand, axes_);
    if (operand.period == count_ && loads) {
      operand.walk = Walk::direct;
    } else if (std::ranges::all_of(operand.strides, [](std::int64_t stride) { return stride == 0; })) {
      operand.walk = Walk::scalar;
    } else if (long_rows && inner == 0) {
      operand.walk = Walk::row_scalar;
    } else if (long_rows && inner == 1 && loads) {
      operand.walk = Walk::row_stream;
    } else {
      const bool periodic = operand.period != 0 && operand.period != count_ && operand.period <= longest_period &&
                            periods + operand.period <= 4 * longest_period;
      operand.walk = periodic ? Walk::periodic : Walk::tile_by_tile;
      if (periodic) periods += operand.period;
      ++laid_out;
    }
    in_rows_ = in_rows_ || operand.walk == Walk::row_scalar || operand.walk == Walk::row_stream;
  }
  if (laid_out == 0) return;
  // At best, all expanded operands stay in the L1 cache. In lanes:
  constexpr std::size_t cache = 8192;
  tile_ = std::clamp(cache / laid_out / table_.block * table_.block, table_.block, largest_tile);
  laid_out_ = periods + laid_out * (tile_ + table_.block);
}

}  // namespace webnn::runtime::simd
