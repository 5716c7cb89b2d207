// Movement by indices. A scatter first finds the last update of each position and then writes, so that its result does
// not depend on the order of invocations.
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

enum class GatherMode : std::uint32_t { gather, gather_elements, gather_nd };
enum class Pass : std::uint32_t { clear, mark, write };

/// How many neighbours are moved together, where each index moves `inner` of them: at most 16 bytes.
std::uint32_t elements_together(const KernelSpec& spec, std::uint64_t inner) {
  std::uint32_t together = 16 / element_bytes(spec.outputs[0].type);
  while (inner % together != 0) together /= 2;
  return together;
}

/// A gather in units of so many elements.
DispatchMaker gather_maker(const KernelSpec& spec, GatherMode mode, std::uint32_t together = 1) {
  DispatchMaker maker(shaders::gather(),
                      {element_bytes(spec.outputs[0].type) * together, code(spec.inputs[1]->type), std::uint32_t(mode)},
                      DispatchMaker::large_group);
  maker.input(spec, 0).input(spec, 1).output(spec).word(element_count(spec.outputs[0].shape) / together);
  return maker;
}

/// Strides along all axes except `axis`, whose position comes from the indices.
Strides other_strides(const Shape& shape, std::uint32_t axis) {
  Strides strides = row_major_strides(shape);
  strides[axis] = 0;
  return strides;
}

/// What gatherND and scatterND address: each row of indices fixes the first `depth` axes of the operand.
struct Slices {
  unsigned depth;
  std::uint64_t inner = 1, count = 1;  // elements of a slice; rows of indices
  Shape outer;
  Strides strides;  // in slices

  explicit Slices(const OperatorCall& call) : depth(call.shape(1)[call.shape(1).rank() - 1]) {
    const Shape& shape = call.shape(0);
    outer = Shape(shape.sizes().first(depth));
    strides = row_major_strides(outer);
    for (unsigned axis = depth; axis < shape.rank(); ++axis) inner *= shape[axis];
    count = element_count(call.shape(1)) / depth;
  }
};

/// How a scatter finds the position of an update.
struct Places {
  bool elements;
  std::uint64_t places, updates;
  std::uint32_t size;
  std::uint64_t inner, axis_stride;
  unsigned rank;
  Shape shape;
  Strides strides;
};

Dispatches dispatch_scatter(const KernelSpec& spec, const Places& places) {
  const std::uint32_t bytes = element_bytes(spec.outputs[0].type);
  const std::uint32_t together = elements_together(spec, places.inner);
  const std::uint64_t scratch_bytes = places.places * sizeof(std::uint32_t);
  const auto pass = [&](Pass which, std::uint64_t count) {
    DispatchMaker maker(shaders::scatter(),
                        {bytes * together, code(spec.inputs[1]->type), std::uint32_t(which), places.elements},
                        DispatchMaker::large_group);
    const KernelSpec none{};
    const KernelSpec& written = which == Pass::write ? spec : none;
    return maker.input(written, 0)
        .input(which == Pass::mark ? spec : none, 1)
        .input(written, 2)
        .scratch(0, scratch_bytes, which != Pass::clear, which != Pass::write)
        .output(written)
        .word(count)
        .word(places.size)
        .word(places.inner / together)
        .word(places.axis_stride)
        .word(places.rank)
        .shape(places.shape)
        .strides(places.strides)
        .over_units(count);
  };
  Dispatches list;
  list.scratch_bytes = scratch_bytes;
  list.dispatches.push_back(pass(Pass::clear, places.places));
  list.dispatches.push_back(pass(Pass::mark, places.updates));
  list.dispatches.push_back(pass(Pass::write, element_count(spec.outputs[0].shape) / together));
  return list;
}

}  // namespace

Dispatches dispatch_gather(const KernelSpec& spec) {
  const SpecCall call(spec);
  const AxisView view = view_along(call.shape(0), call.u32("axis"));
  const std::uint32_t together = elements_together(spec, view.inner);
  return gather_maker(spec, GatherMode::gather, together)
      .word(view.size)
      .word(view.inner / together)
      .word(element_count(call.shape(1)))
      .word(0)
      .shape({})
      .strides({})
      .over_units(element_count(spec.outputs[0].shape) / together);
}

Dispatches dispatch_gather_elements(const KernelSpec& spec) {
  const SpecCall call(spec);
  const std::uint32_t axis = call.u32("axis");
  return gather_maker(spec, GatherMode::gather_elements)
      .word(call.shape(0)[axis])
      .word(std::uint64_t(row_major_strides(call.shape(0))[axis]))
      .word(0)
      .word(call.shape(1).rank())
      .shape(call.shape(1))
      .strides(other_strides(call.shape(0), axis))
      .over_units(element_count(spec.outputs[0].shape));
}

Dispatches dispatch_gather_nd(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Slices slices(call);
  const std::uint32_t together = elements_together(spec, slices.inner);
  Strides strides = slices.strides;
  for (std::int64_t& stride : strides) stride *= std::int64_t(slices.inner / together);
  return gather_maker(spec, GatherMode::gather_nd, together)
      .word(0)
      .word(slices.inner / together)
      .word(0)
      .word(slices.depth)
      .shape(slices.outer)
      .strides(strides)
      .over_units(element_count(spec.outputs[0].shape) / together);
}

Dispatches dispatch_scatter_elements(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& shape = call.shape(0);
  const std::uint32_t axis = call.u32("axis");
  return dispatch_scatter(
      spec, {true, element_count(shape), element_count(call.shape(1)), shape[axis], 1,
             std::uint64_t(row_major_strides(shape)[axis]), shape.rank(), call.shape(1), other_strides(shape, axis)});
}

Dispatches dispatch_scatter_nd(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Slices slices(call);
  return dispatch_scatter(spec, {false, element_count(slices.outer), slices.count, 0, slices.inner, 0, slices.depth,
                                 slices.outer, slices.strides});
}

constexpr GpuKernel indexed_list[] = {
    {.row = {.name = "gather", .op = "gather"}, .dispatches = dispatch_gather},
    {.row = {.name = "gatherElements", .op = "gatherElements"}, .dispatches = dispatch_gather_elements},
    {.row = {.name = "gatherND", .op = "gatherND"}, .dispatches = dispatch_gather_nd},
    {.row = {.name = "scatterElements", .op = "scatterElements", .in_place = 0b01},
     .dispatches = dispatch_scatter_elements},
    {.row = {.name = "scatterND", .op = "scatterND", .in_place = 0b01}, .dispatches = dispatch_scatter_nd},
};
extern constexpr GpuKernels indexed_kernels(indexed_list);

}  // namespace webnn::runtime::vulkan
