// gemm and matmul with one constant matrix on the right, packed in panels. The bias is an addition of one number for
// each column: gemm's c, or the first post-op.
#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu/simd/product/panel_product.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

/// The operand that the first post-op adds to each column; nullopt: it is another one.
std::optional<std::size_t> added_to_columns(const KernelSpec& spec, std::size_t columns) {
  if (spec.post_ops.empty() || spec.post_ops[0].op != "add"_op) return std::nullopt;
  const Expression expression(spec);
  if (!expression.is_link(1)) return std::nullopt;
  const std::size_t operand = expression.first_input(1);
  const Shape& shape = spec.inputs[operand]->shape;
  const bool by_columns = shape.rank() >= 1 && shape[shape.rank() - 1] == columns && element_count(shape) == columns;
  return by_columns ? std::optional(operand) : std::nullopt;
}

PanelProduct product_of(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &b = call.shape(1), &output = spec.outputs[0].shape;
  const bool is_gemm = spec.op == "gemm"_op, transposed = is_gemm && call.boolean("bTranspose");
  const std::size_t columns = output[output.rank() - 1], depth = element_count(b) / columns;
  PanelProduct product{"matmul", {}};
  product.sizes = {element_count(output) / columns,    1, depth, columns, 0, transposed ? 1 : columns,
                   transposed ? depth : std::size_t{1}};
  if (is_gemm && call.has_operand(2)) {
    product.bias = 2;
  } else if ((product.bias = added_to_columns(spec, columns))) {
    product.applied = 1;
  }
  return product;
}

Kernel prepare_panel_matmul(const KernelSpec& spec, Constants constants, Isa isa) {
  return product_of(spec).prepare(spec, constants, isa);
}

std::optional<PackedConstant> pack_panel_matmul(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes,
                                                Isa isa) {
  return product_of(spec).pack(bytes, isa);
}

/// One matrix on the right, and neither scales nor a left side to transpose.
bool takes_panel_matmul(const KernelSpec& spec) {
  if (spec.outputs.empty() || !product_has_bias(spec)) return false;
  const SpecCall call(spec);
  const Shape& b = call.shape(1);
  const std::uint64_t matrix = std::uint64_t{b[b.rank() - 2]} * b[b.rank() - 1];
  return element_count(b) == matrix && may_be_packed(spec, 1) &&
         (spec.op == "matmul"_op || !call.boolean("aTranspose"));
}

/// With few rows, the time goes into reading the matrix: few_rows_product.cpp is made for that.
double scale_of_rows(const KernelSpec& spec, const Target&) {
  constexpr std::uint64_t fewest = 8;
  const Shape& output = spec.outputs[0].shape;
  return element_count(output) / output[output.rank() - 1] <= fewest ? slower_than_libraries : 1;
}

consteval SimdKernel panel_matmul(std::string_view name, std::string_view op) {
  return {.row = {.name = name,
                  .op = op,
                  .types = {DataType::float32},
                  .packs = 0b10,
                  .constants = 0b10,
                  .can = takes_panel_matmul,
                  .can_apply = elementwise_post_ops,
                  .factor = 0.95,
                  .scale = scale_of_rows},
          .drops_subnormals = true,
          .prepare = prepare_panel_matmul,
          .pack = pack_panel_matmul};
}

}  // namespace

constexpr SimdKernel gemm_panels = panel_matmul("gemm.panels", "gemm"),
                     matmul_panels = panel_matmul("matmul.panels", "matmul");
constexpr SimdKernel panel_matmul_list[] = {in_tiles<takes_panel_matmul, product_of>(gemm_panels), gemm_panels,
                                            in_tiles<takes_panel_matmul, product_of>(matmul_panels), matmul_panels};
extern constexpr SimdKernels panel_matmul_kernels(panel_matmul_list);

}  // namespace webnn::runtime::simd
