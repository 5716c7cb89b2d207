// Pointwise (1x1) conv2d of channels-last float32: a product of two matrices, pixels by channels and channels by
// channels, which are already in memory in that order. With strides, the pixels that windows see are gathered first.
#include <vector>

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// The copies that bring together the pixels that strided windows see; none when the windows see all pixels.
std::vector<StridedCopy> copies_of_seen_pixels(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto strides = call.u32_list("strides");
  if (strides[0] == 1 && strides[1] == 1) return {};
  constexpr std::int64_t element = sizeof(float);
  const std::int64_t pixel = input[1] * element, row = input[3] * pixel;
  const auto step = [&](unsigned axis) { return output[axis] > 1 ? strides[axis - 2] : 0; };  // unused: any value
  return {StridedCopy({{output[0], input[2] * row, output[2] * output[3] * pixel},
                       {output[2], step(2) * row, output[3] * pixel},
                       {output[3], step(3) * pixel, pixel},
                       {input[1], element, element}},
                      sizeof(float), 0, 0)};
}

/// The filter is [columns, depth, 1, 1].
PanelProduct pointwise_product(const KernelSpec& spec) {
  const Shape &filter = spec.inputs[1]->shape, &output = spec.outputs[0].shape;
  PanelProduct product{"pointwise", {}};
  product.sizes = {std::size_t(output[0]) * output[2] * output[3], 1, filter[1], filter[0], 0, 1, filter[1]};
  product.line = output[3];
  if (spec.inputs[2]) product.bias = 2;
  return product;
}

Kernel prepare_conv2d_pointwise(const KernelSpec& spec, Constants constants, Isa isa) {
  PanelProduct product = pointwise_product(spec);
  product.gathers = copies_of_seen_pixels(spec);
  return product.prepare(spec, constants, isa);
}

std::optional<PackedConstant> pack_conv2d_pointwise(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes, Isa isa) {
  return pointwise_product(spec).pack(bytes, isa);
}

/// conv2d with 1x1 windows, without padding and groups.
bool takes_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 1 && filter[3] == 1 && all_are(call, "padding", 0) && may_be_packed(spec, 1);
}

/// With strides, the pixels of all lines are gathered first; without a constant filter, each band would pack it.
bool computes_lines(const KernelSpec& spec) {
  return all_are(SpecCall(spec), "strides", 1) && has_constant_filter(spec);
}

}  // namespace

constexpr SimdKernel conv2d_pointwise{.row = {.name = "conv2d.pointwise",
                                              .op = "conv2d",
                                              .types = {DataType::float32},
                                              .layouts = LayoutRule::channels_last,
                                              .packs = 0b10,
                                              .can = takes_pointwise,
                                              .can_apply = elementwise_post_ops,
                                              .by_lines = computes_lines,
                                              .factor = 0.9},
                                      .drops_subnormals = true,
                                      .prepare = prepare_conv2d_pointwise,
                                      .pack = pack_conv2d_pointwise};
constexpr SimdKernel conv2d_pointwise_list[] = {in_tiles<takes_pointwise, pointwise_product>(conv2d_pointwise),
                                                conv2d_pointwise};
extern constexpr SimdKernels conv2d_pointwise_kernels(conv2d_pointwise_list);

}  // namespace webnn::runtime::simd
