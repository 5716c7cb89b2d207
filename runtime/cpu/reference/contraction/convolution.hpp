// Shared by conv2d and convTranspose2d: everything except the work of one filter tap. Each output channel is a plane of
// sums that starts with the bias; then every tap of every filter of the channel adds its part of the input.
#pragma once

#include "runtime/cpu/reference/contraction/window.hpp"
#include "runtime/cpu/reference/unpack.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::reference {

struct ConvolutionSizes {
  SlidingWindow vertical, horizontal;
  std::int64_t group_inputs = 1;   // input channels per group
  std::int64_t group_outputs = 1;  // output channels per group

  /// Elements of a plane.
  std::int64_t input_area() const { return vertical.input * horizontal.input; }
  std::int64_t filter_area() const { return vertical.window * horizontal.window; }
  std::int64_t output_area() const { return vertical.output * horizontal.output; }
};

/// Adds `weight`, the filter tap at (row, column), times elements of the input plane `image` to the elements of the
/// output plane `plane`.
using AddTap = void (*)(const ConvolutionSizes& sizes, const double* image, double weight, std::int64_t row,
                        std::int64_t column, double* plane);

/// `filter` is a view of the filters with the axes group, output channel of the group, input channel of the group,
/// height, width.
template <typename T>
Kernel prepare_convolution(const KernelSpec& spec, const OperatorCall& call, const View& filter, AddTap add_tap) {
  const std::string_view layout = call.text("inputLayout");
  const View input_view = view_as(call.shape(0), layout, "nchw");
  const View output_view = view_as(spec.outputs[0].shape, layout, "nchw");
  const auto [vertical, horizontal] = sliding_windows(call, spec.outputs[0].shape);
  const std::uint32_t output_channels = output_view.shape[1];

  ConvolutionSizes sizes;
  sizes.vertical = vertical;
  sizes.horizontal = horizontal;
  sizes.group_outputs = filter.shape[1];
  sizes.group_inputs = filter.shape[2];

  DoubleArrays scratch;
  const auto image = scratch.add(element_count(input_view.shape) / input_view.shape[0]);
  const auto weights = scratch.add(element_count(filter.shape));
  const auto planes = scratch.add(output_channels * std::size_t(sizes.output_area()));

  /// One output channel of the unpacked image and weights.
  const auto convolve = [=](const KernelArguments& arguments, std::int64_t channel, double bias) {
    double* plane = planes.in(arguments) + channel * sizes.output_area();
    std::fill_n(plane, sizes.output_area(), bias);
    const std::int64_t first_input = channel / sizes.group_outputs * sizes.group_inputs;
    const double* from = image.in(arguments) + first_input * sizes.input_area();
    const double* weight = weights.in(arguments) + channel * sizes.group_inputs * sizes.filter_area();
    for (std::int64_t i = 0; i < sizes.group_inputs; ++i, from += sizes.input_area())
      for (std::int64_t row = 0; row < sizes.vertical.window; ++row)
        for (std::int64_t column = 0; column < sizes.horizontal.window; ++column)
          add_tap(sizes, from, *weight++, row, column, plane);
  };

  const auto run = [=, batches = input_view.shape[0], images = slices_of(input_view), results = slices_of(output_view),
                    has_bias = call.has_operand(2)](const KernelArguments& arguments) {
    const auto cost = std::size_t(sizes.group_inputs * sizes.filter_area() * sizes.output_area());
    unpack(input<T>(arguments, 1), filter.shape, filter.strides, weights.in(arguments));
    for (std::uint32_t batch = 0; batch < batches; ++batch) {
      unpack(input<T>(arguments, 0) + batch * images.stride, images.shape, images.strides, image.in(arguments));
      parallel_for(output_channels, 1 + 20'000 / cost, [&](std::size_t begin, std::size_t end) {
        for (std::size_t channel = begin; channel < end; ++channel)
          convolve(arguments, std::int64_t(channel), has_bias ? load(input<T>(arguments, 2)[channel]) : 0.0);
      });
      pack(planes.in(arguments), results.shape, results.strides, output<T>(arguments) + batch * results.stride);
    }
  };
  return {run, scratch.bytes()};
}

}  // namespace webnn::runtime::reference
