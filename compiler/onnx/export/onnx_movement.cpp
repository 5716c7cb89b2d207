// Operators that move elements in ONNX.
#include <limits>
#include <numeric>

#include "compiler/onnx/export/onnx_call.hpp"
#include "schema/infer/infer.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

OnnxIntegers first_axes(std::size_t count) {
  OnnxIntegers axes(count);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

/// reshape and expand: the shape is an operand.
void to_result_shape(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0), c.integers("shape", integers_of(c.result().shape)).name});
}

void with_axis(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, c.all_inputs(), {{"axis", std::int64_t(c.call.u32("axis"))}});
}

void pad(OnnxCall& c, std::string_view onnx) {
  OnnxIntegers pads = integers_of(c.call.u32_list("beginningPadding"));
  for (const std::uint32_t end : c.call.u32_list("endingPadding")) pads.push_back(end);
  const std::string_view mode = c.call.text("mode");
  if (pads.empty()) return c.finish("Identity", {c.input(0)});
  OnnxInputs inputs{c.input(0), c.integers("pads", pads).name};
  if (mode == "constant") inputs.push_back(c.filled("value", c.operand(0).type, {}, c.call.number("value", 0)).name);
  c.finish(onnx, inputs, {{"mode", std::string(mode == "reflection" ? "reflect" : mode)}});
}

/// From the last element backwards to the first.
void reverse(OnnxCall& c, std::string_view onnx) {
  const OnnxIntegers axes = integers_of(c.call.u32_list("axes"));
  if (axes.empty()) return c.finish("Identity", {c.input(0)});
  const OnnxIntegers last(axes.size(), -1), before_first(axes.size(), std::numeric_limits<std::int64_t>::min());
  c.finish(onnx, {c.input(0), c.integers("starts", last).name, c.integers("ends", before_first).name,
                  c.integers("axes", axes).name, c.integers("steps", last).name});
}

void slice(OnnxCall& c, std::string_view onnx) {
  const OnnxIntegers starts = integers_of(c.call.u32_list("starts")), steps = integers_of(c.call.u32_list("strides"));
  if (starts.empty()) return c.finish("Identity", {c.input(0)});
  OnnxIntegers ends = integers_of(c.call.u32_list("sizes"));
  for (std::size_t axis = 0; axis < ends.size(); ++axis) ends[axis] += starts[axis];
  c.finish(onnx, {c.input(0), c.integers("starts", starts).name, c.integers("ends", ends).name,
                  c.integers("axes", first_axes(starts.size())).name, c.integers("steps", steps).name});
}

void split(OnnxCall& c, std::string_view onnx) {
  const OnnxIntegers sizes = integers_of(split_sizes(c.call));
  c.finish(onnx, {c.input(0), c.integers("sizes", sizes).name}, {{"axis", std::int64_t(c.call.u32("axis"))}});
}

void tile(OnnxCall& c, std::string_view onnx) {
  if (c.operand(0).shape.empty()) return c.finish("Identity", {c.input(0)});
  c.finish(onnx, {c.input(0), c.integers("repeats", integers_of(c.call.u32_list("repetitions"))).name});
}

void transpose(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0)}, {{"perm", integers_of(c.call.u32_list("permutation"))}});
}

void triangular(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0), c.integer("diagonal", c.call.i32("diagonal")).name},
           {{"upper", std::int64_t(c.call.boolean("upper"))}});
}

/// ONNX has no unsigned indices.
std::string signed_indices(OnnxCall& c) {
  const OnnxOperand& indices = c.operand(1);
  return indices.type == uint32 ? c.converted(indices, int64).name : indices.name;
}

void indexed(OnnxCall& c, std::string_view onnx) {
  OnnxInputs inputs = c.all_inputs();
  inputs[1] = signed_indices(c);
  c.finish(onnx, inputs, {{"axis", std::int64_t(c.call.u32("axis"))}});
}

void indexed_nd(OnnxCall& c, std::string_view onnx) {
  OnnxInputs inputs = c.all_inputs();
  inputs[1] = c.converted(c.operand(1), int64).name;
  c.finish(onnx, inputs);
}

constexpr OnnxRow movement_rows[] = {
    {"reshape", "Reshape", to_result_shape, {}},
    {"concat", "Concat", with_axis, {}},
    {"expand", "Expand", to_result_shape, {}},
    {"pad", "Pad", pad, {}},
    {"reverse", "Slice", reverse, {}},
    {"slice", "Slice", slice, {}},
    {"split", "Split", split, {}},
    {"tile", "Tile", tile, {}},
    {"transpose", "Transpose", transpose, {}},
    {"triangular", "Trilu", triangular, {}},

    {"gather", "Gather", indexed, {}},
    {"gatherElements", "GatherElements", indexed, {}},
    {"gatherND", "GatherND", indexed_nd, {}},
    {"scatterElements", "ScatterElements", indexed, {}},
    {"scatterND", "ScatterND", indexed_nd, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_movement_rows() { return movement_rows; }

}  // namespace webnn::compiler
