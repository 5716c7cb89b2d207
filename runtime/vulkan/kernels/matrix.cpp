// Products of matrices.
#include "runtime/vulkan/kernels/conditions.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/shaders.hpp"

namespace webnn::runtime::vulkan {
namespace {

/// One float32 for each element of the result.
std::uint64_t carry_bytes(const KernelSpec& spec) { return element_count(spec.outputs[0].shape) * sizeof(float); }

/// The dispatches of a product: `dispatch(part)` makes the one for a part of the inner axis. Tiled shaders take the
/// whole axis.
template <typename MakeDispatch>
Dispatches product(const KernelSpec& spec, const MatrixShader& shader, std::uint64_t inner, MakeDispatch dispatch) {
  Dispatches list;
  for (const LoopPart& part : cut_loop(inner, shader.by_groups ? inner : most_turns_of_part)) {
    if (!part.is_all()) list.scratch_bytes = carry_bytes(spec);
    list.dispatches.push_back(dispatch(part));
  }
  return list;
}

template <const MatrixShader& shader>
Dispatches gemm(const KernelSpec& spec) {
  const SpecCall call(spec);
  const bool a_transposed = call.boolean("aTranspose"), b_transposed = call.boolean("bTranspose");
  const Shape &a = call.shape(0), &b = call.shape(1), &y = spec.outputs[0].shape;
  const std::uint32_t inner = a[a_transposed ? 0 : 1];
  const bool has_c = call.has_operand(2);
  const Strides c = has_c ? broadcast_strides(call.shape(2), y) : Strides{};
  return product(spec, shader, inner, [&](const LoopPart& part) {
    DispatchMaker maker(shader.code(), {code(call.operand(0).type), has_c});
    maker.input(spec, 0).input(spec, 1);
    has_c ? maker.input(spec, 2) : maker.absent();
    maker.output(spec).carry(part, carry_bytes(spec)).word(part.first).word(part.end);
    maker.word(y[0]).word(inner).word(y[1]).word(1);
    maker.word(a_transposed ? 1 : a[1]).word(a_transposed ? a[1] : 1);
    maker.word(b_transposed ? 1 : b[1]).word(b_transposed ? b[1] : 1);
    maker.word(std::uint64_t(c[0])).word(std::uint64_t(c[1]));
    maker.real(parameter(call, "alpha")).real(parameter(call, "beta"));
    maker.word(0).shape({}).strides({}).strides({}).epilogue(spec);
    return shader.over(maker.turns(shader.turns(part.end - part.first)), y[0], y[1], 1);
  });
}

template <const MatrixShader& shader>
Dispatches matmul(const KernelSpec& spec) {
  const Shape &a = spec.inputs[0]->shape, &b = spec.inputs[1]->shape, &y = spec.outputs[0].shape;
  const std::uint32_t rows = y[y.rank() - 2], columns = y[y.rank() - 1], inner = a[a.rank() - 1];
  const Shape batches(y.sizes().first(y.rank() - 2));
  const std::size_t count = element_count(batches);
  return product(spec, shader, inner, [&](const LoopPart& part) {
    DispatchMaker maker(shader.code(), {code(spec.inputs[0]->type), false});
    maker.input(spec, 0).input(spec, 1).absent().output(spec);
    maker.carry(part, carry_bytes(spec)).word(part.first).word(part.end);
    maker.word(rows).word(inner).word(columns).word(count);
    maker.word(inner).word(1).word(columns).word(1).word(0).word(0).real(1).real(0);
    maker.word(batches.rank()).shape(batches).strides(matrix_strides(a, batches)).strides(matrix_strides(b, batches));
    maker.epilogue(spec);
    return shader.over(maker.turns(shader.turns(part.end - part.first)), rows, columns, count);
  });
}

constexpr MatrixShader by_blocks{shaders::matmul, 4, false};
constexpr MatrixShader by_tiles{shaders::tiled_matmul, 64, true};
constexpr MatrixShader by_matrix_units{shaders::cooperative_matmul, 64, true, 4};

}  // namespace

constexpr GpuKernel matrix_list[] = {
    {.row = cooperative_row("gemm.cooperative"), .dispatches = gemm<by_matrix_units>},
    {.row = tiled_row("gemm.tiled"), .dispatches = gemm<by_tiles>},
    {.row = product_row("gemm"), .dispatches = gemm<by_blocks>},
    {.row = cooperative_row("matmul.cooperative"), .dispatches = matmul<by_matrix_units>},
    {.row = tiled_row("matmul.tiled"), .dispatches = matmul<by_tiles>},
    {.row = product_row("matmul"), .dispatches = matmul<by_blocks>},
};
extern constexpr GpuKernels matrix_kernels(matrix_list);

}  // namespace webnn::runtime::vulkan
