// Windows over spatial axes: their attributes, and the table of convolutions and pooling.
#include "compiler/onnx/import/networks/window.hpp"

#include <algorithm>

#include "schema/round_up.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {

OnnxIntegers spatial_sizes(const ImportCall& c, TensorId x) {
  const OnnxIntegers& dims = c.dims(x);
  if (dims.size() < 3)
    c.refuse(sentence("it needs batch, channels and a spatial axis, and its input has ", dims.size(), " dimensions"));
  if (c.count(x) == 0) c.refuse("its input or its filter has no elements, and WebNN has no such tensors");
  return {dims.begin() + 2, dims.end()};
}

OnnxIntegers per_axis(const ImportCall& c, std::string_view attribute, std::size_t count, std::int64_t least,
                      std::int64_t absent) {
  OnnxIntegers values = c.integers(attribute);
  if (values.empty()) values.assign(count, absent);
  if (values.size() != count)
    c.refuse(sentence("its attribute '", attribute, "' has ", values.size(), " numbers, not ", count));
  for (const std::int64_t value : values)
    if (value < least || value > std::int64_t{max_dimension})
      c.refuse(sentence("its attribute '", attribute, "' has the number ", value));
  return values;
}

std::vector<WindowAxis> unpadded_axes(const ImportCall& c, const OnnxIntegers& sizes, const OnnxIntegers& kernel) {
  if (kernel.size() != sizes.size()) c.refuse("its window does not have one size for each spatial axis");
  const OnnxIntegers strides = per_axis(c, "strides", sizes.size(), 1, 1),
                     dilations = per_axis(c, "dilations", sizes.size(), 1, 1);
  std::vector<WindowAxis> axes(sizes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (kernel[i] < 1 || kernel[i] > std::int64_t{max_dimension}) c.refuse("a size of its window is less than 1");
    axes[i] = {.input = sizes[i], .kernel = kernel[i], .stride = strides[i], .dilation = dilations[i]};
  }
  return axes;
}

bool set_given_padding(const ImportCall& c, std::vector<WindowAxis>& axes) {
  const std::string mode = c.text("auto_pad", "NOTSET");
  if (mode == "VALID") return false;
  if (mode == "SAME_UPPER" || mode == "SAME_LOWER") return true;
  if (mode != "NOTSET" && !mode.empty()) c.refuse("auto_pad is neither NOTSET, VALID nor SAME");
  const OnnxIntegers pads = per_axis(c, "pads", 2 * axes.size(), 0, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    axes[i].begin = pads[i];
    axes[i].end = pads[axes.size() + i];
  }
  return false;
}

std::vector<WindowAxis> window_axes(const ImportCall& c, const OnnxIntegers& sizes, const OnnxIntegers& kernel) {
  std::vector<WindowAxis> axes = unpadded_axes(c, sizes, kernel);
  const bool same = set_given_padding(c, axes), up = c.flag("ceil_mode");
  const bool extra_first = c.text("auto_pad", "") == "SAME_LOWER";
  for (WindowAxis& axis : axes) {
    if (same) {
      const std::int64_t outputs = div_up(axis.input, axis.stride);
      const std::int64_t all = std::max<std::int64_t>((outputs - 1) * axis.stride + axis.span() - axis.input, 0);
      axis.begin = extra_first ? all - all / 2 : all / 2;
      axis.end = all - axis.begin;
    }
    const std::int64_t room = axis.input + axis.begin + axis.end - axis.span();
    if (room < 0)
      c.refuse(sentence("its window covers ", axis.span(), " elements of an axis that has only ",
                        axis.input + axis.begin + axis.end, " with its padding"));
    axis.outputs = (up ? div_up(room, axis.stride) : room / axis.stride) + 1;
    // A window that starts in the padding at the end is none.
    if (up && (axis.outputs - 1) * axis.stride >= axis.input + axis.begin) --axis.outputs;
  }
  return axes;
}

TensorId padded(ImportCall& c, TensorId x, std::vector<WindowAxis>& axes, Number value) {
  if (std::ranges::all_of(axes, [](const WindowAxis& axis) { return axis.begin == 0 && axis.end == 0; })) return x;
  OnnxIntegers begin(c.dims(x).size() - axes.size(), 0), end = begin;
  for (WindowAxis& axis : axes) {
    begin.push_back(axis.begin);
    end.push_back(axis.end);
    axis.input += axis.begin + axis.end;
    axis.begin = axis.end = 0;
  }
  return c.make("pad"_op, {x}, {{"beginningPadding", begin}, {"endingPadding", end}, {"value", value}});
}

namespace {

void read_conv(ImportCall& c) { c.finish(convolution(c, c.input(0), c.input(1), c.optional(2))); }

void refuse_deformable(ImportCall& c) { c.refuse("WebNN has no convolution whose window moves its elements"); }
void refuse_unpool(ImportCall& c) { c.refuse("WebNN has no pooling that gives indices, nor its reverse"); }
void refuse_roi(ImportCall& c) { c.refuse("WebNN has no pooling over regions of interest"); }
void refuse_suppression(ImportCall& c) {
  c.refuse("the number of its results depends on the data, and WebNN's shapes do not",
           "a model without its last stage gives boxes and scores");
}

constexpr OnnxImportRow window_import_rows[] = {
    {.op_type = "AveragePool", .read = read_average_pool},
    {.op_type = "Conv", .read = read_conv},
    {.op_type = "ConvTranspose", .read = read_conv_transpose},
    {.op_type = "DeformConv", .read = refuse_deformable},
    {.op_type = "GlobalAveragePool", .read = read_global_average_pool},
    {.op_type = "GlobalLpPool", .read = read_global_lp_pool},
    {.op_type = "GlobalMaxPool", .read = read_global_max_pool},
    {.op_type = "LpPool", .read = read_lp_pool},
    {.op_type = "MaxPool", .read = read_max_pool},
    {.op_type = "MaxRoiPool", .read = refuse_roi},
    {.op_type = "MaxUnpool", .read = refuse_unpool},
    {.op_type = "NonMaxSuppression", .read = refuse_suppression},
    {.op_type = "RoiAlign", .read = refuse_roi},
};

}  // namespace

std::span<const OnnxImportRow> import_window_rows() { return window_import_rows; }

}  // namespace webnn::compiler
