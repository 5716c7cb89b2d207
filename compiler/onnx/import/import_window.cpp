// Convolutions and pooling of ONNX. Inputs with one spatial axis get a second one of size 1.
#include <algorithm>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// A window over the last axes of a tensor with one or two spatial axes, in WebNN's two.
class Window {
 public:
  /// `kernel`: the sizes of the window along the spatial axes.
  Window(ImportCall& c, TensorId x, const OnnxIntegers& kernel) : c_(c), x_(x), spatial_(c.rank(x) - 2) {
    if (spatial_ != 1 && spatial_ != 2)
      c.refuse("its input has " + std::to_string(c.rank(x)) + " dimensions; WebNN has windows over one or two axes");
    kernel_ = two(kernel, "kernel_shape", 1);
    strides_ = two(c.integers("strides"), "strides", 1);
    dilations_ = two(c.integers("dilations"), "dilations", 1);
    set_padding();
  }

  bool is_flat() const { return spatial_ == 1; }
  const OnnxIntegers& kernel() const { return kernel_; }
  const OnnxIntegers& strides() const { return strides_; }
  const OnnxIntegers& dilations() const { return dilations_; }
  /// Begin and end of the height, then of the width.
  const OnnxIntegers& padding() const { return padding_; }
  /// The size of axis 0 or 1 of the input.
  std::int64_t input_size(std::size_t axis) const {
    const OnnxIntegers& dims = c_.dims(x_);
    return is_flat() ? (axis == 0 ? 1 : dims[2]) : dims[2 + axis];
  }
  /// The tensor with two spatial axes, and a result without the one that was added.
  TensorId in(TensorId tensor) const { return is_flat() ? with_height(tensor) : tensor; }
  TensorId out(TensorId result) const {
    if (!is_flat()) return result;
    const OnnxIntegers& dims = c_.dims(result);
    return c_.reshape(result, {dims[0], dims[1], dims[3]});
  }

 private:
  TensorId with_height(TensorId tensor) const {
    const OnnxIntegers& dims = c_.dims(tensor);
    return c_.reshape(tensor, {dims[0], dims[1], 1, dims[2]});
  }

  OnnxIntegers two(OnnxIntegers given, std::string_view what, std::int64_t absent) const {
    if (given.empty()) given.assign(std::size_t(spatial_), absent);
    if (std::int64_t(given.size()) != spatial_)
      c_.refuse("its attribute '" + std::string(what) + "' does not have one number for each spatial axis");
    if (is_flat()) given.insert(given.begin(), 1);
    return given;
  }

  void set_padding() {
    const std::string mode = c_.text("auto_pad", "NOTSET");
    const OnnxIntegers pads = c_.integers("pads");
    padding_ = {0, 0, 0, 0};
    if (mode == "NOTSET") {
      if (pads.empty()) return;
      if (std::int64_t(pads.size()) != 2 * spatial_)
        c_.refuse("its pads do not have two numbers for each spatial axis");
      if (is_flat())
        padding_ = {0, 0, pads[0], pads[1]};
      else
        padding_ = {pads[0], pads[2], pads[1], pads[3]};
      return;
    }
    if (mode == "VALID") return;
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER") c_.refuse("auto_pad is neither NOTSET, VALID nor SAME");
    for (std::size_t axis = 0; axis < 2; ++axis) {
      if (strides_[axis] < 1) c_.refuse("a stride is less than 1");
      const std::int64_t size = input_size(axis), outputs = (size + strides_[axis] - 1) / strides_[axis];
      const std::int64_t span = (kernel_[axis] - 1) * dilations_[axis] + 1;
      const std::int64_t all = std::max<std::int64_t>((outputs - 1) * strides_[axis] + span - size, 0);
      padding_[2 * axis] = mode == "SAME_LOWER" ? all - all / 2 : all / 2;
      padding_[2 * axis + 1] = all - padding_[2 * axis];
    }
  }

  ImportCall& c_;
  TensorId x_;
  std::int64_t spatial_;
  OnnxIntegers kernel_, strides_, dilations_, padding_;
};

OnnxIntegers spatial_sizes(ImportCall& c, TensorId tensor) {
  const OnnxIntegers& dims = c.dims(tensor);
  return dims.size() < 2 ? OnnxIntegers() : OnnxIntegers(dims.begin() + 2, dims.end());
}

void read_conv(ImportCall& c) {
  const TensorId x = c.input(0), filter = c.input(1);
  OnnxIntegers kernel = c.integers("kernel_shape");
  if (kernel.empty()) kernel = spatial_sizes(c, filter);
  const Window window(c, x, kernel);
  c.finish(window.out(c.make("conv2d"_op, {window.in(x), window.in(filter), c.optional(2)},
                             {{"padding", window.padding()},
                              {"strides", window.strides()},
                              {"dilations", window.dilations()},
                              {"groups", c.integer("group", 1)}})));
}

template <OperatorId op>
void read_global_pool(ImportCall& c) {
  const TensorId x = c.input(0);
  const Window window(c, x, spatial_sizes(c, x));
  c.finish(window.out(c.make(op, {window.in(x)})));
}

void read_max_pool(ImportCall& c) {
  const TensorId x = c.input(0);
  if (c.wants(1)) c.refuse("WebNN has no pooling that gives indices");
  const Window window(c, x, c.integers("kernel_shape"));
  c.finish(window.out(c.make("maxPool2d"_op, {window.in(x)},
                             {{"windowDimensions", window.kernel()},
                              {"padding", window.padding()},
                              {"strides", window.strides()},
                              {"dilations", window.dilations()},
                              {"outputShapeRounding", std::string(c.flag("ceil_mode") ? "ceil" : "floor")}})));
}

constexpr OnnxImportRow window_import_rows[] = {
    {.op_type = "Conv", .read = read_conv},
    {.op_type = "GlobalAveragePool", .read = read_global_pool<"averagePool2d"_op>},
    {.op_type = "GlobalMaxPool", .read = read_global_pool<"maxPool2d"_op>},
    {.op_type = "MaxPool", .read = read_max_pool},
};

}  // namespace

std::span<const OnnxImportRow> import_window_rows() { return window_import_rows; }

}  // namespace webnn::compiler
