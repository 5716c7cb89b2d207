// Reductions, and what works along one axis: softmax and its kin, and the places of extreme elements.
#include <algorithm>
#include <numeric>

#include "compiler/onnx/import/math/math.hpp"
#include "compiler/onnx/reader/onnx_tensors.hpp"

namespace webnn::compiler {
namespace {

// ---- reductions

IntegerList reduced_axes(ImportCall& c, TensorId x) {
  const std::optional<OnnxIntegers> given = c.integers_from(1, "axes");
  IntegerList result;
  if (given && !given->empty()) {
    for (const std::uint32_t axis : c.axes(*given, c.rank(x))) result.push_back(axis);
  } else if (!c.flag("noop_with_empty_axes")) {
    result.resize(std::size_t(c.rank(x)));
    std::iota(result.begin(), result.end(), 0);
  }
  return result;
}

/// Without axes, each element is reduced alone: its square, its logarithm.
template <OperatorId op>
void read_reduction(ImportCall& c) {
  const TensorId x = c.input(0);
  c.finish(c.retyped(c.make(op, {x}, {{"axes", reduced_axes(c, x)}, {"keepDimensions", c.flag("keepdims", true)}}),
                     c.type(x)));
}

/// WebNN's mean is for floating point numbers; that of integers is truncated.
void read_reduce_mean(ImportCall& c) {
  const TensorId x = c.input(0);
  if (!data_type_of(c.type(x)) || is_float(*data_type_of(c.type(x)))) return read_reduction<"reduceMean"_op>(c);
  const IntegerList axes = reduced_axes(c, x);
  const TensorId sum = c.make("reduceSum"_op, {x}, {{"axes", axes}, {"keepDimensions", c.flag("keepdims", true)}});
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= c.dims(x)[std::size_t(axis)];
  c.finish(c.make("div"_op, {sum, c.scalar_like(sum, count)}));
}

/// The last of several extreme elements is the first of the reversed axis.
void index_of_extreme(ImportCall& c, OperatorId op) {
  const TensorId x = c.input(0);
  const std::int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const bool is_last = c.flag("select_last_index");
  const TensorId from = is_last ? c.make("reverse"_op, {x}, {{"axes", IntegerList{axis}}}) : x;
  const TensorId index = c.make(
      op, {from}, {{"axis", axis}, {"keepDimensions", c.flag("keepdims", true)}, {"outputDataType", DataType::int64}});
  if (!is_last) return c.finish(index);
  c.finish(c.make("sub"_op, {c.scalar_like(index, c.dims(x)[std::size_t(axis)] - 1), index}));
}

template <OperatorId op>
void read_arg_reduction(ImportCall& c) {
  index_of_extreme(c, op);
}

// ---- along one axis

TensorId softmax_along(ImportCall& c, TensorId x, std::int64_t axis) {
  return c.make("softmax"_op, {x}, {{"axis", axis}});
}

TensorId log_softmax_along(ImportCall& c, TensorId x, std::int64_t axis) {
  const NamedAttributes along{{"axes", IntegerList{axis}}, {"keepDimensions", true}};
  // From the greatest element, so that the digits of large numbers are not lost.
  const TensorId centered = c.make("sub"_op, {x, c.make("reduceMax"_op, {x}, along)});
  return c.make("sub"_op, {centered, c.make("reduceLogSumExp"_op, {centered}, along)});
}

/// 1 at the first greatest element, 0 elsewhere.
TensorId hardmax_along(ImportCall& c, TensorId x, std::int64_t axis) {
  if (c.dims(x)[std::size_t(axis)] > most_listed_elements) c.refuse("its axis is too long");
  c.count_list(c.dims(x)[std::size_t(axis)]);
  const TensorId best =
      c.make("argMax"_op, {x}, {{"axis", axis}, {"keepDimensions", true}, {"outputDataType", DataType::int64}});
  OnnxIntegers places(std::size_t(c.dims(x)[std::size_t(axis)])), dims(c.dims(x).size(), 1);
  std::iota(places.begin(), places.end(), 0);
  dims[std::size_t(axis)] = std::int64_t(places.size());
  return c.cast(c.make("equal"_op, {best, c.reshape(c.integers_tensor(places), dims)}), c.type(x));
}

/// Before version 13 all axes from the given one on are one.
template <TensorId (*function)(ImportCall& c, TensorId x, std::int64_t axis)>
void read_along_axis(ImportCall& c) {
  const TensorId x = c.input(0);
  const bool is_new = c.opset() >= 13;
  const std::uint32_t axis = c.axis(c.integer("axis", is_new ? -1 : 1), c.rank(x));
  if (c.count(x) == 0) c.refuse("its input has no elements, and WebNN has no such tensors");
  if (is_new || axis + 1 == c.dims(x).size()) return c.finish(function(c, x, axis));
  const OnnxIntegers dims = c.dims(x);
  std::int64_t outer = 1;
  for (std::uint32_t i = 0; i < axis; ++i) outer *= dims[i];
  c.finish(c.reshape(function(c, c.reshape(x, {outer, c.count(x) / outer}), 1), dims));
}

constexpr OnnxImportRow reduction_import_rows[] = {
    {.op_type = "ArgMax", .read = read_arg_reduction<"argMax"_op>},
    {.op_type = "ArgMin", .read = read_arg_reduction<"argMin"_op>},
    {.op_type = "Hardmax", .read = read_along_axis<hardmax_along>},
    {.op_type = "LogSoftmax", .read = read_along_axis<log_softmax_along>},
    {.op_type = "ReduceL1", .read = read_reduction<"reduceL1"_op>},
    {.op_type = "ReduceL2", .read = read_reduction<"reduceL2"_op>},
    {.op_type = "ReduceLogSum", .read = read_reduction<"reduceLogSum"_op>},
    {.op_type = "ReduceLogSumExp", .read = read_reduction<"reduceLogSumExp"_op>},
    {.op_type = "ReduceMax", .read = read_reduction<"reduceMax"_op>},
    {.op_type = "ReduceMean", .read = read_reduce_mean},
    {.op_type = "ReduceMin", .read = read_reduction<"reduceMin"_op>},
    {.op_type = "ReduceProd", .read = read_reduction<"reduceProduct"_op>},
    {.op_type = "ReduceSum", .read = read_reduction<"reduceSum"_op>},
    {.op_type = "ReduceSumSquare", .read = read_reduction<"reduceSumSquare"_op>},
    {.op_type = "Softmax", .read = read_along_axis<softmax_along>},
};

}  // namespace

std::span<const OnnxImportRow> import_reduction_rows() { return reduction_import_rows; }

TensorId import_log_softmax(ImportCall& c, TensorId x, std::int64_t axis) { return log_softmax_along(c, x, axis); }

}  // namespace webnn::compiler
