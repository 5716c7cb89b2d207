// @blockQuantizedMatmul: products with matrices of 4-bit or 8-bit numbers, which stay that small in memory.
//
// With few rows (GEMV) the time goes into reading the matrix: its numbers become floats in registers, and the sum of
// each block is multiplied by its scale and, with 4 bits, corrected by its zero point. With more rows, a few lines of a
// panel at a time are dequantised into the L1 cache, and all rows are multiplied with them there.
//
// Sums are float32. A sum that is not finite is computed again from dequantised numbers, because factoring the scale or
// the zero point out of a sum can give a different infinity or NaN (inf - inf and inf * 0 are NaN).
//
// Threads divide the panels and, with more rows, the groups of rows.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/product/block_quantized_matmul.inl.hpp"
#include "runtime/cpu/simd/product/block_quantized_matmul.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The call as one product of two matrices, and how the second one is packed.
struct Sizes {
  std::size_t rows, depth, columns;
  std::size_t blocks, block, filled_block;  // of the inner axis; lines of a block without and with padding
  std::size_t column_blocks;                // blocks along the other axis
  unsigned bits;                            // of a number
  bool is_signed, b_transposed;
  std::string names;  // types and sizes of the operands, as part of the names of packed forms
  BlockQuantizedSizes kernel;
  std::size_t panels;

  std::size_t numbers_in_word() const { return 32 / bits; }
  bool is_filled_up() const { return filled_block != block; }
  bool has_few_rows() const { return rows <= kernel.few_rows; }
  std::size_t filled_depth() const { return blocks * filled_block; }
};

Sizes sizes_of(const KernelSpec& spec, Isa isa) {
  const SpecCall call(spec);
  const OperandDescriptor &b = call.operand(1), &scale = call.operand(2);
  Sizes sizes;
  sizes.b_transposed = call.boolean("bTranspose");
  const unsigned inner_axis = sizes.b_transposed ? 1 : 0;
  sizes.depth = b.shape[inner_axis];
  sizes.columns = b.shape[1 - inner_axis];
  sizes.rows = element_count(call.shape(0)) / sizes.depth;
  sizes.blocks = scale.shape[inner_axis];
  sizes.column_blocks = scale.shape[1 - inner_axis];
  sizes.bits = bits_of(b.type);
  sizes.is_signed = is_signed(b.type);
  sizes.block = sizes.depth / sizes.blocks;
  const std::size_t in_word = sizes.numbers_in_word();
  sizes.filled_block = round_up(sizes.block, in_word);
  sizes.kernel = VECTOR_CODE(isa, block_quantized_matmul::sizes)();
  sizes.panels = div_up(sizes.columns, sizes.kernel.panel_columns);
  sizes.names =
      b.text() + (sizes.b_transposed ? "t:" : ":") + scale.text() + ":" + std::to_string(sizes.kernel.panel_columns);
  return sizes;
}

/// The rows of a group, chosen so that the busiest thread has as little work as possible. For one thread it is the
/// kernel's maximum.
std::size_t row_group_of(const Sizes& sizes, std::size_t threads) {
  constexpr std::size_t widening = 8;  // widening a line takes about as long as multiplying it with this many rows
  if (sizes.has_few_rows()) return sizes.rows;
  std::size_t best = 0, least_work = 0;
  for (std::size_t group = sizes.kernel.most_group; group > 0; group -= sizes.kernel.least_group) {
    const std::size_t groups = div_up(sizes.rows, group);
    const std::size_t units = div_up(sizes.panels * groups, threads);  // of a thread, one after another
    const std::size_t rows = units / groups * sizes.rows + std::min(units % groups * group, sizes.rows);
    const std::size_t work = rows + units * widening;
    if (best != 0 && work >= least_work) continue;
    best = group;
    least_work = work;
  }
  return best;
}

/// Element `index` of row-major numbers; for unsigned types half of the range is subtracted, so that the middle becomes
/// 0.
int load_number(const std::uint8_t* numbers, std::size_t index, const Sizes& sizes) {
  const int half = 1 << (sizes.bits - 1);
  const int number = sizes.bits == 8 ? numbers[index] : (numbers[index / 2] >> (index % 2 * 4)) & 15;
  if (!sizes.is_signed) return number - half;
  return number < half ? number : number - 2 * half;
}

/// From [depth, columns], or its transpose, to words: [panels][words of a column][columns of a panel].
Packing<std::uint8_t> packing_of_numbers(const Sizes& sizes) {
  Packing<std::uint8_t> packing;
  packing.form = "words:" + sizes.names;
  packing.elements = sizes.panels * sizes.filled_depth() * sizes.kernel.panel_columns * sizes.bits / 8;
  packing.write = [sizes](const std::uint8_t* from, std::uint8_t* to) {
    auto* words = reinterpret_cast<std::uint32_t*>(to);
    const std::uint32_t mask = (1u << sizes.bits) - 1;
    const std::size_t of_line = sizes.b_transposed ? 1 : sizes.columns;
    const std::size_t of_column = sizes.b_transposed ? sizes.depth : 1;
    for (std::size_t panel = 0; panel < sizes.panels; ++panel)
      for (std::size_t block = 0; block < sizes.blocks; ++block)
        for (std::size_t first = 0; first < sizes.block; first += sizes.numbers_in_word())
          for (std::size_t i = 0; i < sizes.kernel.panel_columns; ++i) {
            const std::size_t column = panel * sizes.kernel.panel_columns + i;
            const std::size_t count =
                column < sizes.columns ? std::min(sizes.numbers_in_word(), sizes.block - first) : 0;
            const std::size_t at = (block * sizes.block + first) * of_line + column * of_column;
            std::uint32_t word = 0;
            for (std::size_t k = 0; k < count; ++k)
              word |= (std::uint32_t(load_number(from, at + k * of_line, sizes)) & mask) << (sizes.bits * k);
            *words++ = word;
          }
  };
  return packing;
}

/// Packs scales or zero points: [panels][blocks][columns of a panel]. `load` gives the one at a place of the operand.
template <typename T, typename Load>
Packing<T> packing_by_block(const Sizes& sizes, const char* form, Load load) {
  Packing<T> packing;
  packing.form = form + sizes.names;
  packing.elements = sizes.panels * sizes.blocks * sizes.kernel.panel_columns;
  packing.write = [sizes, load](const T* from, T* to) {
    const std::size_t of_block = sizes.b_transposed ? 1 : sizes.column_blocks;
    const std::size_t of_column = sizes.b_transposed ? sizes.blocks : 1;
    const std::size_t shared_by = sizes.columns / sizes.column_blocks;
    for (std::size_t panel = 0; panel < sizes.panels; ++panel)
      for (std::size_t block = 0; block < sizes.blocks; ++block)
        for (std::size_t i = 0; i < sizes.kernel.panel_columns; ++i) {
          const std::size_t column = panel * sizes.kernel.panel_columns + i;
          *to++ = column < sizes.columns ? load(from, block * of_block + column / shared_by * of_column) : T();
        }
  };
  return packing;
}

template <typename Scale>
Packing<Scale> packing_of_scales(const Sizes& sizes) {
  return packing_by_block<Scale>(sizes, "scales:", [](const Scale* from, std::size_t at) { return from[at]; });
}

Packing<std::uint8_t> packing_of_zero_points(const Sizes& sizes) {
  return packing_by_block<std::uint8_t>(sizes, "zeroPoints:", [sizes](const std::uint8_t* from, std::size_t at) {
    return std::uint8_t(load_number(from, at, sizes));
  });
}

template <typename Scale>
Kernel prepare(const KernelSpec& spec, Constants constants, Isa isa) {
  const auto bring_row = VECTOR_CODE(isa, block_quantized_matmul::bring_row);
  const auto choose = VECTOR_CODE(isa, block_quantized_matmul::multiply<Scale>);
  const Sizes sizes = sizes_of(spec, isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  auto* const multiply = choose(sizes.bits, sizes.has_few_rows());
  // The row stride of `a` is an odd number of cache lines, so that neighbouring rows do not compete for the same cache
  // sets.
  constexpr std::size_t line = 64 / sizeof(float);
  const bool copies_a = !sizes.has_few_rows() || sizes.is_filled_up();
  const std::size_t a_row = copies_a ? (div_up(sizes.filled_depth(), line) | 1) * line : sizes.depth;
  const std::size_t threads = std::max(team_size(), 1u), row_group = row_group_of(sizes, threads);
  const std::size_t units = sizes.panels * div_up(sizes.rows, row_group);
  const std::size_t work =
      std::min(row_group, sizes.rows) * sizes.filled_depth() * sizes.kernel.panel_columns;  // floats of a unit
  const std::size_t grain = 1 + 50'000 / work;
  const auto places = unsigned(std::clamp<std::size_t>(units / grain, 1, threads));

  ScratchLayout scratch;
  const std::size_t a_at = scratch.add(copies_a ? sizes.rows * a_row * sizeof(float) : 0);
  const std::size_t sums_at = scratch.add(sizes.has_few_rows() ? sizes.rows * sizes.blocks * sizeof(float) : 0);
  const std::size_t place_floats = sizes.has_few_rows() ? 0 : sizes.kernel.scratch_floats;
  const PackedOperand<std::uint8_t> numbers(packing_of_numbers(sizes), spec, 1, constants, scratch);
  const PackedOperand<Scale> scales(packing_of_scales<Scale>(sizes), spec, 2, constants, scratch);
  const PackedOperand<std::uint8_t> zero_points(packing_of_zero_points(sizes), spec, 3, constants, scratch);
  const PlaceScratch place_scratch = scratch.add_places(places, place_floats * sizeof(float));

  const auto run = [=](const KernelArguments& arguments) {
    const auto* a = reinterpret_cast<const float*>(arguments.inputs[0]);
    auto* const copy = reinterpret_cast<float*>(arguments.scratch + a_at);
    auto* const sums = reinterpret_cast<float*>(arguments.scratch + sums_at);
    parallel_for(sizes.rows, 1 + 20'000 / sizes.depth, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        float* const row_copy = copies_a ? copy + row * a_row : nullptr;
        float* const row_sums = sizes.has_few_rows() ? sums + row * sizes.blocks : nullptr;
        bring_row(a + row * sizes.depth, sizes.blocks, sizes.block, sizes.filled_block, row_copy, row_sums);
      }
    });
    BlockQuantizedProduct<Scale> product;
    product.rows = sizes.rows;
    product.columns = sizes.columns;
    product.blocks = sizes.blocks;
    product.block = sizes.filled_block;
    product.lines = sizes.block;
    product.a = copies_a ? copy : a;
    product.a_row = a_row;
    product.sums_of_a = sums;
    product.words = reinterpret_cast<const std::uint32_t*>(numbers.in(arguments));
    product.scale = scales.in(arguments);
    product.zero_point = reinterpret_cast<const std::int8_t*>(zero_points.in(arguments));
    product.low = limits.low;
    product.high = limits.high;
    product.y = reinterpret_cast<float*>(arguments.outputs[0]);
    product.row_group = row_group;
    parallel_places(places, units, grain, [&](std::size_t begin, std::size_t end, unsigned place) {
      multiply(product, begin, end, reinterpret_cast<float*>(place_scratch.of(arguments.scratch, place)));
    });
  };
  return with_post_ops(kernel_of(run, scratch), spec, constants, isa, limits.post_ops);
}

bool has_half_scales(const KernelSpec& spec) { return spec.inputs[2]->type == DataType::float16; }

}  // namespace

Kernel prepare_block_quantized_matmul(const KernelSpec& spec, Constants constants, Isa isa) {
  return has_half_scales(spec) ? prepare<Half>(spec, constants, isa) : prepare<float>(spec, constants, isa);
}

std::optional<PackedConstant> pack_block_quantized_matmul(const KernelSpec& spec, std::size_t operand,
                                                          std::span<const std::byte> bytes, Isa isa) {
  const Sizes sizes = sizes_of(spec, isa);
  if (operand == 1) return packing_of_numbers(sizes).pack(bytes);
  if (operand == 3) return packing_of_zero_points(sizes).pack(bytes);
  return has_half_scales(spec) ? packing_of_scales<Half>(sizes).pack(bytes)
                               : packing_of_scales<float>(sizes).pack(bytes);
}

namespace {

/// The sizes of @blockQuantizedMatmul's weights in panels of columns, and in 32-bit words along the inner axis.
struct BlocksInPanels {
  explicit BlocksInPanels(const KernelSpec& spec) {
    const SpecCall call(spec);
    const unsigned inner_axis = call.boolean("bTranspose") ? 1 : 0;
    const Shape& b = call.shape(1);
    constexpr std::uint64_t widest_panel = 32;
    numbers_in_word = 32 / bits_of(call.operand(1).type);
    depth = b[inner_axis];
    columns = b[1 - inner_axis];
    blocks = call.shape(2)[inner_axis];
    in_panels = round_up(columns, widest_panel);
    in_words = blocks * round_up(depth / blocks, numbers_in_word);
  }
  std::uint64_t numbers_in_word, depth, columns, blocks, in_panels, in_words;
};

/// @blockQuantizedMatmul whose weights fit when they are padded.
bool takes_block_quantized_matmul(const KernelSpec& spec) {
  const BlocksInPanels of(spec);
  return of.in_panels * of.in_words / of.numbers_in_word * 4 <= max_tensor_bytes &&
         of.in_panels * of.blocks * sizeof(float) <= max_tensor_bytes;
}

/// The kernel pays when blocks fill words, and columns fill panels, at least nearly. Elsewhere weights should be
/// dequantised to float32.
double scale_of_blocks(const KernelSpec& spec, const Target&) {
  const BlocksInPanels of(spec);
  return 4 * of.in_panels <= 5 * of.columns && 4 * of.in_words <= 5 * of.depth ? 1 : slow;
}

}  // namespace

constexpr SimdKernel block_quantized_matmul_list[] = {
    {.row = {.name = "blockQuantizedMatmul",
             .op = "@blockQuantizedMatmul",
             .types = {DataType::float32},
             .packs = 0b1110,
             .constants = 0b1110,
             .can = takes_block_quantized_matmul,
             .can_apply = elementwise_post_ops,
             .scale = scale_of_blocks},
     .drops_subnormals = true,
     .prepare = prepare_block_quantized_matmul,
     .pack = pack_block_quantized_matmul},
};
extern constexpr SimdKernels block_quantized_matmul_kernels(block_quantized_matmul_list);

}  // namespace webnn::runtime::simd
