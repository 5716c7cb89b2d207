// Resize and Upsample. Each axis is interpolated on its own: where WebNN's resample2d does just what the node asks for,
// by it, otherwise by a product with a matrix of weights, or by a gather for the nearest element.
#include <algorithm>
#include <cmath>
#include <span>

#include "compiler/onnx/import/import_call.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

/// What a node says about all axes.
struct ResizeForm {
  std::string mode = "nearest", coordinates = "half_pixel", nearest = "round_prefer_floor";
  double cubic_a = -0.75;
  bool antialias = false, exclude_outside = false;
};

struct ResizeCoordinates;

/// How one axis is resized.
struct ResizedAxis {
  std::int64_t input = 1, output = 1;
  double scale = 1;           // as the node gives it; not always output / input
  double start = 0, end = 1;  // the region of interest
  const ResizeCoordinates* coordinates = nullptr;
  bool changes = false;

  /// The coordinate in the input of an output. Each grows or falls with the output: what the first and the last are
  /// not, none is.
  double source(std::int64_t i) const;
};

/// A centre at i + 1/2 in both. Exact where the scale is the ratio of the sizes, so that rounding decides nothing.
double half_pixel(const ResizedAxis& axis, std::int64_t i) {
  if (axis.scale * double(axis.input) == double(axis.output))
    return (double(i) + 0.5) * double(axis.input) / double(axis.output) - 0.5;
  return (double(i) + 0.5) / axis.scale - 0.5;
}

struct ResizeCoordinates {
  std::string_view name;
  /// `wide`: input size times scale, which need not be an integer.
  double (*source)(const ResizedAxis& axis, std::int64_t i, double wide);
};

constexpr ResizeCoordinates resize_coordinates[] = {
    {"half_pixel", [](const ResizedAxis& axis, std::int64_t i, double) { return half_pixel(axis, i); }},
    {"half_pixel_symmetric",
     [](const ResizedAxis& axis, std::int64_t i, double wide) {
       return double(axis.input) / 2 * (1 - double(axis.output) / wide) + half_pixel(axis, i);
     }},
    {"pytorch_half_pixel",
     [](const ResizedAxis& axis, std::int64_t i, double) { return axis.output > 1 ? half_pixel(axis, i) : 0; }},
    {"align_corners",
     [](const ResizedAxis& axis, std::int64_t i, double wide) {
       return axis.output == 1 ? 0 : double(i) * double(axis.input - 1) / (wide - 1);
     }},
    {"asymmetric",
     [](const ResizedAxis& axis, std::int64_t i, double wide) {
       return wide == double(axis.output) ? double(i) * double(axis.input) / wide : double(i) / axis.scale;
     }},
    {"tf_half_pixel_for_nn", [](const ResizedAxis& axis, std::int64_t i, double) { return half_pixel(axis, i) + 0.5; }},
    {"tf_crop_and_resize",
     [](const ResizedAxis& axis, std::int64_t i, double) {
       const double last = double(axis.input - 1);
       if (axis.output == 1) return 0.5 * (axis.start + axis.end) * last;
       return axis.start * last + double(i) * (axis.end - axis.start) * last / double(axis.output - 1);
     }},
};

double ResizedAxis::source(std::int64_t i) const { return coordinates->source(*this, i, scale * double(input)); }

/// The same as resample2d has it.
double resampled_source(const ResizedAxis& axis, std::int64_t i) {
  return (double(i) + 0.5) * double(axis.input) / double(axis.output) - 0.5;
}

/// Whether all outputs of an axis pass a test. No list of coordinates is made: an axis may have many.
template <class Test>
bool all_outputs(const ImportCall& c, const ResizedAxis& axis, Test passes) {
  c.count_elements(axis.output);
  for (std::int64_t i = 0; i < axis.output; ++i)
    if (!passes(i)) return false;
  return true;
}

struct NearestMode {
  std::string_view name;
  double (*pick)(double x, bool shrinks);
};

constexpr NearestMode nearest_modes[] = {
    {"round_prefer_floor", [](double x, bool) { return std::ceil(x - 0.5); }},
    {"round_prefer_ceil", [](double x, bool) { return std::floor(x + 0.5); }},
    {"floor", [](double x, bool) { return std::floor(x); }},
    {"ceil", [](double x, bool) { return std::ceil(x); }},
    // version 10 says nothing
    {"simple", [](double x, bool shrinks) { return shrinks ? std::ceil(x) : std::floor(x); }},
};

template <class Row, std::size_t n>
const Row& row_named(const ImportCall& c, const Row (&rows)[n], std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  if (found == std::end(rows)) c.refuse(sentence("its mode '", name, "' is unknown"));
  return *found;
}

std::int64_t nearest_element(const NearestMode& mode, const ResizedAxis& axis, double source) {
  return std::int64_t(std::clamp(mode.pick(source, axis.output < axis.input), 0.0, double(axis.input - 1)));
}

/// The weight of an element at a distance.
double weight_of(const ResizeForm& form, double distance) {
  const double d = std::abs(distance), a = form.cubic_a;
  if (form.mode == "linear") return std::max(0.0, 1 - d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

/// How much narrower than the distance of elements weights are, and how far away elements have some.
double narrowness(const ResizeForm& form, const ResizedAxis& axis) {
  return form.antialias ? std::min(axis.scale, 1.0) : 1.0;
}
double reach_of(const ResizeForm& form, const ResizedAxis& axis) {
  return (form.mode == "linear" ? 1 : 2) / narrowness(form, axis);
}

/// The weights of one output by input. Elements outside are those at the edges, or have no weight.
void interpolate(const ResizeForm& form, const ResizedAxis& axis, double source, std::span<double> weights) {
  const double narrow = narrowness(form, axis), reach = reach_of(form, axis);
  std::ranges::fill(weights, 0.0);
  double sum = 0;
  for (double at = std::floor(source - reach) + 1; at < source + reach; ++at) {
    if (form.exclude_outside && (at < 0 || at >= double(axis.input))) continue;
    const double weight = weight_of(form, (at - source) * narrow);
    weights[std::size_t(std::clamp(at, 0.0, double(axis.input - 1)))] += weight;
    sum += weight;
  }
  for (double& weight : weights)
    if (sum != 0) weight /= sum;
}

/// By output and input.
TensorId interpolation_matrix(ImportCall& c, const ResizeForm& form, const ResizedAxis& axis) {
  c.count_elements(axis.output * (axis.input + std::int64_t(2 * reach_of(form, axis))));
  AlignedBytes room = c.room(sizeof(float) * std::uint64_t(axis.output) * std::uint64_t(axis.input));
  float* next = ImportCall::elements_of<float>(room).data();
  CountedVector<double> weights(std::size_t(axis.input));
  for (std::int64_t i = 0; i < axis.output; ++i) {
    interpolate(form, axis, axis.source(i), weights);
    for (const double weight : weights) *next++ = float(weight);
  }
  return c.constant(OnnxType::float32, {axis.output, axis.input}, std::move(room));
}

/// The nearest element of each output.
TensorId nearest_elements(ImportCall& c, const ResizeForm& form, const ResizedAxis& axis) {
  const NearestMode& mode = row_named(c, nearest_modes, form.nearest);
  c.count_elements(axis.output);
  AlignedBytes room = c.room(sizeof(std::int32_t) * std::uint64_t(axis.output));
  const auto elements = ImportCall::elements_of<std::int32_t>(room);
  for (std::int64_t i = 0; i < axis.output; ++i)
    elements[std::size_t(i)] = std::int32_t(nearest_element(mode, axis, axis.source(i)));
  return c.constant(OnnxType::int32, {axis.output}, std::move(room));
}

constexpr std::int64_t most_weights = std::int64_t{1} << 26;
constexpr std::int64_t most_coordinates = std::int64_t{1} << 24;  // of an axis

TensorId resize_axis(ImportCall& c, TensorId x, const ResizeForm& form, const ResizedAxis& axis, std::size_t at) {
  if (form.mode == "nearest")
    return c.make("gather"_op, {x, nearest_elements(c, form, axis)}, {{"axis", std::int64_t(at)}});
  if (axis.output * axis.input > most_weights) c.refuse("the matrix of its weights is too large");
  const double reach = reach_of(form, axis);
  if (reach > 4 * double(axis.input) || 2 * reach * double(axis.output) > double(most_weights))
    c.refuse("its scale is too small for the size of its input");
  const TensorId matrix = c.cast(interpolation_matrix(c, form, axis), c.type(x));
  OnnxIntegers dims = c.dims(x);
  std::int64_t inner = 1;
  for (std::size_t i = at + 1; i < dims.size(); ++i) inner *= dims[i];
  const std::int64_t outer = c.count(x) / (inner * axis.input);
  const TensorId flat =
      c.reshape(x, inner == 1 ? OnnxIntegers{outer, axis.input} : OnnxIntegers{outer, axis.input, inner});
  dims[at] = axis.output;
  return c.reshape(
      inner == 1 ? c.make("matmul"_op, {flat, c.transpose(matrix, {1, 0})}) : c.make("matmul"_op, {matrix, flat}),
      dims);
}

bool is_resampled(const ImportCall& c, const ResizeForm& form, const ResizedAxis& axis) {
  if (!axis.changes) return true;
  if (form.mode == "nearest") {
    const NearestMode& mode = row_named(c, nearest_modes, form.nearest);
    const NearestMode& other = row_named(c, nearest_modes, ResizeForm().nearest);
    return all_outputs(c, axis, [&](std::int64_t i) {
      return nearest_element(mode, axis, axis.source(i)) == nearest_element(other, axis, resampled_source(axis, i));
    });
  }
  if (form.mode != "linear" || form.antialias) return false;
  const auto inside = [&](double x) { return std::clamp(x, 0.0, double(axis.input - 1)); };
  return all_outputs(c, axis, [&](std::int64_t i) {
    return std::abs(inside(axis.source(i)) - inside(resampled_source(axis, i))) <= 1e-7;
  });
}

/// By resample2d, when only the last two axes change; a tensor with four keeps its axes, others lose theirs.
TensorId resample(ImportCall& c, TensorId x, const ResizeForm& form, const std::vector<ResizedAxis>& axes) {
  const std::size_t rank = axes.size();
  const ResizedAxis height = rank > 1 ? axes[rank - 2] : ResizedAxis{}, width = axes[rank - 1];
  OnnxIntegers dims = c.dims(x);
  const TensorId flat =
      rank == 4 ? x : c.reshape(x, {1, c.count(x) / (height.input * width.input), height.input, width.input});
  const TensorId y = c.make("resample2d"_op, {flat},
                            {{"mode", std::string(form.mode == "linear" ? "linear" : "nearest-neighbor")},
                             {"sizes", OnnxIntegers{height.output, width.output}}});
  for (std::size_t i = 0; i < rank; ++i) dims[i] = axes[i].output;
  return c.reshape(y, dims);
}

bool is_resample(const ImportCall& c, TensorId x, const ResizeForm& form, const std::vector<ResizedAxis>& axes) {
  if (axes.empty() || (c.type(x) != OnnxType::float32 && c.type(x) != OnnxType::float16 &&
                       !(form.mode == "nearest" && (c.type(x) == OnnxType::uint8 || c.type(x) == OnnxType::int8))))
    return false;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (i + 2 < axes.size() ? axes[i].changes : !is_resampled(c, form, axes[i])) return false;
  return true;
}

/// 1 where all sources are in the input, 0 elsewhere; absent when all are.
TensorId inside_mask(ImportCall& c, const std::vector<ResizedAxis>& axes) {
  TensorId mask;
  for (std::size_t at = 0; at < axes.size(); ++at) {
    const ResizedAxis& axis = axes[at];
    const auto is_inside = [&](std::int64_t i) {
      const double source = axis.source(i);
      return source >= 0 && source <= double(axis.input - 1);
    };
    if (is_inside(0) && is_inside(axis.output - 1)) continue;
    c.count_elements(axis.output);
    AlignedBytes room = c.room(std::uint64_t(axis.output));
    for (std::int64_t i = 0; i < axis.output; ++i) room.view()[std::size_t(i)] = std::byte(is_inside(i));
    OnnxIntegers dims(axes.size() - at, 1);
    dims[0] = axis.output;
    const TensorId along = c.constant(OnnxType::boolean, dims, std::move(room));
    mask = mask.valid() ? c.make("logicalAnd"_op, {mask, along}) : along;
  }
  return mask;
}

void finish_resize(ImportCall& c, const ResizeForm& form, std::vector<ResizedAxis> axes) {
  const ResizeCoordinates& coordinates = row_named(c, resize_coordinates, form.coordinates);
  std::int64_t elements = 1;
  for (const ResizedAxis& axis : axes)
    if (__builtin_mul_overflow(elements, axis.output, &elements) || elements > max_dimension)
      c.refuse("its result has too many elements");
  for (ResizedAxis& axis : axes) {
    if (axis.input < 1 || axis.output < 1 || axis.output > std::int64_t{max_dimension} || !(axis.scale > 0))
      c.refuse("its sizes or scales are not valid");
    if (axis.output > most_coordinates) c.refuse("one of its sizes is too large");
    axis.coordinates = &coordinates;
    for (const double source : {axis.source(0), axis.source(axis.output - 1)})
      if (!std::isfinite(source) || std::abs(source) > 1e15) c.refuse("its region of interest is not valid");
    axis.changes =
        axis.input != axis.output || !all_outputs(c, axis, [&](std::int64_t i) { return axis.source(i) == double(i); });
  }
  const TensorId x = c.input(0);
  TensorId y = x;
  if (is_resample(c, x, form, axes)) {
    if (std::ranges::any_of(axes, &ResizedAxis::changes)) y = resample(c, x, form, axes);
  } else {
    const bool widens = form.mode != "nearest" && c.type(x) != OnnxType::float32 && c.type(x) != OnnxType::float16;
    if (widens) y = c.cast(y, OnnxType::float32);
    // Axes that shrink go first: then there is less to do for the others.
    for (const bool shrinking : {true, false})
      for (std::size_t at = 0; at < axes.size(); ++at)
        if (axes[at].changes && (axes[at].output < axes[at].input) == shrinking)
          y = resize_axis(c, y, form, axes[at], at);
    if (widens) y = c.cast(y, c.type(x));
  }
  if (form.coordinates == "tf_crop_and_resize")
    if (const TensorId mask = inside_mask(c, axes); mask.valid())
      y = c.make("where"_op, {mask, y, c.scalar_like(y, c.real("extrapolation_value", 0))});
  c.finish(y);
}

std::vector<ResizedAxis> axes_of(const ImportCall& c) {
  std::vector<ResizedAxis> axes;
  c.count(c.input(0));
  for (const std::int64_t size : c.dims(c.input(0))) axes.push_back({.input = size, .output = size});
  return axes;
}

/// The numbers of a list for each axis that it is for: `axes`, or all.
template <class T>
void check_length(const ImportCall& c, const std::vector<T>& values, const std::vector<std::uint32_t>& axes) {
  if (values.size() != axes.size()) c.refuse("it does not have one scale or size for each axis");
}

/// floor(size * scale), in the precision in which scales are given.
void set_scales(const ImportCall& c, std::vector<ResizedAxis>& all, const std::vector<double>& scales,
                const std::vector<std::uint32_t>& axes) {
  check_length(c, scales, axes);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis& axis = all[axes[i]];
    axis.scale = scales[i];
    const double size = std::floor(float(axis.input) * float(scales[i]) * float(axis.end - axis.start));
    if (!(size >= 1 && size <= double(max_dimension)))
      c.refuse(sentence("the scale of axis ", axes[i], " is not valid"));
    axis.output = std::int64_t(size);
    // A decimal fraction for a ratio of integers: 0.3333333 of 3 elements.
    if (std::abs(scales[i] * double(axis.input) - size) < 1e-6 * size) axis.scale = size / double(axis.input);
  }
}

void set_sizes(const ImportCall& c, std::vector<ResizedAxis>& all, const OnnxIntegers& sizes,
               const std::vector<std::uint32_t>& axes) {
  check_length(c, sizes, axes);
  const std::string policy = c.text("keep_aspect_ratio_policy", "stretch");
  std::vector<double> scales;
  for (std::size_t i = 0; i < axes.size(); ++i) scales.push_back(double(sizes[i]) / double(all[axes[i]].input));
  const bool stretches = policy == "stretch" || scales.empty();
  if (!stretches && policy != "not_larger" && policy != "not_smaller")
    c.refuse("its keep_aspect_ratio_policy is unknown");
  if (!stretches)
    scales.assign(scales.size(), policy == "not_larger" ? std::ranges::min(scales) : std::ranges::max(scales));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    ResizedAxis& axis = all[axes[i]];
    if (sizes[i] < 1 || sizes[i] > std::int64_t{max_dimension} ||
        scales[i] * double(axis.input) > double(max_dimension))
      c.refuse("one of its sizes is not valid");
    axis.scale = scales[i];
    axis.output = stretches ? sizes[i] : std::int64_t(scales[i] * double(axis.input) + 0.5);
  }
}

/// Given, and not without elements.
bool is_given(const ImportCall& c, std::size_t input) { return c.has(input) && c.count(c.input(input)) != 0; }

void read_resize(ImportCall& c) {
  std::vector<ResizedAxis> all = axes_of(c);
  ResizeForm form;
  form.mode = c.text("mode", "nearest");
  form.coordinates = c.text("coordinate_transformation_mode", "half_pixel");
  form.nearest = c.text("nearest_mode", "round_prefer_floor");
  form.cubic_a = c.real("cubic_coeff_a", -0.75);
  form.antialias = c.flag("antialias") && form.mode != "nearest";
  form.exclude_outside = c.flag("exclude_outside") && form.mode != "nearest";
  if (form.mode != "nearest" && form.mode != "linear" && form.mode != "cubic") c.refuse("its mode is unknown");
  std::vector<std::uint32_t> axes;
  if (c.has_attribute("axes"))
    axes = c.axes(c.integers("axes"), c.rank(c.input(0)));
  else
    for (std::uint32_t axis = 0; axis < all.size(); ++axis) axes.push_back(axis);
  if (form.coordinates == "tf_crop_and_resize") {
    const std::vector<double> region = c.known_reals(c.input(1), "its region of interest");
    if (region.size() != 2 * axes.size()) c.refuse("its region of interest does not have two numbers for each axis");
    for (std::size_t i = 0; i < axes.size(); ++i) {
      all[axes[i]].start = region[i];
      all[axes[i]].end = region[axes.size() + i];
    }
  }
  if (is_given(c, 3))
    set_sizes(c, all, c.known_integers(c.input(3), "its sizes"), axes);
  else
    set_scales(c, all, c.known_reals(c.input(2), "its scales"), axes);
  finish_resize(c, form, std::move(all));
}

/// Version 10 of Resize, and Upsample: pixels have their coordinates at their upper left corner.
void resize_simply(ImportCall& c, std::vector<double> scales, std::string mode, std::string nearest) {
  std::vector<ResizedAxis> all = axes_of(c);
  std::vector<std::uint32_t> axes;
  for (std::uint32_t axis = 0; axis < all.size(); ++axis) axes.push_back(axis);
  set_scales(c, all, scales, axes);
  if (mode == "bilinear") mode = "linear";
  if (mode != "nearest" && mode != "linear") c.refuse("its mode is unknown");
  finish_resize(c, {.mode = std::move(mode), .coordinates = "asymmetric", .nearest = std::move(nearest)},
                std::move(all));
}

void read_resize_10(ImportCall& c) {
  resize_simply(c, c.known_reals(c.input(1), "its scales"), c.text("mode", "nearest"), "simple");
}

void read_upsample(ImportCall& c) {
  std::vector<double> scales;
  if (c.opset() >= 9)
    scales = c.known_reals(c.input(1), "its scales");
  else if (c.has_attribute("scales"))
    scales = c.reals("scales");
  else
    scales = {1, 1, c.real("height_scale"), c.real("width_scale")};
  resize_simply(c, std::move(scales), c.text("mode", "nearest"), "floor");
}

void refuse_grid_sample(ImportCall& c) { c.refuse("WebNN has no sampling at places that the graph computes"); }

constexpr OnnxImportRow resize_import_rows[] = {
    {.op_type = "GridSample", .read = refuse_grid_sample},
    {.op_type = "Resize", .read = read_resize, .since = 11},
    {.op_type = "Resize", .read = read_resize_10, .since = 10, .before = 11},
    {.op_type = "Upsample", .read = read_upsample},
};

}  // namespace

std::span<const OnnxImportRow> import_resize_rows() { return resize_import_rows; }

}  // namespace webnn::compiler
