// Operators that move elements unchanged. Each is a walk with other strides, or with a rule for positions outside of
// the operand (shaders/copy.comp).
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

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

Dispatch dispatch(const KernelSpec& spec, const Walk& walk, std::size_t input = 0, std::size_t output = 0) {
  const std::size_t count = element_count(walk.shape);
  return DispatchMaker(shaders::copy(), {element_bytes(spec.outputs[output].type), std::uint32_t(walk.mode)})
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
      .over(count);
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
  const std::uint32_t word = bytes % 4 == 0 ? 4 : 1;
  Walk walk = walk_over(Shape{std::uint32_t(bytes / word)}, {1});
  return DispatchMaker(shaders::copy(), {word, std::uint32_t(walk.mode)})
      .input(spec, 0)
      .output(spec)
      .word(bytes / word)
      .word(1)
      .shape(walk.shape)
      .strides(walk.source)
      .strides(walk.target)
      .word(0)
      .word(0)
      .shape({})
      .strides({})
      .word(0)
      .word(0)
      .wide(0)
      .over(bytes / word);
}

Dispatches dispatch_concat(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Strides target = row_major_strides(spec.outputs[0].shape);
  Parts parts{call.u32("axis")};
  Dispatches list;
  for (std::size_t i = 0; i < call.operands().size(); ++i) {
    const Shape& shape = call.operands()[i]->shape;
    Walk walk;
    walk.shape = shape;
    walk.source = row_major_strides(shape);
    walk.target = target;
    walk.target_start = parts.next(shape, target);
    list.dispatches.push_back(dispatch(spec, walk, i));
    list.dispatches.back().accesses.back().apart = true;  // the dispatches write different elements of one result
  }
  return list;
}

Dispatches dispatch_split(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Strides source = row_major_strides(call.shape(0));
  Parts parts{call.u32("axis")};
  Dispatches list;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) {
    Walk walk = walk_over(spec.outputs[i].shape, source);
    walk.source_start = parts.next(walk.shape, source);
    list.dispatches.push_back(dispatch(spec, walk, 0, i));
  }
  return list;
}

Dispatches dispatch_expand(const KernelSpec& spec) {
  const Shape& shape = spec.outputs[0].shape;
  return dispatch(spec, walk_over(shape, broadcast_strides(spec.inputs[0]->shape, shape)));
}

Dispatches dispatch_transpose(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Strides own = row_major_strides(call.shape(0));
  const auto permutation = call.u32_list("permutation");
  Strides source{};
  for (std::size_t i = 0; i < permutation.size(); ++i) source[i] = own[permutation[i]];
  return dispatch(spec, walk_over(spec.outputs[0].shape, source));
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
  Walk walk = walk_over(spec.outputs[0].shape, row_major_strides(call.shape(0)));
  for (unsigned axis = 0; axis < walk.shape.rank(); ++axis) {
    walk.source_start += walk.source[axis] * starts[axis];
    walk.source[axis] *= steps[axis];
  }
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
    {.row = {.name = "concat", .op = "concat"}, .dispatches = dispatch_concat},
    {.row = {.name = "expand", .op = "expand"}, .dispatches = dispatch_expand},
    {.row = {.name = "pad", .op = "pad"}, .dispatches = dispatch_pad},
    {.row = {.name = "reverse", .op = "reverse"}, .dispatches = dispatch_reverse},
    {.row = {.name = "slice", .op = "slice"}, .dispatches = dispatch_slice},
    {.row = {.name = "split", .op = "split"}, .dispatches = dispatch_split},
    {.row = {.name = "tile", .op = "tile"}, .dispatches = dispatch_tile},
    {.row = {.name = "transpose", .op = "transpose"}, .dispatches = dispatch_transpose},
    {.row = {.name = "triangular", .op = "triangular", .in_place = 0b01}, .dispatches = dispatch_triangular},
};
extern constexpr GpuKernels movement_kernels(movement_list);

}  // namespace webnn::runtime::vulkan
