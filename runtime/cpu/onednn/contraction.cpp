// matmul and gemm: both are a product of matrices, here brought into the fewest axes that oneDNN needs to see.
#include <memory>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/cpu/onednn/prepare.hpp"
#include "runtime/cpu/onednn/weights.hpp"
#include "runtime/parallel.hpp"
#include "schema/kernel_conditions.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

/// The product as oneDNN sees it: a, b and the result with as few axes as possible.
struct Product {
  memory::desc a, b, result;
  float alpha = 1;
};

memory::desc row_major(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); --i > 0;) strides[i - 1] = strides[i] * dims[i];
  return {dims, memory::data_type::f32, strides};
}

memory::desc matrix(const Shape& shape, bool transposed) {
  const memory::dim rows = shape[0], columns = shape[1];
  if (transposed) return {Dims{columns, rows}, memory::data_type::f32, Dims{1, columns}};
  return row_major({rows, columns});
}

/// Axes before the last two are merged where both operands agree on repeating; those of `a` become rows when `b` is one
/// matrix.
Product product_of_matmul(const Shape& a, const Shape& b, const Shape& result) {
  const memory::dim rows = a[a.rank() - 2], inner = a[a.rank() - 1], columns = b[b.rank() - 1];
  if (memory::dim(element_count(b)) == inner * columns) {
    const memory::dim all_rows = memory::dim(element_count(a)) / inner;
    return {row_major({all_rows, inner}), row_major({inner, columns}), row_major({all_rows, columns})};
  }
  const auto size_at = [&](const Shape& shape, unsigned axis) -> memory::dim {
    const unsigned missing = result.rank() - shape.rank();
    return axis < missing ? 1 : shape[axis - missing];
  };
  Dims a_dims, b_dims, result_dims;
  bool a_repeats = false, b_repeats = false;  // along the last merged axis
  for (unsigned axis = 0; axis + 2 < result.rank(); ++axis) {
    const memory::dim size = result[axis];
    if (size == 1) continue;
    const bool a_one = size_at(a, axis) == 1, b_one = size_at(b, axis) == 1;
    if (result_dims.empty() || a_one != a_repeats || b_one != b_repeats) {
      a_dims.push_back(1);
      b_dims.push_back(1);
      result_dims.push_back(1);
      a_repeats = a_one;
      b_repeats = b_one;
    }
    result_dims.back() *= size;
    if (!a_one) a_dims.back() *= size;
    if (!b_one) b_dims.back() *= size;
  }
  a_dims.insert(a_dims.end(), {rows, inner});
  b_dims.insert(b_dims.end(), {inner, columns});
  result_dims.insert(result_dims.end(), {rows, columns});
  return {row_major(a_dims), row_major(b_dims), row_major(result_dims)};
}

Product product_of(const KernelSpec& spec, const OperatorCall& call) {
  if (spec.op == "matmul"_op) return product_of_matmul(call.shape(0), call.shape(1), spec.outputs[0].shape);
  Product product{matrix(call.shape(0), call.boolean("aTranspose")), matrix(call.shape(1), call.boolean("bTranspose")),
                  matrix(spec.outputs[0].shape, false)};
  product.alpha = float(call.real("alpha"));
  return product;
}

/// beta * C of a gemm, where it cannot be the bias: written to the output before the primitive adds the product.
struct ScaledC {
  std::size_t rows = 1, columns = 1;
  std::size_t row_step = 0, column_step = 0;  // in C; 0 repeats
  float beta = 1;

  void write(const float* c, float* to) const {
    const std::size_t grain = 1 + 20'000 / columns;
    parallel_for(rows, grain, [this, c, to](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t column = 0; column < columns; ++column)
          to[row * columns + column] = beta * c[row * row_step + column * column_step];
    });
  }
};

ScaledC scaled_c(const OperatorCall& call, const Shape& result) {
  const Shape& c = call.shape(2);
  ScaledC scaled;
  scaled.rows = result[0];
  scaled.columns = result[1];
  scaled.beta = float(call.real("beta"));
  if (c.rank() >= 1 && c[c.rank() - 1] != 1) scaled.column_step = 1;
  if (c.rank() == 2 && c[0] != 1) scaled.row_step = c[1];
  return scaled;
}

struct Contraction {
  memory::desc b;  // as the graph has it
  PostOpPlan post_ops;
  std::optional<std::size_t> bias;  // operand
  std::optional<ScaledC> c;
  dnnl::matmul::primitive_desc described;
};

Contraction describe(const KernelSpec& spec, bool constant_b) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Product product = product_of(spec, call);
  const auto rank = unsigned(product.result.data.ndims);

  Contraction result;
  result.b = product.b;
  const bool has_c = spec.op == "gemm"_op && call.has_operand(2), has_bias = onednn_contraction_has_bias(spec);
  result.post_ops = plan_post_ops(spec, rank, 1, !has_c && has_bias, has_c && !has_bias);
  result.bias = has_c && has_bias ? std::optional<std::size_t>(2) : result.post_ops.bias;
  if (has_c && !has_bias) result.c = scaled_c(call, spec.outputs[0].shape);
  Dims bias_dims(rank, 1);
  bias_dims.back() = product.result.dims().back();

  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(result.post_ops.chain);
  if (product.alpha != 1) attributes.set_output_scales(0, {product.alpha});
  const memory::desc wanted_b =
      constant_b ? memory::desc(product.b.dims(), memory::data_type::f32, memory::format_tag::any) : product.b;
  const dnnl::matmul::desc desc = result.bias
                                      ? dnnl::matmul::desc(product.a, wanted_b, row_major(bias_dims), product.result)
                                      : dnnl::matmul::desc(product.a, wanted_b, product.result);
  result.described = dnnl::matmul::primitive_desc(desc, attributes, engine());
  return result;
}

}  // namespace

Kernel prepare_contraction(const KernelSpec& spec, Constants constants) try {
  const Contraction contraction = describe(spec, !constants[1].empty());
  const auto& described = contraction.described;
  ScratchPlan scratch;
  const auto execution = std::make_shared<Execution>(dnnl::matmul(described), described.scratchpad_desc(), scratch);
  execution->bind_input(DNNL_ARG_SRC, described.src_desc(), 0);
  if (contraction.bias) execution->bind_input(DNNL_ARG_BIAS, described.bias_desc(), *contraction.bias);
  execution->bind_output(DNNL_ARG_DST, described.dst_desc());
  contraction.post_ops.bind(*execution);
  const std::shared_ptr<Execution> reorder =
      bind_weights(*execution, spec, 1, constants[1], contraction.b, described.weights_desc(), scratch);
  const auto run = [execution, reorder, sum = contraction.post_ops.sum, c = contraction.c,
                    bytes = byte_length(spec.outputs[0])](const KernelArguments& arguments) {
    if (sum) place_in_output(arguments, *sum, bytes);
    if (c)
      c->write(reinterpret_cast<const float*>(arguments.inputs[2]), reinterpret_cast<float*>(arguments.outputs[0]));
    if (reorder) reorder->run(arguments);
    execution->run(arguments);
  };
  return {run, scratch.bytes()};
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::optional<PackedConstant> pack_matrix(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes) try {
  const Contraction contraction = describe(spec, true);
  return pack_weights(contraction.b, contraction.described.weights_desc(), bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::string implementation_of_contraction(const KernelSpec& spec, bool constant_b) {
  return describe(spec, constant_b).described.impl_info_str();
}

}  // namespace webnn::runtime::onednn
