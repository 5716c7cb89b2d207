// Normalisations of ONNX.
#include "compiler/onnx/import/networks/normalization.hpp"

#include <algorithm>

#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {

namespace {

OnnxIntegers axes_from(const ImportCall& c, TensorId x, std::int64_t axis) {
  OnnxIntegers axes;
  for (; axis < c.rank(x); ++axis) axes.push_back(axis);
  return axes;
}

TensorId mean_over(ImportCall& c, TensorId x, const OnnxIntegers& axes) {
  return c.make("reduceMean"_op, {x}, {{"axes", axes}, {"keepDimensions", true}});
}

/// Whether a tensor broadcasts to the shape without adding axes.
bool broadcasts_to(const OnnxIntegers& dims, const OnnxIntegers& shape) {
  if (dims.size() > shape.size()) return false;
  return std::equal(dims.rbegin(), dims.rend(), shape.rbegin(),
                    [](std::int64_t from, std::int64_t to) { return from == 1 || from == to; });
}

}  // namespace

TensorId mean_from(ImportCall& c, TensorId x, std::uint32_t axis) { return mean_over(c, x, axes_from(c, x, axis)); }

TensorId inverse_root(ImportCall& c, TensorId x, double epsilon) {
  return c.expression("reciprocal(sqrt(add(?x, ?e)))", {{{"x", x}, {"e", epsilon}}});
}

TensorId layer_normalized(ImportCall& c, TensorId x, std::uint32_t axis, double epsilon, TensorId scale,
                          TensorId bias) {
  const OnnxIntegers normalized(c.dims(x).begin() + axis, c.dims(x).end());
  // The operator takes operands with exactly the normalised axes; others are factors and terms behind it.
  const auto fits = [&](TensorId operand) { return !operand.valid() || broadcasts_to(c.dims(operand), normalized); };
  const bool scale_fits = fits(scale), bias_fits = scale_fits && fits(bias);
  const auto inside = [&](TensorId operand, bool is_inside) {
    return is_inside && operand.valid() ? c.expand(operand, normalized) : TensorId{};
  };
  TensorId y = c.make("layerNormalization"_op, {x, inside(scale, scale_fits), inside(bias, bias_fits)},
                      {{"axes", axes_from(c, x, axis)}, {"epsilon", epsilon}});
  if (scale.valid() && !scale_fits) y = c.make("mul"_op, {y, scale});
  if (bias.valid() && !bias_fits) y = c.make("add"_op, {y, bias});
  if (c.dims(y) != c.dims(x)) c.refuse("its scale or bias has more elements than its input");
  return y;
}

TensorId rms_normalized(ImportCall& c, TensorId x, std::uint32_t axis, double epsilon, OnnxType type) {
  const TensorId wide = c.cast(x, type);
  const TensorId squares = mean_from(c, c.make("mul"_op, {wide, wide}), axis);
  return c.cast(c.make("mul"_op, {wide, inverse_root(c, squares, epsilon)}), c.type(x));
}

TensorId group_normalized(ImportCall& c, TensorId x, std::int64_t groups, double epsilon, TensorId scale,
                          TensorId bias) {
  const OnnxIntegers dims = c.dims(x);
  if (dims.size() < 2 || groups < 1 || dims[1] < 1 || dims[1] % groups != 0)
    c.refuse("its groups do not divide the channels of its input");
  const std::int64_t rest = c.count(x) / std::max<std::int64_t>(1, dims[0] * dims[1]);
  const bool by_group = scale.valid() && bias.valid() && c.count(scale) == groups && c.count(bias) == groups;
  TensorId y = c.reshape(x, {dims[0], groups, dims[1] / groups, rest});
  y = c.make("instanceNormalization"_op,
             {y, by_group ? c.reshape(scale, {groups}) : TensorId{}, by_group ? c.reshape(bias, {groups}) : TensorId{}},
             {{"epsilon", epsilon}});
  y = c.reshape(y, dims);
  if (by_group) return y;
  for (const TensorId operand : {scale, bias})
    if (operand.valid() && c.count(operand) != dims[1]) c.refuse("its scale or bias has not one number per channel");
  if (scale.valid()) y = c.make("mul"_op, {y, parts::along_axis(c, scale, 1, c.rank(x))});
  if (bias.valid()) y = c.make("add"_op, {y, parts::along_axis(c, bias, 1, c.rank(x))});
  return y;
}

namespace {

/// The operands behind the input in the type of the statistics, which newer versions allow to be another one.
struct BatchOperands {
  TensorId x, scale, bias, mean, variance;
};

BatchOperands batch_operands(ImportCall& c) {
  BatchOperands o{c.input(0), c.input(1), c.input(2), c.input(3), c.input(4)};
  const OnnxType type = c.type(o.mean);
  for (TensorId* operand : {&o.x, &o.scale, &o.bias, &o.variance}) *operand = c.cast(*operand, type);
  return o;
}

/// Statistics of this batch, and the running ones moved towards them.
void use_batch_statistics(ImportCall& c, BatchOperands& o) {
  OnnxIntegers axes = axes_from(c, o.x, 1);
  axes[0] = 0;
  const auto mean_of = [&](TensorId y) { return mean_over(c, y, axes); };
  const TensorId mean = mean_of(o.x), distance = c.make("sub"_op, {o.x, mean});
  const TensorId variance = mean_of(c.make("mul"_op, {distance, distance}));
  const double momentum = c.real("momentum", 0.9);
  const auto moved = [&](std::size_t index, TensorId& running, TensorId batch) {
    if (c.dims(running) != OnnxIntegers{c.dims(o.x)[1]})
      c.refuse("its running mean or variance has not one number for each channel");
    batch = c.reshape(batch, c.dims(running));
    c.finish(index, c.expression("add(mul(?r, ?m), mul(?b, ?n))",
                                 {{{"r", running}, {"b", batch}, {"m", momentum}, {"n", 1 - momentum}}}));
    running = batch;
  };
  moved(1, o.mean, mean);
  moved(2, o.variance, variance);
}

void read_batch_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::int64_t rank = c.rank(x);
  const bool trains = c.opset() >= 14  ? c.flag("training_mode")
                      : c.opset() >= 7 ? c.wants(1) || c.wants(2) || c.wants(3) || c.wants(4)
                                       : !c.flag("is_test");
  if (rank == 0) c.refuse("its input has no channels");
  BatchOperands o = batch_operands(c);
  if (trains && (c.opset() < 14 || rank < 2)) c.refuse("it trains: its statistics are those of the batch");
  if (trains) use_batch_statistics(c, o);
  const double epsilon = c.real("epsilon", 1e-5);
  if (c.opset() < 9 && !c.flag("spatial", true))  // a mean and a variance for each position
    return c.finish(c.cast(
        c.expression("add(mul(mul(sub(?x, ?m), reciprocal(sqrt(add(?v, ?e)))), ?s), ?b)",
                     {{{"x", o.x}, {"m", o.mean}, {"v", o.variance}, {"e", epsilon}, {"s", o.scale}, {"b", o.bias}}}),
        c.type(x)));
  if (rank == 1) o.x = c.reshape(o.x, {c.count(x), 1});
  TensorId y = c.make("batchNormalization"_op, {o.x, o.mean, o.variance, o.scale, o.bias},
                      {{"axis", std::int64_t{1}}, {"epsilon", epsilon}});
  c.finish(c.cast(c.reshape(y, c.dims(x)), c.type(x)));
}

void read_instance_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const OnnxIntegers dims = c.dims(x);
  if (dims.size() < 2) c.refuse("its input has no channels");
  TensorId flat = x;
  if (dims.size() != 4)
    flat = c.reshape(x, {dims[0], dims[1], 1, c.count(x) / std::max<std::int64_t>(1, dims[0] * dims[1])});
  const TensorId y =
      c.make("instanceNormalization"_op, {flat, c.input(1), c.input(2)}, {{"epsilon", c.real("epsilon", 1e-5)}});
  c.finish(c.reshape(y, dims));
}

/// float32 unless `stash_type` says that intermediate results keep the type of the input.
OnnxType stash_type(const ImportCall& c, TensorId x) {
  const std::int64_t type = c.integer("stash_type", 1);
  return type == std::int64_t(OnnxType::float16) ? c.type(x) : OnnxType::float32;
}

void read_layer_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const double epsilon = c.real("epsilon", 1e-5);
  c.finish(layer_normalized(c, x, axis, epsilon, c.optional(1), c.optional(2)));
  if (!c.wants(1) && !c.wants(2)) return;
  const TensorId wide = c.cast(x, stash_type(c, x)), mean = mean_from(c, wide, axis);
  c.finish(1, mean);
  const TensorId distance = c.make("sub"_op, {wide, mean});
  if (c.wants(2)) c.finish(2, inverse_root(c, mean_from(c, c.make("mul"_op, {distance, distance}), axis), epsilon));
}

void read_rms_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::uint32_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const TensorId y = rms_normalized(c, x, axis, c.real("epsilon", 1e-5), stash_type(c, x));
  c.finish(c.make("mul"_op, {y, c.input(1)}));
}

/// Scale and bias are by group in versions 18 to 20, by channel later; both forms are known by their size.
void read_group_normalization(ImportCall& c) {
  c.finish(group_normalized(c, c.input(0), c.integer("num_groups"), c.real("epsilon", 1e-5), c.input(1), c.input(2)));
}

void read_mean_variance_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  OnnxIntegers axes;
  for (const std::uint32_t axis :
       c.axes(c.has_attribute("axes") ? c.integers("axes") : OnnxIntegers{0, 2, 3}, c.rank(x)))
    axes.push_back(axis);
  const TensorId distance = c.make("sub"_op, {x, mean_over(c, x, axes)});
  const TensorId variance = mean_over(c, c.make("mul"_op, {distance, distance}), axes);
  c.finish(c.expression("div(?d, add(sqrt(?v), 1e-9))", {{{"d", distance}, {"v", variance}}}));
}

/// Where the norm is 0, all elements are: they stay.
void read_lp_normalization(ImportCall& c) {
  const TensorId x = c.input(0);
  const std::int64_t p = c.integer("p", 2);
  if (p != 1 && p != 2) c.refuse("p is neither 1 nor 2");
  const OnnxIntegers axes{c.axis(c.integer("axis", -1), c.rank(x))};
  const TensorId norm = c.make(p == 1 ? "reduceL1"_op : "reduceL2"_op, {x}, {{"axes", axes}, {"keepDimensions", true}});
  c.finish(c.expression("div(?x, where(equal(?n, 0), 1, ?n))", {{{"x", x}, {"n", norm}}}));
}

/// x / (bias + alpha * mean of squares of neighbouring channels)^beta, where channels outside count as 0. All other
/// axes become one, so that the channels are the height of a picture.
void read_lrn(ImportCall& c) {
  const TensorId x = c.input(0);
  const OnnxIntegers dims = c.dims(x);
  const std::int64_t size = c.integer("size");
  if (dims.size() < 2 || size < 1 || size > std::int64_t{max_dimension}) c.refuse("its size or its input is not valid");
  const std::int64_t rest = c.count(x) / std::max<std::int64_t>(1, dims[0] * dims[1]);
  TensorId mean = c.reshape(c.make("mul"_op, {x, x}), {dims[0], 1, dims[1], rest});
  mean = c.make("pad"_op, {mean},
                {{"beginningPadding", OnnxIntegers{0, 0, (size - 1) / 2, 0}},
                 {"endingPadding", OnnxIntegers{0, 0, size / 2, 0}}});
  mean = c.reshape(c.make("averagePool2d"_op, {mean}, {{"windowDimensions", OnnxIntegers{size, 1}}}), dims);
  c.finish(
      c.expression("div(?x, pow(linear(?m) {alpha=?alpha, beta=?bias}, ?beta))", {{{"x", x},
                                                                                   {"m", mean},
                                                                                   {"alpha", c.real("alpha", 1e-4)},
                                                                                   {"beta", c.real("beta", 0.75)},
                                                                                   {"bias", c.real("bias", 1)}}}));
}

constexpr OnnxImportRow normalization_import_rows[] = {
    {.op_type = "BatchNormalization", .read = read_batch_normalization},
    {.op_type = "GroupNormalization", .read = read_group_normalization},
    {.op_type = "InstanceNormalization", .read = read_instance_normalization},
    {.op_type = "LRN", .read = read_lrn},
    {.op_type = "LayerNormalization", .read = read_layer_normalization},
    {.op_type = "LpNormalization", .read = read_lp_normalization},
    {.op_type = "MeanVarianceNormalization", .read = read_mean_variance_normalization, .since = 9},
    {.op_type = "RMSNormalization", .read = read_rms_normalization},
};

}  // namespace

std::span<const OnnxImportRow> import_normalization_rows() { return normalization_import_rows; }

}  // namespace webnn::compiler
