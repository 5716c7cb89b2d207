// averagePool2d, l2Pool2d and maxPool2d of channels-last float32, maxPool2d and @quantizedAveragePool2d of bytes. The
// channels of one position fill the vectors. Padding is not an element; a window without elements gives 0, or for a
// maximum the lowest value.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/reduction/pool2d.inl.hpp"
#include <algorithm>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/kernels/line_window.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// How the window slides; sizes and distances in elements of channels-last tensors.
struct Pooling {
  SlidingWindow rows, columns;
  std::int64_t channels = 1, input_width = 1, input_size = 1;  // elements of a position, a row, an image
  std::int64_t row_step = 1, column_step = 1;                  // from tap to tap
};

Pooling pooling_of(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& input = call.shape(0);
  const auto [vertical, horizontal] = sliding_windows(call, spec.outputs[0].shape);
  const std::int64_t channels = input[1], width = input[3];
  const auto step = [](const SlidingWindow& axis) { return axis.most_taps() > 1 ? axis.dilation : 0; };
  return {vertical,
          horizontal,
          channels,
          width * channels,
          input[2] * width * channels,
          step(vertical) * width * channels,
          step(horizontal) * channels};
}

template <typename T>
using PoolFunction = void (*)(const PoolWindow&, const T*, T*, std::size_t);

PoolFunction<float> pool_function(OperatorId op, Isa isa) {
  if (op == "maxPool2d"_op) return VECTOR_CODE(isa, max_pool);
  if (op == "averagePool2d"_op) return VECTOR_CODE(isa, average_pool);
  return VECTOR_CODE(isa, l2_pool);
}

/// `pool` is a function like PoolFunction, with results of type `To`.
template <typename From, typename To, typename Pool>
Kernel prepare_pool(const KernelSpec& spec, Pool pool) {
  const Pooling pooling = pooling_of(spec);
  const double taps = double(pooling.rows.most_taps()) * double(pooling.columns.most_taps());
  const std::int64_t rows = pooling.rows.output, columns = pooling.columns.output;
  const std::int64_t lines = spec.outputs[0].shape[0] * rows;
  // A unit of work is an output row; if there are few rows (global pooling), it is some channels of one.
  constexpr std::int64_t few = 32, block = 128;
  const std::int64_t width = lines < few ? std::min(block, pooling.channels) : pooling.channels;
  const std::int64_t blocks = div_up(pooling.channels, width);
  const auto grain = std::size_t(1 + 50'000 / (taps * double(width) * double(columns)));

  const auto run_task = [=](const From* x, To* y, std::int64_t task) {
    const std::int64_t line = task / blocks, channel = task % blocks * width;
    const std::int64_t count = std::min(width, pooling.channels - channel);
    const SlidingWindow horizontal = pooling.columns;
    const WindowPart row = pooling.rows.part(line % rows);
    const From* from = x + line / rows * pooling.input_size + row.first * pooling.input_width + channel;
    To* to = y + line * columns * pooling.channels + channel;
    for (std::int64_t position = 0; position < columns; ++position) {
      const WindowPart column = horizontal.part(position);
      const bool sees = row.count > 0 && column.count > 0;
      const PoolWindow window{sees ? row.count : 0, sees ? column.count : 0, pooling.row_step, pooling.column_step};
      pool(window, sees ? from + column.first * pooling.channels : x, to, std::size_t(count));
      to += pooling.channels;
    }
  };
  const auto run_lines = [=](const KernelArguments& arguments, std::size_t first_line, std::size_t last_line) {
    const auto* x = reinterpret_cast<const From*>(arguments.inputs[0]);
    auto* y = reinterpret_cast<To*>(arguments.outputs[0]);
    const std::int64_t first = std::int64_t(first_line) * blocks, last = std::int64_t(last_line) * blocks;
    parallel_for(std::size_t(last - first), grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t task = begin; task < end; ++task) run_task(x, y, first + std::int64_t(task));
    });
  };
  return kernel_of_lines(run_lines, std::size_t(lines));
}

}  // namespace

Kernel prepare_pool2d(const KernelSpec& spec, Constants, Isa isa) {
  switch (spec.inputs[0]->type) {
    case DataType::int8:
      return prepare_pool<std::int8_t, std::int8_t>(spec, VECTOR_CODE(isa, max_pool_int8));
    case DataType::uint8:
      return prepare_pool<std::uint8_t, std::uint8_t>(spec, VECTOR_CODE(isa, max_pool_uint8));
    default:
      return prepare_pool<float, float>(spec, pool_function(spec.op, isa));
  }
}

Kernel prepare_quantized_average_pool2d(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  const double factor = call.real("inputScale") / call.real("outputScale"), zero = call.i32("outputZeroPoint");
  const AverageOfBytes how{float(factor), float(zero - factor * call.i32("inputZeroPoint")), float(zero)};
  const auto is_unsigned = [](const OperandDescriptor& tensor) { return tensor.type == DataType::uint8; };
  const auto average = VECTOR_CODE(isa, find_average)(is_unsigned(call.operand(0)), is_unsigned(spec.outputs[0]));
  return prepare_pool<std::byte, std::byte>(
      spec, [=](const PoolWindow& window, const std::byte* from, std::byte* to, std::size_t channels) {
        average(window, how, from, to, channels);
      });
}

namespace {

/// Windows whose sums of bytes fit in an int32.
bool takes_quantized_average(const KernelSpec& spec) {
  const SpecCall call(spec);
  const auto [vertical, horizontal] = sliding_windows(call);
  constexpr std::int64_t most_elements = 1 << 23;  // 2^23 * 255 < 2^31
  return std::min(vertical.window, vertical.input) * std::min(horizontal.window, horizontal.input) <= most_elements;
}

}  // namespace

constexpr SimdKernel pool2d_list[] = {
    {.row = {.name = "pool2d",
             .family = Family::window,
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .can = is_nchw,
             .by_lines = any_lines},
     .prepare = prepare_pool2d},
    {.row = {.name = "maxPool2d",
             .op = "maxPool2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .can = is_nchw},
     .prepare = prepare_pool2d},
    {.row = {.name = "quantizedAveragePool2d",
             .op = "@quantizedAveragePool2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .can = takes_quantized_average},
     .prepare = prepare_quantized_average_pool2d},
};
extern constexpr SimdKernels pool2d_kernels(pool2d_list);

}  // namespace webnn::runtime::simd
