// Pointwise (1x1) conv2d of channels-last float32: a product of two matrices, pixels by channels and channels by
// channels, which are already in memory in that order. With few channels, where there is little arithmetic for each
// number written, it is faster than a general matrix product: sums start with the bias and are clamped and written from
// registers, and other post-ops follow while the pixels are in the L1 cache.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/convolution/conv2d_pointwise.inl.hpp"
#include "runtime/cpu/simd/convolution/conv2d_pointwise.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "runtime/core_caches.hpp"
#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// Bytes of the output that are computed before their post-ops follow: few enough for the cache, and enough to be worth
/// the call.
constexpr std::size_t portion_bytes = 48 * 1024;

/// The number of pixels that a thread must have to read the whole filter for them.
constexpr std::size_t fewest_rows = 8;

struct Sizes {
  std::size_t rows = 1, depth = 1, columns = 1;
};

Sizes sizes_of(const KernelSpec& spec) {
  const Shape &filter = spec.inputs[1]->shape, &output = spec.outputs[0].shape;
  return {std::size_t(output[0]) * output[2] * output[3], filter[1], filter[0]};
}

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

PointwiseFunctions functions(Isa isa) { return VECTOR_CODE(isa, pointwise::functions)(); }

/// Divides the vectors into as few panels as possible, of nearly equal size. A rest that fits in half a vector is a
/// panel of its own.
std::vector<PointwisePanel> panels_of(std::size_t columns, const PointwiseFunctions& code) {
  const std::size_t rest = columns % code.lanes, half = rest != 0 && rest <= code.half && code.half < code.lanes;
  const std::size_t vectors = columns / code.lanes + (rest != 0 && half == 0), wide = vectors * code.lanes;
  const std::size_t count = (vectors + code.vectors - 1) / code.vectors;
  std::vector<PointwisePanel> panels;
  for (std::size_t panel = 0; panel < count; ++panel) {
    const std::size_t from = vectors * panel / count * code.lanes, to = vectors * (panel + 1) / count * code.lanes;
    panels.push_back({from, std::min(to, columns) - from, to - from});
  }
  if (half != 0) panels.push_back({wide, rest, code.half});
  return panels;
}

/// From [columns, depth, 1, 1] to panels.
Packing<float> packing_of(const Sizes& sizes, const std::vector<PointwisePanel>& panels) {
  Packing<float> packing;
  packing.form = "pointwise:" + std::to_string(sizes.depth);
  for (const PointwisePanel& panel : panels) {
    packing.form += "," + std::to_string(panel.columns) + "/" + std::to_string(panel.filled);
    packing.elements += sizes.depth * panel.filled;
  }
  packing.write = [=](const float* from, float* to) {
    for (const PointwisePanel& panel : panels)
      for (std::size_t k = 0; k < sizes.depth; ++k)
        for (std::size_t i = 0; i < panel.filled; ++i)
          *to++ = i < panel.columns ? from[(panel.column + i) * sizes.depth + k] : 0.0f;
  };
  return packing;
}

}  // namespace

Kernel prepare_conv2d_pointwise(const KernelSpec& spec, Constants constants, Isa isa) {
  const Sizes sizes = sizes_of(spec);
  const PointwiseFunctions code = functions(isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  const std::size_t portion =
      std::max<std::size_t>(portion_bytes / sizeof(float) / sizes.columns / code.rows, 1) * code.rows;
  // A strip's input stays in the L2 cache besides a panel, which is read once for all of its rows.
  const std::size_t strip =
      std::max<std::size_t>(core_caches().l2 / 4 / sizeof(float) / sizes.depth / code.rows, 1) * code.rows;
  ScratchLayout scratch;
  std::vector<PointwisePanel> panels = panels_of(sizes.columns, code);
  PackedOperand<float> filter(packing_of(sizes, panels), spec, 1, constants, scratch);

  const std::vector<StridedCopy> copies = copies_of_seen_pixels(spec);
  const std::size_t seen_at = scratch.add(copies.empty() ? 0 : sizes.rows * sizes.depth * sizeof(float));

  auto convolve = [=, panels = std::move(panels), filter = std::move(filter),
                   epilogue = Epilogue::of(spec, constants, isa, limits.post_ops)](const KernelArguments& arguments) {
    const std::byte* x = arguments.inputs[0];
    if (!copies.empty()) {
      std::byte* const seen = arguments.scratch + seen_at;
      run_copies(
          copies, [=](std::size_t) { return x; }, [=](std::size_t) { return seen; });
      x = seen;
    }
    PointwiseRun run;
    run.depth = sizes.depth;
    run.strip = strip;
    run.columns = sizes.columns;
    run.panels = panels.data();
    run.panel_count = panels.size();
    run.x = reinterpret_cast<const float*>(x);
    run.filter = filter.in(arguments);
    run.bias = reinterpret_cast<const float*>(arguments.inputs[2]);
    run.low = limits.low;
    run.high = limits.high;
    run.y = reinterpret_cast<float*>(arguments.outputs[0]);
    if (sizes.rows < fewest_rows * team_size()) {  // threads divide the output channels instead
      parallel_for(panels.size(), 1 + 100'000 / (sizes.rows * sizes.depth * panels[0].filled),
                   [&](std::size_t begin, std::size_t end) {
                     PointwiseRun part = run;
                     part.panels += begin;
                     part.panel_count = end - begin;
                     part.filter += sizes.depth * panels[begin].column;  // the panels before it are full
                     code.multiply(part, 0, sizes.rows);
                   });
      if (!epilogue.is_empty()) epilogue.run(arguments);
      return;
    }
    const std::size_t strips = (sizes.rows + code.rows - 1) / code.rows;
    const std::size_t grain = 1 + 100'000 / (code.rows * sizes.depth * sizes.columns);
    parallel_for(strips, grain, [&](std::size_t first_strip, std::size_t last_strip) {
      const std::size_t begin = first_strip * code.rows, end = std::min(last_strip * code.rows, sizes.rows);
      if (epilogue.is_empty()) return code.multiply(run, begin, end);
      for (std::size_t first = begin; first < end; first += portion) {
        const std::size_t last = std::min(first + portion, end);
        code.multiply(run, first, last);
        epilogue.run_part(arguments, first * sizes.columns, last * sizes.columns);
      }
    });
  };
  return {std::move(convolve), scratch.bytes()};
}

std::optional<PackedConstant> pack_conv2d_pointwise(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes, Isa isa) {
  const Sizes sizes = sizes_of(spec);
  return packing_of(sizes, panels_of(sizes.columns, functions(isa))).pack(bytes);
}

namespace {

/// conv2d with 1x1 windows, without padding and groups.
bool takes_pointwise(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const SpecCall call(spec);
  constexpr std::uint32_t growth = 16;  // maximum growth of the filter when channels are padded to a vector
  const Shape& filter = call.shape(1);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == "oihw" && call.u32("groups") == 1 &&
         filter[2] == 1 && filter[3] == 1 && all_are(call, "padding", 0) &&
         byte_length(*spec.inputs[1]) <= max_tensor_bytes / growth;
}

}  // namespace

constexpr SimdKernel conv2d_pointwise_list[] = {
    {.row = {.name = "conv2d.pointwise",
             .op = "conv2d",
             .types = {DataType::float32},
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .can = takes_pointwise,
             .can_apply = elementwise_post_ops,
             .factor = 0.9},
     .prepare = prepare_conv2d_pointwise,
     .pack = pack_conv2d_pointwise},
};
extern constexpr SimdKernels conv2d_pointwise_kernels(conv2d_pointwise_list);

}  // namespace webnn::runtime::simd
