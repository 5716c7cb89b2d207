// conv2d: each weight adds its multiple of the shifted input to the output plane.
#include "runtime/cpu/reference/contraction/convolution.hpp"

namespace webnn::runtime::reference {
namespace {

void add_gathered_tap(const ConvolutionSizes& sizes, const double* image, double weight, std::int64_t row_tap,
                      std::int64_t column_tap, double* plane) {
  const SlidingWindow &vertical = sizes.vertical, &horizontal = sizes.horizontal;
  const std::int64_t row_offset = row_tap * vertical.dilation - vertical.begin;
  const std::int64_t column_offset = column_tap * horizontal.dilation - horizontal.begin;
  const Range rows = positions_inside(vertical.output, vertical.stride, row_offset, vertical.input);
  const Range columns = positions_inside(horizontal.output, horizontal.stride, column_offset, horizontal.input);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const double* from = image + (row * vertical.stride + row_offset) * horizontal.input + column_offset;
    double* to = plane + row * horizontal.output;
    for (std::int64_t column = columns.begin; column < columns.end; ++column)
      to[column] += weight * from[column * horizontal.stride];
  }
}

}  // namespace

Kernel prepare_conv2d(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const View filter = view_as(call.shape(1), call.text("filterLayout"), "oihw");
  return dispatch(FloatTypes{}, call.operand(0).type, [&]<typename T>() {
    return prepare_convolution<T>(spec, call, split_axis(filter, 0, call.u32("groups")), add_gathered_tap);
  });
}

constexpr CpuKernel conv2d_list[] = {
    {.row = {.name = "conv2d", .op = "conv2d"}, .prepare = prepare_conv2d},
};
extern constexpr CpuKernels conv2d_kernels(conv2d_list);

}  // namespace webnn::runtime::reference
