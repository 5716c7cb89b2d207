// conv2d of channels-last float32 with windows of any size: for each element of the window a product of two matrices,
// of the pixels that it sees and the channels. The pixels are read in place, by their addresses. Padding counts as
// zeros if all weights are finite; otherwise its products are left out.
#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "schema/kernels/line_window.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::simd {
namespace {

/// The most elements of a window.
constexpr std::uint32_t most_taps = 256;

/// The filter is [columns, depth, window rows, window columns].
PanelProduct direct_product(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &filter = call.shape(1), &output = spec.outputs[0].shape;
  const std::size_t taps = std::size_t(filter[2]) * filter[3], depth = filter[1];
  PanelProduct product{"direct", {}};
  product.sizes = {std::size_t(output[0]) * output[2] * output[3], taps, depth, filter[0], 1, taps, taps * depth};
  const auto [vertical, horizontal] = sliding_windows(call, output);
  product.windows = ProductWindows{vertical, horizontal, depth};
  product.line = output[3];
  if (call.has_operand(2)) product.bias = 2;
  return product;
}

Kernel prepare_conv2d_direct(const KernelSpec& spec, Constants constants, Isa isa) {
  return direct_product(spec).prepare(spec, constants, isa);
}

std::optional<PackedConstant> pack_conv2d_direct(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes,
                                                 Isa isa) {
  return direct_product(spec).pack(bytes, isa);
}

/// conv2d without groups.
bool takes_direct(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] <= most_taps && filter[3] <= most_taps && filter[2] * filter[3] <= most_taps &&
         are_moderate(sliding_windows(call, spec.outputs[0].shape), filter[1]) && may_be_packed(spec, 1);
}

/// With few channels, the addresses of pixels take longer than their products.
double scale_of_depth(const KernelSpec& spec, const Target&) {
  constexpr std::uint32_t fewest = 12;
  return spec.inputs[1]->shape[1] < fewest ? slower_than_libraries : 1;
}

}  // namespace

constexpr SimdKernel conv2d_direct{.row = {.name = "conv2d.direct",
                                           .op = "conv2d",
                                           .types = {DataType::float32},
                                           .layouts = LayoutRule::channels_last,
                                           .packs = 0b10,
                                           .constants = 0b10,
                                           .can = takes_direct,
                                           .can_apply = elementwise_post_ops,
                                           .by_lines = any_lines,
                                           .factor = 1.05,
                                           .scale = scale_of_depth},
                                   .drops_subnormals = true,
                                   .prepare = prepare_conv2d_direct,
                                   .pack = pack_conv2d_direct};
constexpr SimdKernel conv2d_direct_list[] = {in_tiles<takes_direct, direct_product>(conv2d_direct), conv2d_direct};
extern constexpr SimdKernels conv2d_direct_kernels(conv2d_direct_list);

}  // namespace webnn::runtime::simd
