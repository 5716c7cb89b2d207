// gemm and matmul of few rows with one matrix (GEMV and skinny GEMM). The time goes into reading the matrix, which is
// packed so that it is read from its first byte to its last. A float16 matrix stays float16 in memory and becomes
// float32 in registers. Sums are float32; the result is rounded once.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/product/few_rows_product.inl.hpp"
#include "runtime/cpu/simd/product/few_rows_product.hpp"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "runtime/cpu/simd/epilogue.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/packed_operand.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/strides.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// The call as one product of two matrices, without addresses.
template <typename T>
struct Sizes : FewRowsProduct<T> {
  bool a_transposed = false, b_transposed = false, has_c = false;
  std::size_t panels = 1, panel = 1;  // number of panels, and columns of one

  static Sizes of(const KernelSpec& spec, Isa isa);
};

template <typename T>
Sizes<T> Sizes<T>::of(const KernelSpec& spec, Isa isa) {
  const SpecCall call(spec);
  const Shape &b = call.shape(1), &output = spec.outputs[0].shape;
  const auto cast = [](double value) { return float(T(float(value))); };
  Sizes sizes;
  if (spec.op == "gemm"_op) {
    sizes.a_transposed = call.boolean("aTranspose");
    sizes.b_transposed = call.boolean("bTranspose");
    sizes.alpha = cast(call.real("alpha"));
    sizes.beta = cast(call.real("beta"));
    sizes.has_c = call.has_operand(2);
    if (sizes.has_c) {
      const Strides strides = broadcast_strides(call.shape(2), output);
      sizes.c_row = std::size_t(strides[0]);
      sizes.c_column = std::size_t(strides[1]);
    }
  }
  sizes.columns = output[output.rank() - 1];
  sizes.rows = element_count(output) / sizes.columns;
  sizes.depth = element_count(b) / sizes.columns;
  sizes.panel = VECTOR_CODE(isa, few_rows_product::columns_of_panel)();
  sizes.panels = div_up(sizes.columns, sizes.panel);
  return sizes;
}

/// From [depth, columns], or its transpose, to [panels][depth][columns of a panel], padded with zeros.
template <typename T>
Packing<T> packing_of(const Sizes<T>& sizes) {
  const auto depth = std::int64_t(sizes.depth), columns = std::int64_t(sizes.columns),
             panel = std::int64_t(sizes.panel);
  constexpr std::int64_t element = sizeof(T);
  const std::int64_t from_line = element * (sizes.b_transposed ? 1 : columns);
  const std::int64_t from_column = element * (sizes.b_transposed ? depth : 1);
  const std::int64_t whole = columns / panel, rest = columns % panel;
  std::vector<StridedCopy> copies;
  if (whole != 0)
    copies.emplace_back(std::vector<CopyAxis>{{whole, panel * from_column, depth * panel * element},
                                              {depth, from_line, panel * element},
                                              {panel, from_column, element}},
                        sizeof(T), 0, 0);
  if (rest != 0)
    copies.emplace_back(std::vector<CopyAxis>{{depth, from_line, panel * element}, {rest, from_column, element}},
                        sizeof(T), whole * panel * from_column, whole * panel * depth * element);
  Packing<T> packing;
  packing.form = "panels:" + std::to_string(depth) + "x" + std::to_string(columns) + (sizes.b_transposed ? "t:" : ":") +
                 std::to_string(panel) + ":" +
                 std::string(name_of(sizeof(T) == sizeof(float) ? DataType::float32 : DataType::float16));
  packing.elements = sizes.panels * sizes.depth * sizes.panel;
  packing.write = [=, last = std::size_t(whole * panel * depth)](const T* from, T* to) {
    if (rest != 0) std::fill(to + last, to + last + depth * panel, T());
    run_copies(
        copies, [&](std::size_t) { return reinterpret_cast<const std::byte*>(from); },
        [&](std::size_t) { return reinterpret_cast<std::byte*>(to); });
  };
  return packing;
}

template <typename T>
Kernel prepare(const KernelSpec& spec, Constants constants, Isa isa) {
  [[maybe_unused]] const auto widen = VECTOR_CODE(isa, few_rows_product::widen);
  const auto multiply_panels = VECTOR_CODE(isa, few_rows_product::multiply<T>);
  constexpr bool widens = !std::is_same_v<T, float>;
  const auto sizes = Sizes<T>::of(spec, isa);
  const OutputLimits limits = limits_of_first_post_op(spec);
  const std::size_t factors = sizes.rows * sizes.depth;
  ScratchLayout scratch;
  const std::size_t widened_at = scratch.add(widens ? factors * sizeof(float) : 0);
  const std::size_t transposed_at = scratch.add(sizes.a_transposed ? factors * sizeof(T) : 0);
  const PackedOperand<T> panels(packing_of(sizes), spec, 1, constants, scratch);
  const std::size_t grain = 1 + 50'000 / (sizes.panel * factors);

  const auto multiply = [=](const KernelArguments& arguments) {
    const auto* a = reinterpret_cast<const T*>(arguments.inputs[0]);
    if (sizes.a_transposed) {
      auto* const to = reinterpret_cast<T*>(arguments.scratch + transposed_at);
      for (std::size_t row = 0; row < sizes.rows; ++row)
        for (std::size_t k = 0; k < sizes.depth; ++k) to[row * sizes.depth + k] = a[k * sizes.rows + row];
      a = to;
    }
    FewRowsProduct<T> product = sizes;
    if constexpr (widens) {
      auto* const to = reinterpret_cast<float*>(arguments.scratch + widened_at);
      widen(a, factors, to);
      product.a = to;
    } else {
      product.a = a;
    }
    product.panels = panels.in(arguments);
    if (sizes.has_c) product.c = reinterpret_cast<const T*>(arguments.inputs[2]);
    product.low = limits.low;
    product.high = limits.high;
    product.y = reinterpret_cast<T*>(arguments.outputs[0]);
    parallel_for(sizes.panels, grain,
                 [&](std::size_t begin, std::size_t end) { multiply_panels(product, begin, end); });
  };
  return with_post_ops({multiply, scratch.bytes()}, spec, constants, isa, limits.post_ops);
}

}  // namespace

Kernel prepare_few_rows_product(const KernelSpec& spec, Constants constants, Isa isa) {
  return spec.inputs[0]->type == DataType::float16 ? prepare<Half>(spec, constants, isa)
                                                   : prepare<float>(spec, constants, isa);
}

std::optional<PackedConstant> pack_few_rows_product(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes, Isa isa) {
  return spec.inputs[0]->type == DataType::float16 ? packing_of(Sizes<Half>::of(spec, isa)).pack(bytes)
                                                   : packing_of(Sizes<float>::of(spec, isa)).pack(bytes);
}

namespace {

/// Columns rounded up to whole panels, of any instruction set.
std::uint64_t in_panels(std::uint64_t columns) {
  constexpr std::uint64_t widest_panel = 32;
  return round_up(columns, widest_panel);
}

/// gemm and matmul with one matrix on the right.
bool takes_few_rows(const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const OperandDescriptor& b = *spec.inputs[1];
  const Shape& output = spec.outputs[0].shape;
  const std::uint64_t columns = output[output.rank() - 1], depth = element_count(b.shape) / columns;
  const std::uint64_t matrix = std::uint64_t{b.shape[b.shape.rank() - 2]} * b.shape[b.shape.rank() - 1];
  return element_count(b.shape) == matrix && in_panels(columns) * depth * (bits_of(b.type) / 8) <= max_tensor_bytes;
}

/// The kernel pays for few rows, whose columns fill panels without much padding. Libraries are faster elsewhere. They
/// have no float16, but float32 products are then so much faster that operands should be widened.
double scale_of_product(const KernelSpec& spec, const Target&) {
  const bool is_half = spec.inputs[0]->type == DataType::float16;
  const std::uint64_t most_rows = is_half ? 12 : 8;
  const Shape& output = spec.outputs[0].shape;
  const std::uint64_t columns = output[output.rank() - 1], rows = element_count(output) / columns;
  const bool fills = is_half ? in_panels(columns) <= 2 * columns : 4 * in_panels(columns) <= 5 * columns;
  return rows <= most_rows && fills ? 1 : is_half ? 2 * slow : slower_than_libraries;
}

consteval SimdKernel few_rows_product(std::string_view op) {
  return {.row = {.name = op,
                  .op = op,
                  .types = floats,
                  .packs = 0b10,
                  .constants = 0b10,
                  .can = takes_few_rows,
                  .can_apply = elementwise_post_ops,
                  .factor = 0.9,
                  .scale = scale_of_product},
          .drops_subnormals = true,
          .prepare = prepare_few_rows_product,
          .pack = pack_few_rows_product};
}

}  // namespace

constexpr SimdKernel few_rows_product_list[] = {few_rows_product("gemm"), few_rows_product("matmul")};
extern constexpr SimdKernels few_rows_product_kernels(few_rows_product_list);

}  // namespace webnn::runtime::simd
