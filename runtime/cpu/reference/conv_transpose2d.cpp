// convTranspose2d: each input element is spread over the output elements that its window covers. How far the output
// reaches (outputPadding, outputSizes) is in its descriptor.
#include "runtime/cpu/reference/convolution.hpp"

namespace webnn::runtime::reference {
namespace {

void add_tap(const ConvolutionSizes& sizes, const double* image, double weight, std::int64_t row_tap,
             std::int64_t column_tap, double* plane) {
  const auto& [input, filter, output, vertical, horizontal, group_inputs, group_outputs] = sizes;
  const std::int64_t row_offset = row_tap * vertical.dilation - vertical.padding;
  const std::int64_t column_offset = column_tap * horizontal.dilation - horizontal.padding;
  const Range rows = positions_inside(input.height, vertical.stride, row_offset, output.height);
  const Range columns = positions_inside(input.width, horizontal.stride, column_offset, output.width);
  for (std::int64_t row = rows.begin; row < rows.end; ++row) {
    const double* from = image + row * input.width;
    double* to = plane + (row * vertical.stride + row_offset) * output.width + column_offset;
    for (std::int64_t column = columns.begin; column < columns.end; ++column)
      to[column * horizontal.stride] += weight * from[column];
  }
}

}  // namespace

Kernel prepare_conv_transpose2d(const KernelSpec& spec, Constants) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const View filter = view_as(call.shape(1), call.text("filterLayout"), "iohw");
  const View grouped = swap_axes(split_axis(filter, 0, call.u32("groups")), 1, 2);
  return dispatch(FloatTypes{}, call.operand(0).type,
                  [&]<typename T>() { return prepare_convolution<T>(spec, call, grouped, add_tap); });
}

}  // namespace webnn::runtime::reference
