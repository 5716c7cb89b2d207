// gemm and matmul of float32 with a constant matrix on the right.
#include "runtime/cpu/xnnpack/keep_nan.hpp"
#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::runtime::xnnpack {

Kernel prepare_product(const KernelSpec& spec, Constants constants) {
  const SpecCall call(spec);
  const Shape &a = call.shape(0), &result = spec.outputs[0].shape;
  const bool is_gemm = spec.op == "gemm"_op;
  const std::size_t inner = a[a.rank() - 1], columns = result[result.rank() - 1], rows = element_count(a) / inner;
  const std::uint32_t flags = is_gemm && call.boolean("bTranspose") ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS;
  const float* const bias = is_gemm ? elements<float>(constants[2]) : nullptr;
  const Range range = range_of(spec);
  const Operator op = create_operator(spec, [&](auto* made) {
    return xnn_create_fully_connected_nc_f32(inner, columns, inner, columns, elements<float>(constants[1]), bias,
                                             range.low, range.high, flags, made);
  });
  const auto setup = [rows](auto* set, const auto& at) {
    return xnn_setup_fully_connected_nc_f32(set, rows, input<float>(at), output<float>(at), nullptr);
  };
  return keep_nan(spec, constants, kernel_of(spec, op, setup));
}

namespace {

/// gemm and matmul with one matrix on the right; gemm's c, if any, is a bias.
bool takes_product(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& b = call.shape(1);
  if (spec.op == "matmul"_op) return element_count(b) == std::uint64_t{b[b.rank() - 2]} * b[b.rank() - 1];
  return product_has_bias(spec) && !call.boolean("aTranspose");
}

consteval CpuKernel product(std::string_view op, std::uint8_t constants) {
  return {.row = {.name = op,
                  .op = op,
                  .types = {DataType::float32},
                  .constants = constants,
                  .overreads = 0b01,
                  .can = takes_product,
                  .can_apply = takes_post_ops,
                  .factor = library_factor},
          .prepare = prepare_product};
}

}  // namespace

constexpr CpuKernel product_list[] = {product("gemm", 0b110), product("matmul", 0b10)};
extern constexpr CpuKernels product_kernels(product_list);

}  // namespace webnn::runtime::xnnpack
