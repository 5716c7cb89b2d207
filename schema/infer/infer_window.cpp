// Shape rules of convolutions, pooling and resampling.
#include <cmath>
#include <optional>

#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

constexpr char spatial[] = {'h', 'w'};
constexpr std::string_view spatial_names[] = {"height", "width"};

struct OutputRange {
  std::int64_t floor, ceil;
};

/// "calculate conv output size", rounded down and up; below 1 when the window does not fit.
OutputRange window_positions(const SlidingWindow& axis) {
  const std::int64_t room = axis.input + axis.begin + axis.end - axis.extent();
  const std::int64_t quotient = room / axis.stride, rest = room % axis.stride;  // towards zero
  return {quotient + 1 - (rest < 0), quotient + 1 + (rest > 0)};
}

/// "calculate convtranspose output size"; nullopt when it exceeds 64 bits.
std::optional<std::int64_t> transposed_size(const SlidingWindow& axis) {
  std::int64_t size;
  if (__builtin_mul_overflow(axis.input - 1, axis.stride, &size)) return std::nullopt;
  if (__builtin_add_overflow(size, axis.extent(), &size)) return std::nullopt;
  return size - axis.begin - axis.end;
}

/// The input's shape with other sizes for channels, height and width.
Sizes output_sizes(const Shape& input, std::string_view layout, std::uint64_t channels, const std::int64_t (&size)[2]) {
  Sizes sizes(input.begin(), input.end());
  sizes[axis_of(layout, 'c')] = channels;
  for (std::size_t i = 0; i < 2; ++i) sizes[axis_of(layout, spatial[i])] = std::uint64_t(size[i]);
  return sizes;
}

void fail_too_small(Inference& result, std::string_view what, const SlidingWindow& axis, std::size_t i) {
  result.fail(sentence("the ", what, " covers ", counted(axis.extent(), "element"), " of ", spatial_names[i],
                       ", but the padded input has only ", axis.input + axis.begin + axis.end));
}

}  // namespace

unsigned axis_of(std::string_view layout, char letter) {
  const std::size_t axis = layout.find(letter);
  assert(axis < layout.size());
  return unsigned(axis);
}

namespace {

void infer_convolution(const OperatorCall& call, DataType type, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& filter = call.shape(1);
  const std::string_view layout = call.text("inputLayout"), filter_layout = call.text("filterLayout");
  const std::uint32_t groups = call.u32("groups");
  const std::uint32_t input_channels = input[axis_of(layout, 'c')];
  const std::uint32_t filter_channels = filter[axis_of(filter_layout, 'i')];
  const std::uint32_t output_channels = filter[axis_of(filter_layout, 'o')];
  if (std::uint64_t{filter_channels} * groups != input_channels)
    result.fail_operand(1, sentence("'filter' ", filter, " (", filter_layout, ") has ",
                                    counted(filter_channels, "input channel"), " per group, but the input has ",
                                    counted(input_channels, "channel"), " in ", counted(groups, "group")));
  if (output_channels % groups != 0)
    result.fail_operand(
        1, sentence("'filter' ", filter, " (", filter_layout, ") has ", counted(output_channels, "output channel"),
                    ", which 'groups' ", groups, " does not divide"));
  check_shape(call, result, "bias", {output_channels}, "one value for each output channel");
  const auto windows = sliding_windows(call);
  std::int64_t size[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const SlidingWindow& axis = windows[i];
    size[i] = window_positions(axis).floor;
    if (size[i] < 1) fail_too_small(result, "filter", axis, i);
  }
  if (result.ok()) infer_output(result, type, output_sizes(input, layout, output_channels, size));
}

}  // namespace

void infer_conv2d(const OperatorCall& call, Inference& result) {
  infer_convolution(call, call.operand(0).type, result);
}

void infer_quantized_conv2d(const OperatorCall& call, Inference& result) {
  const std::uint32_t groups = call.u32("groups");
  if (groups != 1 && (groups != call.shape(0)[1] || groups != call.shape(1)[0]))
    result.fail_attribute(
        "groups", sentence("there are ", counted(groups, "group"), " for ", counted(call.shape(0)[1], "channel"),
                           " and ", counted(call.shape(1)[0], "output channel"), ", expected 1 or one for each"));
  check_shape(call, result, "filterScale", {call.shape(1)[0]}, "one value for each output channel");
  infer_convolution(call, call.data_type("dataType"), result);
}

void infer_conv_transpose2d(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& filter = call.shape(1);
  const std::string_view layout = call.text("inputLayout"), filter_layout = call.text("filterLayout");
  const std::uint32_t groups = call.u32("groups");
  const std::uint32_t input_channels = input[axis_of(layout, 'c')];
  const std::uint32_t filter_inputs = filter[axis_of(filter_layout, 'i')];
  const std::uint64_t output_channels = std::uint64_t{filter[axis_of(filter_layout, 'o')]} * groups;
  if (input_channels != filter_inputs)
    result.fail_operand(1, sentence("'filter' ", filter, " (", filter_layout, ") has ",
                                    counted(filter_inputs, "input channel"), ", but the input has ", input_channels));
  if (input_channels % groups != 0)
    result.fail_attribute("groups", sentence("'groups' is ", groups, ", which does not divide the ",
                                             counted(input_channels, "channel"), " of the input"));
  check_shape(call, result, "bias", {output_channels}, "one value for each output channel");

  const bool sized = call.has("outputSizes");
  const std::vector<std::uint32_t> sizes = call.u32_list("outputSizes");
  const std::vector<std::uint32_t> output_padding = call.u32_list("outputPadding");
  const auto windows = sliding_windows(call);
  std::int64_t size[2] = {};
  for (std::size_t i = 0; i < 2; ++i) {
    const SlidingWindow& axis = windows[i];
    const auto calculated = transposed_size(axis);
    if (!calculated || *calculated > std::int64_t{max_dimension}) {
      result.fail(sentence("the output's ", spatial_names[i], " would exceed ", max_dimension));
    } else if (sized) {
      size[i] = sizes[i];
      if (size[i] < *calculated || size[i] >= *calculated + axis.stride)
        result.fail_attribute(
            "outputSizes",
            sentence("'outputSizes' asks for a ", spatial_names[i], " of ", size[i], ", but the other options allow ",
                     *calculated, " to ", *calculated + axis.stride - 1),
            {}, int(i));
    } else {
      if (output_padding[i] >= axis.stride)
        result.fail_attribute("outputPadding",
                              sentence("'outputPadding' is ", output_padding[i], " for the ", spatial_names[i],
                                       ", but must be below the stride of ", axis.stride),
                              {}, int(i));
      size[i] = *calculated + output_padding[i];
      if (size[i] < 1)
        result.fail_attribute(
            "padding", sentence("'padding' removes ", counted(axis.begin + axis.end, "element"), " of ",
                                spatial_names[i], ", but the output has only ", size[i] + axis.begin + axis.end));
    }
  }
  if (result.ok()) infer_output(result, call.operand(0).type, output_sizes(input, layout, output_channels, size));
}

IntegerList whole_window(const OperatorCall& call) {
  const std::string_view layout = call.text("layout");
  return {call.shape(0)[axis_of(layout, 'h')], call.shape(0)[axis_of(layout, 'w')]};
}

namespace {

void infer_pooling(const OperatorCall& call, DataType type, Inference& result) {
  const Shape& input = call.shape(0);
  const std::string_view layout = call.text("layout");
  const auto windows = sliding_windows(call);
  const std::vector<std::uint32_t> sizes = call.u32_list("outputSizes");
  const bool up = call.text("outputShapeRounding") == "ceil";
  std::int64_t floor[2], ceil[2], size[2];
  for (std::size_t i = 0; i < 2; ++i) {
    const SlidingWindow& axis = windows[i];
    const OutputRange range = window_positions(axis);
    floor[i] = range.floor;
    ceil[i] = range.ceil;
    size[i] = up ? ceil[i] : floor[i];
    if (size[i] < 1 && !call.has("outputSizes")) fail_too_small(result, "window", axis, i);
  }
  if (call.has("outputSizes")) {
    for (std::size_t i = 0; i < 2; ++i) size[i] = sizes[i];
    const bool is_floor = size[0] == floor[0] && size[1] == floor[1];
    const bool is_ceil = size[0] == ceil[0] && size[1] == ceil[1];
    if (!is_floor && !is_ceil)
      result.fail_attribute("outputSizes", sentence("'outputSizes' is [", size[0], ", ", size[1],
                                                    "], but the other options give [", floor[0], ", ", floor[1],
                                                    "] rounded down and [", ceil[0], ", ", ceil[1], "] rounded up"));
  }
  if (result.ok()) infer_output(result, type, output_sizes(input, layout, input[axis_of(layout, 'c')], size));
}

}  // namespace

void infer_pool2d(const OperatorCall& call, Inference& result) { infer_pooling(call, call.operand(0).type, result); }

void infer_quantized_pool2d(const OperatorCall& call, Inference& result) {
  infer_pooling(call, call.data_type("dataType"), result);
}

void infer_resample2d(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const std::vector<double> scales = call.real_list("scales");
  for (std::size_t i = 0; i < scales.size(); ++i)
    if (scales[i] <= 0)
      result.fail_attribute(
          "scales", sentence("'scales[", i, "]' is ", Number(scales[i]).text(), ", but must be above 0"), {}, int(i));
  if (!check_axes(call, result, "axes", input.rank()) || !result.ok()) return;
  const std::vector<std::uint32_t> axes = call.u32_list("axes");
  Sizes sizes(input.begin(), input.end());
  if (call.has("sizes")) {
    for (std::size_t i = 0; i < 2; ++i) sizes[axes[i]] = call.u32_list("sizes")[i];
  } else {
    for (std::size_t i = 0; i < 2; ++i) {
      const double size = std::floor(input[axes[i]] * scales[i]);
      if (size < 1 || size > max_dimension) {
        result.fail_attribute("scales",
                              sentence("'scales[", i, "]' turns the size ", input[axes[i]], " of axis ", axes[i],
                                       " into ", Number(size).text(), ", but a dimension is 1 to ", max_dimension),
                              {}, int(i));
        return;
      }
      sizes[axes[i]] = std::uint64_t(size);
    }
  }
  infer_output(result, call.operand(0).type, sizes);
}

}  // namespace webnn::schema
