// conv2d of a row-major float32 image with few channels, whose result is channels-last: the first convolution of a network,
// which therefore needs no reorder. Each row of the output is a product of two matrices. Its rows are the pixels; what
// their windows see is in lines of the image, which are copied once, with padding. Padding counts as zeros if all
// weights are finite; otherwise its products are left out.
#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "schema/kernels/line_window.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::simd {
namespace {

/// With more channels, a direct convolution after a reorder is as fast, and tiles are faster.
constexpr std::uint32_t most_channels = 8;
/// Rounding errors of a first layer go through all others: with 27 products in a row the trained squeezenet1.1 has 1.43
/// times the error of ONNX Runtime, with two blocks 0.92 times.
constexpr std::size_t products_of_block = 16;

ProductWindows windows_of(const SpecCall& call, const Shape& output) {
  const auto [vertical, horizontal] = sliding_windows(call, output);
  return {vertical, horizontal, call.shape(1)[1], true};
}

/// The filter is [columns, channels, window rows, window columns].
PanelProduct planar_product(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &filter = call.shape(1), &output = spec.outputs[0].shape;
  PanelProduct product{"planar", {}};
  product.windows = windows_of(call, output);
  product.block = products_of_block;
  const std::size_t taps = product.windows->taps(), depth = product.windows->depth();
  product.sizes = {std::size_t(output[0]) * output[2] * output[3], taps, depth, filter[0], depth, 1, taps * depth};
  product.line = output[3];
  if (call.has_operand(2)) product.bias = 2;
  return product;
}

Kernel prepare_conv2d_planar(const KernelSpec& spec, Constants constants, Isa isa) {
  return planar_product(spec).prepare(spec, constants, isa);
}

std::optional<PackedConstant> pack_conv2d_planar(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes,
                                                 Isa isa) {
  return planar_product(spec).pack(bytes, isa);
}

/// conv2d without groups and horizontal dilation.
bool takes_planar(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  const std::uint32_t channels = call.shape(1)[1];
  const ProductWindows windows = windows_of(call, spec.outputs[0].shape);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         channels <= most_channels && are_moderate({windows.vertical, windows.horizontal}, channels) &&
         SeenRows::has_room_for(windows) && may_be_packed(spec, 1);
}

/// With large windows a reorder costs little, and sums of several blocks take longer than the library's. With AVX2, whose
/// register blocks are small, it was slower in mobilenet_v2.
double scale_of_window(const KernelSpec& spec, const Target& target) {
  const SpecCall call(spec);
  const ProductWindows windows = windows_of(call, spec.outputs[0].shape);
  constexpr std::size_t most_products = 4 * products_of_block;
  const bool is_fast = includes(target.features, Feature::avx512) && windows.taps() * windows.depth() <= most_products;
  return is_fast ? 1 : slower_than_libraries;
}

}  // namespace

constexpr SimdKernel conv2d_planar_list[] = {
    {.row = {.name = "conv2d.planar",
             .op = "conv2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::to_channels_last,
             .packs = 0b10,
             .constants = 0b10,
             .can = takes_planar,
             .can_apply = elementwise_post_ops,
             .by_lines = any_lines,
             .factor = 0.95,
             .scale = scale_of_window},
     .drops_subnormals = true,
     .prepare = prepare_conv2d_planar,
     .pack = pack_conv2d_planar},
};
extern constexpr SimdKernels conv2d_planar_kernels(conv2d_planar_list);

}  // namespace webnn::runtime::simd
