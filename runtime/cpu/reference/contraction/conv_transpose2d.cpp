// convTranspose2d: each input element is spread over the output elements that its window covers. The size of the output
// (outputPadding, outputSizes) is in its descriptor.
#include "runtime/cpu/reference/contraction/convolution.hpp"

namespace webnn::runtime::reference {
namespace {

void add_scattered_tap(const ConvolutionSizes& sizes, const double* image, double weight, std::int64_t row_tap,
                       std::int64_t column_tap, double* plane) {
  const SlidingWindow &vertical = sizes.vertical, &horizontal = sizes.horizontal;
  const std::int64_t row_offset = row_tap * vertical.dilation - vertical.begin;
  const std::int64_t column_offset = column_tap * horizontal.dilation - horizontal.begin;
  const Range rows = positions_inside(vertical.input, vertical.stride, row_offset, vertical.output);
  const Range columns = positions_inside(horizontal.input, horizontal.stride, column_offset, horizontal.output);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const double* from = image + row * horizontal.input;
    double* to = plane + (row * vertical.stride + row_offset) * horizontal.output + column_offset;
    for (std::int64_t column = columns.begin; column < columns.end; ++column)
      to[column * horizontal.stride] += weight * from[column];
  }
}

}  // namespace

Kernel prepare_conv_transpose2d(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const View filter = view_as(call.shape(1), call.text("filterLayout"), "iohw");
  const View grouped = swap_axes(split_axis(filter, 0, call.u32("groups")), 1, 2);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return prepare_convolution<T>(spec, call, grouped, add_scattered_tap); });
}

constexpr CpuKernel conv_transpose2d_list[] = {
    {.row = {.name = "convTranspose2d", .op = "convTranspose2d"}, .prepare = prepare_conv_transpose2d},
};
extern constexpr CpuKernels conv_transpose2d_kernels(conv_transpose2d_list);

}  // namespace webnn::runtime::reference
