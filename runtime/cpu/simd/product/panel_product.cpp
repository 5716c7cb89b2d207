// Packs the matrix and prepares the kernel; see the header.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/product/panel_product.inl.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/panel_runner.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

PanelFunctions functions(Isa isa) {
  PanelFunctions code = VECTOR_CODE(vectors_of(isa), panel_product::functions)();
  code.tiles = tile_multiplication(isa);
  if (code.tiles != nullptr) {
    code.vectors = tile_columns / code.lanes;
    code.half = code.lanes;
  }
  return code;
}

/// Divides the vectors into as few panels as possible, of nearly equal size. A rest that fits in half a vector takes half
/// a vector of the last one.
CountedVector<ProductPanel> panels_of(std::size_t columns, const PanelFunctions& code) {
  const std::size_t vectors = div_up(columns, code.lanes);
  const std::size_t filled = round_up(columns, code.half);
  const std::size_t count = div_up(vectors, code.vectors);
  CountedVector<ProductPanel> panels;
  for (std::size_t panel = 0; panel < count; ++panel) {
    const std::size_t from = vectors * panel / count * code.lanes, to = vectors * (panel + 1) / count * code.lanes;
    panels.push_back({from, std::min(to, columns) - from, std::min(to, filled) - from});
  }
  return panels;
}

/// The lines of panels: how many, and where their products are in the right side, in elements.
struct PanelLines {
  std::size_t taps = 1, of_tap = 1, products = 1;  // products of a line
  std::size_t tap_step = 0, step = 0, product_step = 0;
  bool last_is_half = false;  // the second products of the last tap's lines are missing

  std::size_t elements(std::size_t columns) const { return taps * of_tap * products * columns; }
};

/// With at most one vector of columns in a panel a line has two products, because pairs take half the loads: two
/// neighbours, or on planar images those of two lines of the image. There padding is zeros, so weights must be finite.
PanelLines lines_of(const PanelProduct& product, const PanelFunctions& code, bool are_weights_finite) {
  const ProductSizes& sizes = product.sizes;
  const bool is_planar = product.windows && product.windows->is_planar;
  const std::size_t second = is_planar ? sizes.tap_step : sizes.depth_step;
  const bool are_panels_narrow = sizes.columns <= code.lanes || code.tiles != nullptr;
  const bool has_pairs = are_panels_narrow && (is_planar ? are_weights_finite : sizes.depth % 2 == 0);
  if (!has_pairs) return {sizes.taps, sizes.depth, 1, sizes.tap_step, sizes.depth_step};
  if (!is_planar) return {sizes.taps, sizes.depth / 2, 2, sizes.tap_step, 2 * second, second};
  return {div_up(sizes.taps, 2), sizes.depth, 2, 2 * sizes.tap_step, sizes.depth_step, second, sizes.taps % 2 != 0};
}

Packing<float> packing_of_panels(std::string_view kind, const ProductSizes& sizes, const PanelLines& lines,
                                 const PanelFunctions& code) {
  const auto text = [](std::size_t number) { return std::to_string(number); };
  Packing<float> packing;
  packing.form = std::string(kind) + ":" + text(sizes.taps) + "x" + text(sizes.depth) + "x" + text(sizes.columns) +
                 (sizes.column_step == 1 ? ":" : "t:") + (lines.products == 2 ? "2x" : "") + text(code.lanes) + "+" +
                 text(code.half) + "x" + text(code.vectors);
  const CountedVector<ProductPanel> panels = panels_of(sizes.columns, code);
  std::vector<StridedCopy> copies;
  constexpr std::size_t most_axes = 3;
  const auto charge = std::make_shared<const MemoryCharge>(panels.size() * lines.products *
                                                           (sizeof(StridedCopy) + most_axes * sizeof(CopyAxis)));
  std::size_t padded = 0;  // where the panels that have padding begin: they are the last ones
  const auto bytes = [](std::size_t elements) { return std::int64_t(elements * sizeof(float)); };
  // Products of a line that are neighbours in the right side, too, are copied together.
  const bool are_neighbours = lines.products == 2 && lines.product_step == 1 && !lines.last_is_half;
  const std::size_t together = are_neighbours ? 2 : 1;
  for (const ProductPanel& panel : panels) {
    const std::size_t line = lines.products * panel.filled;
    for (std::size_t i = 0; i < lines.products; i += together) {
      const std::size_t taps = lines.taps - (lines.last_is_half && i > 0 ? 1 : 0);
      if (taps == 0) continue;
      copies.emplace_back(
          std::vector<CopyAxis>{{std::int64_t(taps), bytes(lines.tap_step), bytes(lines.of_tap * line)},
                                {std::int64_t(lines.of_tap), bytes(lines.step), bytes(line)},
                                {std::int64_t(panel.columns), bytes(sizes.column_step), bytes(lines.products)}},
          together * sizeof(float), bytes(panel.column * sizes.column_step + i * lines.product_step),
          bytes(packing.elements + i));
    }
    packing.elements += lines.elements(panel.filled);
    if (panel.columns == panel.filled && !lines.last_is_half) padded = packing.elements;
  }
  packing.write = [copies = std::move(copies), charge, padded, elements = packing.elements](const float* from,
                                                                                            float* to) {
    std::fill(to + padded, to + elements, 0.0f);
    run_copies(
        copies, [&](std::size_t) { return reinterpret_cast<const std::byte*>(from); },
        [&](std::size_t) { return reinterpret_cast<std::byte*>(to); });
  };
  return packing;
}

}  // namespace

PackedConstant PanelProduct::pack(std::span<const std::byte> matrix, Isa isa) const {
  const PanelFunctions code = functions(isa);
  return packing_of_panels(kind, sizes, lines_of(*this, code, are_finite(matrix)), code).pack(matrix);
}

bool PanelProduct::fits_tiles() const {
  constexpr std::size_t fewest = 16;  // of rows and columns, for which splitting takes as long as vectors do
  return sizes.depth % 2 == 0 && sizes.rows >= fewest && sizes.columns >= fewest &&
         (!windows || (!windows->is_planar && sizes.taps <= SeenRows::most_addresses));
}

/// The products in whole steps, splitting the right side for each strip of rows, the left side once, and the sums.
double PanelProduct::scale_of_tiles() const {
  constexpr double product = 0.52, right = 16, left = 25, sum = 12, step = products_of_tile;
  const double products = double(sizes.taps * sizes.depth);
  return product * std::ceil(products / step) * step / products + right / double(sizes.rows) +
         left / double(sizes.columns) + sum / products;
}

Kernel PanelProduct::prepare(const KernelSpec& spec, Constants constants, Isa isa) const {
  const PanelFunctions code = functions(isa);
  const OutputLimits limits = limits_of_post_op(spec, applied);
  CountedVector<ProductPanel> panels = panels_of(sizes.columns, code);
  const bool are_weights_finite = windows && are_finite(constants[1]);
  const PanelLines lines = lines_of(*this, code, are_weights_finite);
  const bool skips_padding = windows && !are_weights_finite;  // a product with zero may be NaN
  ScratchLayout scratch;
  PackedOperand<float> b(packing_of_panels(kind, sizes, lines, code), spec, 1, constants, scratch);
  PanelRunner runner{
      .sizes = sizes,
      .windows = windows,
      .blocking = code.tiles != nullptr ? blocking_of_tiles(*this) : blocking_of_vectors(*this, panels[0].filled),
      .panels = std::move(panels),
      .b = std::move(b),
      .bias = bias,
      .gathers = gathers,
      .gathered_at = scratch.add(gathers.empty() ? 0 : sizes.rows * sizes.depth * sizeof(float)),
      .join = code.join,
      .tiles = skips_padding || lines.products != 2 ? nullptr : code.tiles,
      .zeros = std::vector<float>(windows ? sizes.depth : 0),
      .skips_padding = skips_padding,
      .epilogue = Epilogue::of(spec, constants, vectors_of(isa), applied + limits.post_ops)};
  if (runner.windows && runner.windows->is_planar) runner.windows->lines_of_tap = lines.products;
  if (runner.tiles != nullptr) {
    const std::size_t strip = std::min(runner.blocking.strip, sizes.rows);
    runner.splits = scratch.add_places(std::max(team_size(), 1u), tile_scratch(strip, runner.blocking.tile_chunk));
  }
  runner.whole.taps = sizes.taps;
  runner.whole.depth = sizes.depth;
  runner.whole.columns = sizes.columns;
  runner.whole.chunk = runner.blocking.chunk;
  runner.whole.tile_chunk = runner.blocking.tile_chunk;
  runner.whole.multiply = code.multiply;
  runner.whole.block = block;
  runner.whole.in_line = lines.products;
  runner.whole.low = limits.low;
  runner.whole.high = limits.high;

  const auto shared = std::make_shared<const PanelRunner>(std::move(runner));
  if (line == 0 || !gathers.empty())
    return kernel_of([=, rows = sizes.rows](const KernelArguments& arguments) { shared->run(arguments, 0, rows); },
                     scratch);
  const auto run_lines = [=, line = line](const KernelArguments& arguments, std::size_t begin, std::size_t end) {
    shared->run(arguments, begin * line, end * line);
  };
  return kernel_of_lines(run_lines, sizes.rows / line, scratch);
}

}  // namespace webnn::runtime::simd
