// Operators that move elements unchanged. Each is a walk with other strides, or with a rule for positions outside of
// the operand (shaders/movement/copy.comp).
#include <algorithm>

#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/estimates.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::vulkan {
namespace {

enum class WalkMode : std::uint32_t { strided, tile, pad_constant, pad_edge, pad_reflection, upper, lower };

/// For each index of `shape`: result[target_start + index * target] = operand[source_start + index * source].
struct Walk {
  Shape shape;
  Strides source{}, target{};
  std::int64_t source_start = 0, target_start = 0;
  WalkMode mode = WalkMode::strided;
  Shape size;        // of the operand, for modes that need it
  Strides before{};  // padding
  std::int64_t diagonal = 0;
  std::uint64_t value = 0;
};

/// A walk over the whole result.
Walk walk_over(const Shape& result, const Strides& source) {
  Walk walk;
  walk.shape = result;
  walk.source = source;
  walk.target = row_major_strides(result);
  return walk;
}

/// The same walk with fewer axes: neighbours that are walked like a single axis become one, those of size 1 none.
Walk merged(const Walk& walk) {
  Walk result = walk;
  result.shape = {};
  result.source = result.target = {};
  for (unsigned axis = 0; axis < walk.shape.rank(); ++axis) {
    if (walk.shape[axis] == 1) continue;
    const unsigned rank = result.shape.rank();
    const auto continues = [&](const Strides& merged, const Strides& own) {
      return merged[rank - 1] == own[axis] * std::int64_t(walk.shape[axis]);
    };
    const bool is_same = rank > 0 && continues(result.source, walk.source) && continues(result.target, walk.target);
    const unsigned place = is_same ? rank - 1 : rank;
    if (is_same)
      result.shape[place] *= walk.shape[axis];
    else
      result.shape.push_back(walk.shape[axis]);
    result.source[place] = walk.source[axis];
    result.target[place] = walk.target[axis];
  }
  return result;
}

/// How many elements of so many bytes can be moved together: neighbours of the walk that are neighbours in both tensors.
std::uint32_t elements_together(const Walk& walk, std::uint32_t bytes) {
  if (walk.mode != WalkMode::strided || walk.shape.rank() == 0) return 1;
  const unsigned last = walk.shape.rank() - 1;
  if (walk.source[last] != 1 || walk.target[last] != 1) return 1;
  const auto fits = [&](std::int64_t count) {
    if (walk.shape[last] % count != 0 || walk.source_start % count != 0 || walk.target_start % count != 0) return false;
    for (unsigned axis = 0; axis < last; ++axis)
      if (walk.source[axis] % count != 0 || walk.target[axis] % count != 0) return false;
    return true;
  };
  for (const std::uint32_t together : {16u, 8u, 4u, 2u})
    if (together > bytes && fits(together / bytes)) return together / bytes;
  return 1;
}

/// The same walk in units of `count` elements.
Walk in_units(Walk walk, std::uint32_t count) {
  if (count == 1) return walk;
  const unsigned last = walk.shape.rank() - 1;
  walk.shape[last] /= count;
  for (unsigned axis = 0; axis < last; ++axis) {
    walk.source[axis] /= count;
    walk.target[axis] /= count;
  }
  walk.source_start /= count;
  walk.target_start /= count;
  return walk;
}

/// Moves units of so many bytes.
Dispatch dispatch_units(const KernelSpec& spec, const Walk& walk, std::uint32_t bytes, std::size_t input,
                        std::size_t output) {
  const std::size_t count = element_count(walk.shape);
  return DispatchMaker(shaders::copy(), {bytes, std::uint32_t(walk.mode)}, DispatchMaker::large_group)
      .input(spec, input)
      .output(spec, output)
      .word(count)
      .word(walk.shape.rank())
      .shape(walk.shape)
      .strides(walk.source)
      .strides(walk.target)
      .word(std::uint64_t(walk.source_start))
      .word(std::uint64_t(walk.target_start))
      .shape(walk.size)
      .strides(walk.before)
      .word(std::uint64_t(walk.diagonal))
      .word(0)
      .wide(walk.value)
      .over_units(count);
}

Dispatch dispatch(const KernelSpec& spec, const Walk& walk, std::size_t input = 0, std::size_t output = 0) {
  const std::uint32_t bytes = element_bytes(spec.outputs[output].type);
  const Walk whole = walk.mode == WalkMode::strided ? merged(walk) : walk;
  const std::uint32_t together = elements_together(whole, bytes);
  return dispatch_units(spec, in_units(whole, together), bytes * together, input, output);
}

/// The parts of concat and split along their axis.
struct Parts {
  std::uint32_t axis;
  std::int64_t position = 0;

  /// Where the next part begins in the whole tensor.
  std::int64_t next(const Shape& part, const Strides& whole) {
    const std::int64_t start = position * whole[axis];
    position += part[axis];
    return start;
  }
};

}  // namespace

Dispatches dispatch_view(const KernelSpec& spec) {  // moves bytes, because elements may share them
  const std::uint64_t bytes = byte_length(spec.outputs[0]);
  std::uint32_t unit = 16;
  while (bytes % unit != 0) unit /= 2;
  return dispatch_units(spec, walk_over(Shape{std::uint32_t(bytes / unit)}, {1}), unit, 0, 0);
}

Dispatches dispatch_concat(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const unsigned rank = spec.outputs[0].shape.rank();
  const Strides target = row_major_strides(shape_in_memory(spec.outputs[0].shape, layout));
  const std::uint32_t bytes = element_bytes(spec.outputs[0].type);
  Parts parts{axis_in_memory(call.u32("axis"), rank, layout)};
  std::vector<Walk> walks;
  std::uint32_t together = 16 / bytes;  // the same for all parts, so that they are parts of one result
  for (const OperandDescriptor* operand : call.operands()) {
    Walk walk;
    walk.shape = shape_in_memory(operand->shape, layout);
    walk.source = row_major_strides(walk.shape);
    walk.target = target;
    walk.target_start = parts.next(walk.shape, target);
    together = std::min(together, elements_together(walk, bytes));
    walks.push_back(walk);
  }
  Dispatches list;
  for (std::size_t i = 0; i < walks.size(); ++i) {
    list.dispatches.push_back(dispatch_units(spec, in_units(walks[i], together), bytes * together, i, 0));
    list.dispatches.back().accesses.back().apart = true;  // the dispatches write different elements of one result
  }
  return list;
}

Dispatches dispatch_split(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const Strides source = row_major_strides(shape_in_memory(call.shape(0), layout));
  Parts parts{axis_in_memory(call.u32("axis"), call.shape(0).rank(), layout)};
  Dispatches list;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    Walk walk = walk_over(shape_in_memory(spec.outputs[i].shape, layout), source);
    walk.source_start = parts.next(walk.shape, source);
    list.dispatches.push_back(dispatch(spec, walk, 0, i));
  }
  return list;
}

Dispatches dispatch_expand(const KernelSpec& spec) {
  const Shape& shape = spec.outputs[0].shape;
  return dispatch(spec, walk_over(shape, broadcast_strides(spec.inputs[0]->shape, shape)));
}

/// A walk over the whole result in the order of its memory; `source` is along logical axes.
Walk walk_in_memory(const KernelSpec& spec, const Strides& source) {
  const Shape& shape = spec.outputs[0].shape;
  const Layout layout = spec.output_layout(0);
  return walk_over(shape_in_memory(shape, layout), strides_in_memory(source, shape.rank(), layout));
}

Dispatches dispatch_reorder(const KernelSpec& spec) {
  return dispatch(spec, walk_in_memory(spec, layout_strides(spec.inputs[0]->shape, spec.input_layout(0))));
}

/// The walk of a transpose.
Walk transposing(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Strides own = layout_strides(call.shape(0), spec.input_layout(0));
  const auto permutation = call.u32_list("permutation");
  Strides source{};
  for (std::size_t i = 0; i < permutation.size(); ++i) source[i] = own[permutation[i]];
  return walk_in_memory(spec, source);
}

Dispatches dispatch_transpose(const KernelSpec& spec) { return dispatch(spec, transposing(spec)); }

constexpr std::uint32_t tile_side = 32, tile_group = 128;

/// Which axis of a merged walk has neighbours in memory; the rank if it is none or the last.
unsigned source_axis(const Walk& walk) {
  const unsigned rank = walk.shape.rank();
  for (unsigned axis = 0; axis + 1 < rank; ++axis)
    if (walk.source[axis] == 1) return axis;
  return rank;
}

/// Transposes matrices of the operand's and the result's fastest axes, by tiles in shared memory.
Dispatches dispatch_tiled_transpose(const KernelSpec& spec) {
  const Walk walk = merged(transposing(spec));
  const unsigned column = walk.shape.rank() - 1, row = source_axis(walk);
  Shape batches;
  Strides source{}, target{};
  for (unsigned axis = 0; axis < column; ++axis) {
    if (axis == row) continue;
    source[batches.rank()] = walk.source[axis];
    target[batches.rank()] = walk.target[axis];
    batches.push_back(walk.shape[axis]);
  }
  const auto tiles = [](std::uint64_t size) { return div_up(size, tile_side); };
  return DispatchMaker(shaders::tiled_transpose(), {element_bytes(spec.outputs[0].type)}, tile_group)
      .input(spec, 0)
      .output(spec)
      .word(walk.shape[row])
      .word(walk.shape[column])
      .word(std::uint64_t(walk.source[column]))
      .word(std::uint64_t(walk.target[row]))
      .word(element_count(batches))
      .word(batches.rank())
      .shape(batches)
      .strides(source)
      .strides(target)
      .over_groups(tiles(walk.shape[row]) * tiles(walk.shape[column]) * element_count(batches));
}

/// The fastest axis is another one in the result.
bool changes_fastest_axis(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const Walk walk = merged(transposing(spec));
  return source_axis(walk) < walk.shape.rank();
}

double tiles_of_transpose(const KernelSpec& spec, const Target& target) {
  constexpr std::uint32_t least_side = 16;
  if (spec.outputs.empty()) return does_not_pay;
  const Walk walk = merged(transposing(spec));
  const unsigned row = source_axis(walk);
  if (row >= walk.shape.rank()) return does_not_pay;
  const bool fills = std::min(walk.shape[row], walk.shape[walk.shape.rank() - 1]) >= least_side;
  return fills ? groups_on_target(spec, target) : does_not_pay;
}

Dispatches dispatch_reverse(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& shape = spec.outputs[0].shape;
  Walk walk = walk_over(shape, row_major_strides(shape));
  for (const std::uint32_t axis : call.u32_list("axes")) {
    walk.source_start += walk.source[axis] * (std::int64_t(shape[axis]) - 1);
    walk.source[axis] = -walk.source[axis];
  }
  return dispatch(spec, walk);
}

Dispatches dispatch_slice(const KernelSpec& spec) {
  const SpecCall call(spec);
  const auto starts = call.u32_list("starts"), steps = call.u32_list("strides");
  Strides source = layout_strides(call.shape(0), spec.input_layout(0));
  std::int64_t start = 0;
  for (unsigned axis = 0; axis < call.shape(0).rank(); ++axis) {
    start += source[axis] * starts[axis];
    source[axis] *= steps[axis];
  }
  Walk walk = walk_in_memory(spec, source);
  walk.source_start = start;
  return dispatch(spec, walk);
}

Dispatches dispatch_tile(const KernelSpec& spec) {
  Walk walk = walk_over(spec.outputs[0].shape, row_major_strides(spec.inputs[0]->shape));
  walk.mode = WalkMode::tile;
  walk.size = spec.inputs[0]->shape;
  return dispatch(spec, walk);
}

Dispatches dispatch_pad(const KernelSpec& spec) {
  const SpecCall call(spec);
  Walk walk = walk_over(spec.outputs[0].shape, row_major_strides(call.shape(0)));
  const std::string_view mode = call.text("mode");
  walk.mode = mode == "edge"         ? WalkMode::pad_edge
              : mode == "reflection" ? WalkMode::pad_reflection
                                     : WalkMode::pad_constant;
  walk.size = call.shape(0);
  const auto before = call.u32_list("beginningPadding");
  for (std::size_t axis = 0; axis < before.size(); ++axis) walk.before[axis] = before[axis];
  walk.value = element_bits(call.number("value", Number(0)), spec.outputs[0].type);
  return dispatch(spec, walk);
}

Dispatches dispatch_triangular(const KernelSpec& spec) {
  const SpecCall call(spec);
  Walk walk = walk_over(call.shape(0), row_major_strides(call.shape(0)));
  walk.mode = call.boolean("upper") ? WalkMode::upper : WalkMode::lower;
  walk.diagonal = call.i32("diagonal");
  return dispatch(spec, walk);
}

constexpr GpuKernel movement_list[] = {
    {.row = {.name = "view", .family = Family::view, .in_place = 0b01}, .dispatches = dispatch_view},
    {.row = {.name = "concat", .op = "concat", .layouts = LayoutRule::uniform}, .dispatches = dispatch_concat},
    {.row = {.name = "expand", .op = "expand"}, .dispatches = dispatch_expand},
    {.row = {.name = "pad", .op = "pad"}, .dispatches = dispatch_pad},
    {.row = {.name = "reverse", .op = "reverse"}, .dispatches = dispatch_reverse},
    {.row = {.name = "slice", .op = "slice", .layouts = LayoutRule::uniform}, .dispatches = dispatch_slice},
    {.row = {.name = "split", .op = "split", .layouts = LayoutRule::uniform}, .dispatches = dispatch_split},
    {.row = {.name = "tile", .op = "tile"}, .dispatches = dispatch_tile},
    {.row = {.name = "reorder", .op = "@reorder", .types = whole_bytes, .layouts = LayoutRule::any},
     .dispatches = dispatch_reorder},
    {.row = {.name = "transpose", .op = "transpose", .layouts = LayoutRule::any}, .dispatches = dispatch_transpose},
    {.row = {.name = "transpose.tiled",
             .op = "transpose",
             .types = whole_bytes,
             .can = changes_fastest_axis,
             .factor = 0.5,
             .scale = tiles_of_transpose},
     .dispatches = dispatch_tiled_transpose},
    {.row = {.name = "triangular", .op = "triangular", .in_place = 0b01}, .dispatches = dispatch_triangular},
};
extern constexpr GpuKernels movement_kernels(movement_list);

}  // namespace webnn::runtime::vulkan
