#include "runtime/cpu/xnnpack/keep_nan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {
namespace {

float limited(double sum, const Range& range) {
  const auto result = float(sum);
  return result < range.low ? range.low : result > range.high ? range.high : result;  // NaN stays NaN
}

Plain plain_product(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& a = call.shape(0);
  const bool is_gemm = spec.op == "gemm"_op, transposed = is_gemm && call.boolean("bTranspose");
  const std::size_t inner = a[a.rank() - 1], columns = element_count(call.shape(1)) / inner;
  const std::size_t rows = element_count(a) / inner;
  const std::size_t row_step = transposed ? 1 : columns, column_step = transposed ? inner : 1;  // strides in b
  return [=, range = range_of(spec)](const KernelArguments& arguments) {
    const float *x = input<float>(arguments), *b = input<float>(arguments, 1);
    const float* const bias = is_gemm ? input<float>(arguments, 2) : nullptr;
    float* const y = output<float>(arguments);
    parallel_for(rows, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
          double sum = bias != nullptr ? bias[column] : 0;
          for (std::size_t i = 0; i < inner; ++i)
            sum += double(x[row * inner + i]) * b[i * row_step + column * column_step];
          y[row * columns + column] = limited(sum, range);
        }
    });
  };
}

/// The input position that a tap reads at an output position; -1: none.
std::int64_t place_in_input(const SlidingWindow& axis, bool transposed, std::int64_t position, std::int64_t tap) {
  std::int64_t place = 0;
  if (transposed) {
    place = position + axis.begin - tap * axis.dilation;
    if (place < 0 || place % axis.stride != 0) return -1;
    place /= axis.stride;
  } else {
    place = position * axis.stride + tap * axis.dilation - axis.begin;
  }
  return place >= 0 && place < axis.input ? place : -1;
}

/// The sizes of a convolution of channels-last tensors.
struct PlainConvolution {
  SlidingWindow vertical, horizontal;
  std::int64_t batch, inputs, outputs, group_inputs, group_outputs;
  bool transposed;
  Range range;

  explicit PlainConvolution(const KernelSpec& spec)
      : transposed(spec.op == "convTranspose2d"_op), range(range_of(spec)) {
    const SpecCall call(spec);
    const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
    const auto windows = sliding_windows(call, output);
    vertical = windows[0];
    horizontal = windows[1];
    batch = input[0];
    inputs = input[1];
    outputs = output[1];
    group_inputs = inputs / call.u32("groups");
    group_outputs = outputs / call.u32("groups");
  }

  double sum(const float* image, const float* filter, std::int64_t row, std::int64_t column,
             std::int64_t channel) const {
    const std::int64_t group = channel / group_outputs, area = vertical.window * horizontal.window;
    double sum = 0;
    for (std::int64_t y = 0; y < vertical.window; ++y)
      for (std::int64_t x = 0; x < horizontal.window; ++x) {
        const std::int64_t from_row = place_in_input(vertical, transposed, row, y);
        const std::int64_t from_column = place_in_input(horizontal, transposed, column, x);
        if (from_row < 0 || from_column < 0) continue;
        const float* const pixel = image + (from_row * horizontal.input + from_column) * inputs + group * group_inputs;
        for (std::int64_t i = 0; i < group_inputs; ++i) {
          const std::int64_t matrix = transposed ? (group * group_inputs + i) * group_outputs + channel % group_outputs
                                                 : channel * group_inputs + i;
          sum += double(pixel[i]) * filter[matrix * area + y * horizontal.window + x];
        }
      }
    return sum;
  }

  void run(const KernelArguments& arguments) const {
    const float* const bias = input<float>(arguments, 2);
    const std::int64_t plane = vertical.input * horizontal.input * inputs;
    parallel_for(std::size_t(batch * vertical.output), 1, [&](std::size_t begin, std::size_t end) {
      for (auto line = std::int64_t(begin); line < std::int64_t(end); ++line)
        for (std::int64_t column = 0; column < horizontal.output; ++column)
          for (std::int64_t channel = 0; channel < outputs; ++channel) {
            const double products = sum(input<float>(arguments) + line / vertical.output * plane,
                                        input<float>(arguments, 1), line % vertical.output, column, channel);
            output<float>(arguments)[(line * horizontal.output + column) * outputs + channel] =
                limited(products + (bias != nullptr ? double(bias[channel]) : 0), range);
          }
    });
  }
};

/// The greatest magnitude of the numbers, as bits; infinities and NaN exceed all others.
std::int32_t greatest_bits(const float* values, std::size_t count) {
  constexpr std::size_t lanes = 16;  // so that the compiler keeps them in vectors
  std::int32_t most[lanes] = {}, bits[lanes];
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    std::memcpy(bits, values + i, sizeof bits);
    for (std::size_t lane = 0; lane < lanes; ++lane) most[lane] = std::max(most[lane], bits[lane] & 0x7fffffff);
  }
  std::memcpy(bits, most, sizeof bits);
  std::memcpy(bits, values + i, (count - i) * sizeof(float));
  for (std::size_t lane = 0; lane < lanes; ++lane) most[lane] = std::max(most[lane], bits[lane] & 0x7fffffff);
  return *std::ranges::max_element(most);
}

double greatest_of(std::span<const std::byte> constant) {
  const float* const values = elements<float>(constant);
  return values == nullptr ? 0 : double(std::bit_cast<float>(greatest_bits(values, constant.size() / sizeof(float))));
}

/// A bound for inputs: when all are below it, no sum of products exceeds the range of float32, so none can become NaN.
/// 0 if a weight is not a number.
float safe_magnitude(const KernelSpec& spec, Constants constants) {
  constexpr double largest = std::numeric_limits<float>::max();
  const auto products = double(element_count(spec.inputs[1]->shape));  // maximum for one result
  const bool has_bias = spec.root_operand_count() > 2 && spec.inputs[2];
  const double room = largest / 2 - (has_bias ? greatest_of(constants[2]) : 0);
  const double safe = std::min(room / (greatest_of(constants[1]) * products), largest);
  return safe > 0 ? float(safe) : 0;  // also when it is NaN
}

}  // namespace

Kernel keep_nan(const KernelSpec& spec, Constants constants, Kernel fast) {
  const bool is_product = spec.op == "gemm"_op || spec.op == "matmul"_op;
  const Plain plain = is_product ? plain_product(spec) : [convolution = PlainConvolution(spec)](const auto& arguments) {
    convolution.run(arguments);
  };
  return where_small(safe_magnitude(spec, constants), element_count(spec.inputs[0]->shape), std::move(fast), plain);
}

Kernel where_small(float safe, std::size_t count, Kernel fast, Plain plain) {
  fast.run = [=, run = std::move(fast.run), plain = std::move(plain),
              safe = std::bit_cast<std::int32_t>(safe)](const KernelArguments& arguments) {
    std::atomic<bool> is_safe = true;
    const float* const x = input<float>(arguments);
    constexpr std::size_t grain = 100'000;
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      if (greatest_bits(x + begin, end - begin) >= safe) is_safe = false;
    });
    (is_safe ? run : plain)(arguments);
  };
  return fast;
}

}  // namespace webnn::runtime::xnnpack
