// Products of matrices with a packed right side: what pointwise and direct convolutions, gemm and matmul have in common.
//
//   y[row][column] = bias[column] + sum over taps t and k of a[t][row][k] * b[t][k][column], clamped
//
// A matrix product and a pointwise convolution have one tap; a convolution has one for each element of its window, and
// the rows of a tap are the pixels that it sees. `b` is packed in panels of a few vectors of columns.
//
// Sums are added up in blocks (sum_blocks.inl.hpp). Large matrices are also cut into chunks for the caches.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/product/tile_product.hpp"
#include "runtime/cpu/simd/product/window_rows.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"

namespace webnn::runtime::simd {

/// Neighbouring columns whose sums are computed together. The packed matrix pads them to whole vectors, or to half a
/// vector: [taps][depth][filled], or, of pairs of products, [taps][depth / 2][filled][2].
struct ProductPanel {
  std::size_t column = 0, columns = 0;  // the first one, and their number
  std::size_t filled = 0;               // number including padding
};

/// Rows whose products with all panels are computed one panel after another. Row i of tap t is at addresses[t *
/// address_step + i], or, if address_step is 0, at addresses[0] + t * tap_step + i * row_step.
struct PanelRun {
  std::size_t rows = 0;
  std::size_t taps = 1, depth = 1, columns = 1;
  std::size_t chunk = 1;       // taps that are summed together for all rows; of a single tap: of its depth
  std::size_t block = 1;       // the most products that are added up in a row (sum_blocks.inl.hpp)
  std::size_t in_line = 1;     // products of a line of a panel: 1, or 2 of an even depth
  std::size_t tile_chunk = 1;  // products that tiles sum together for all rows
  void (*multiply)(const PanelRun&) = nullptr;  // with vectors, what tiles cannot
  const ProductPanel* panels = nullptr;         // [panel_count]
  std::size_t panel_count = 0;
  const float* const* addresses = nullptr;
  std::size_t address_step = 0, tap_step = 0, row_step = 0;
  const float* left_out = nullptr;  // rows at this address are left out; null: none is
  const float* b = nullptr;         // packed: one panel after another
  const float* bias = nullptr;      // [columns]; null: none
  float low = 0, high = 0;          // the output is clamped to [low, high]
  float* y = nullptr;               // [rows][columns]
};

/// The vector code for one instruction set.
struct PanelFunctions {
  std::size_t lanes;    // columns of a vector
  std::size_t half;     // columns of a panel of half a vector; `lanes` when vectors are not halved
  std::size_t vectors;  // maximum number of vectors of a panel
  void (*multiply)(const PanelRun& run);
  JoinLines* join;
  MultiplyTiles* tiles = nullptr;  // where there are units for them
};

/// The sizes of a product, and where its right side has its elements: strides in elements.
struct ProductSizes {
  std::size_t rows = 1, taps = 1, depth = 1, columns = 1;
  std::size_t tap_step = 0, depth_step = 0, column_step = 0;
};

/// A kernel that computes such a product and the spec's post-ops. Operand 0 is `a`, operand 1 the right side; `bias` is
/// an operand, and the first `applied` post-ops are that bias.
struct PanelProduct {
  std::string_view kind;
  ProductSizes sizes;
  std::optional<ProductWindows> windows = {};  // without: rows of the left side follow one another
  std::size_t block = 64;                      // the most products that are added up in a row
  std::size_t line = 0;                        // rows of a line of the output; 0: it has no lines
  std::optional<std::size_t> bias = {};
  std::size_t applied = 0;
  /// Brings together the rows in scratch memory before a run, if that is needed: copies from operand 0.
  std::vector<StridedCopy> gathers = {};

  Kernel prepare(const KernelSpec& spec, Constants constants, Isa isa) const;
  /// The right side, packed for an instruction set. `kind` begins the name of the form.
  PackedConstant pack(std::span<const std::byte> matrix, Isa isa) const;

  /// Whether units for tiles can compute it, see tile_product.hpp.
  bool fits_tiles() const;
  /// The time that they take for it as a multiple of what panels of vectors take.
  double scale_of_tiles() const;
};

/// The same kernel with units that multiply tiles, for the calls whose product fits these too.
template <bool (*takes)(const KernelSpec&), PanelProduct (*product_of)(const KernelSpec&)>
constexpr SimdKernel in_tiles(SimdKernel kernel) {
  kernel.needs = Needs::tiles;
  kernel.row.can = [](const KernelSpec& spec) { return takes(spec) && product_of(spec).fits_tiles(); };
  kernel.row.scale = [](const KernelSpec& spec, const Target&) { return product_of(spec).scale_of_tiles(); };
  return kernel;
}

}  // namespace webnn::runtime::simd
