// Pooling of ONNX as pooling over two axes. Maxima, means of the elements outside of the padding, and roots of sums of
// squares can be taken over some axes first, and over the others of the results.
#include <algorithm>
#include <cmath>

#include "compiler/onnx/import/networks/window.hpp"

namespace webnn::compiler {
namespace {

/// Over the last two axes of a tensor with four.
TensorId pool_two_axes(ImportCall& c, OperatorId op, TensorId x, WindowAxis height, WindowAxis width) {
  // Padding at the end counts in no window: it gives the positions that `ceil_mode` asks for.
  for (WindowAxis* axis : {&height, &width})
    if (axis->fitting() != axis->outputs)
      axis->end =
          std::max<std::int64_t>(0, (axis->outputs - 1) * axis->stride + axis->span() - axis->input - axis->begin);
  return c.make(op, {x},
                {{"windowDimensions", OnnxIntegers{height.kernel, width.kernel}},
                 {"padding", OnnxIntegers{height.begin, height.end, width.begin, width.end}},
                 {"strides", OnnxIntegers{height.stride, width.stride}},
                 {"dilations", OnnxIntegers{height.dilation, width.dilation}}});
}

TensorId pool(ImportCall& c, OperatorId op, TensorId x, const std::vector<WindowAxis>& axes) {
  const OnnxIntegers dims = c.dims(x);
  if (axes.size() == 2) return pool_two_axes(c, op, x, axes[0], axes[1]);
  OnnxIntegers result(dims.begin(), dims.begin() + 2);
  for (const WindowAxis& axis : axes) result.push_back(axis.outputs);
  if (axes.size() == 1)
    return c.reshape(pool_two_axes(c, op, c.reshape(x, {dims[0], dims[1], 1, axes[0].input}), {}, axes[0]), result);
  std::int64_t inner = axes.back().input * axes[axes.size() - 2].input, outer = c.count(x) / inner;
  x = c.reshape(x, {1, outer, axes[axes.size() - 2].input, axes.back().input});
  x = pool_two_axes(c, op, x, axes[axes.size() - 2], axes.back());
  inner = axes.back().outputs * axes[axes.size() - 2].outputs;
  for (std::size_t i = axes.size() - 2; i-- > 0;) {
    outer /= axes[i].input;
    x = pool_two_axes(c, op, c.reshape(x, {1, outer, axes[i].input, inner}), axes[i], {});
    inner *= axes[i].outputs;
  }
  return c.reshape(x, result);
}

/// p-norms: the root of the mean of powers, times the size of the window. Padding counts as 0.
TensorId norm(ImportCall& c, TensorId x, double p, double elements, const std::function<TensorId(TensorId)>& mean) {
  if (p <= 0 || !std::isfinite(p)) c.refuse("p is not above 0");
  const TensorId powers = p == 1 ? c.make("abs"_op, {x}) : c.expression("pow(abs(?x), ?p)", {{{"x", x}, {"p", p}}});
  const TensorId sum = c.make("mul"_op, {mean(powers), c.scalar_like(x, elements)});
  return p == 1 ? sum : c.expression("pow(?s, ?r)", {{{"s", sum}, {"r", 1 / p}}});
}

/// An integer since version 2.
double exponent_of(const ImportCall& c) { return c.opset() < 2 ? c.real("p", 2) : double(c.integer("p", 2)); }

std::vector<WindowAxis> pool_axes(const ImportCall& c, TensorId x) {
  return window_axes(c, spatial_sizes(c, x), c.integers("kernel_shape"));
}

OnnxIntegers spatial_axes(const ImportCall& c, TensorId x) {
  OnnxIntegers axes;
  for (std::int64_t axis = 2; axis < c.rank(x); ++axis) axes.push_back(axis);
  return axes;
}

/// Over all spatial axes, of which there may be any number.
void read_global(ImportCall& c, OperatorId pool2d, OperatorId reduction) {
  const TensorId x = c.input(0);
  if (spatial_sizes(c, x).size() == 2) return c.finish(c.make(pool2d, {x}));
  c.finish(c.make(reduction, {x}, {{"axes", spatial_axes(c, x)}, {"keepDimensions", true}}));
}

}  // namespace

/// WebNN's means leave the padding out.
void read_average_pool(ImportCall& c) {
  TensorId x = c.input(0);
  std::vector<WindowAxis> axes = pool_axes(c, x);
  if (c.flag("count_include_pad")) x = padded(c, x, axes);
  c.finish(pool(c, "averagePool2d"_op, x, axes));
}

void read_max_pool(ImportCall& c) {
  const TensorId x = c.input(0);
  if (c.wants(1)) c.refuse("WebNN has no pooling that gives indices");
  c.finish(pool(c, "maxPool2d"_op, x, pool_axes(c, x)));
}

void read_lp_pool(ImportCall& c) {
  TensorId x = c.input(0);
  std::vector<WindowAxis> axes = pool_axes(c, x);
  if (exponent_of(c) == 2) return c.finish(pool(c, "l2Pool2d"_op, x, axes));
  double elements = 1;
  for (WindowAxis& axis : axes) {  // the means count the padding
    elements *= double(axis.kernel);
    axis.end = std::max(axis.end, (axis.outputs - 1) * axis.stride + axis.span() - axis.input - axis.begin);
  }
  x = padded(c, x, axes);
  c.finish(norm(c, x, exponent_of(c), elements, [&](TensorId y) { return pool(c, "averagePool2d"_op, y, axes); }));
}

void read_global_average_pool(ImportCall& c) { read_global(c, "averagePool2d"_op, "reduceMean"_op); }
void read_global_max_pool(ImportCall& c) { read_global(c, "maxPool2d"_op, "reduceMax"_op); }

void read_global_lp_pool(ImportCall& c) {
  if (exponent_of(c) == 2) return read_global(c, "l2Pool2d"_op, "reduceL2"_op);
  const TensorId x = c.input(0);
  double elements = 1;
  for (const std::int64_t size : spatial_sizes(c, x)) elements *= double(size);
  c.finish(norm(c, x, exponent_of(c), elements, [&](TensorId y) {
    return c.make("reduceMean"_op, {y}, {{"axes", spatial_axes(c, x)}, {"keepDimensions", true}});
  }));
}

}  // namespace webnn::compiler
