// matmul and gemm: both are a product of matrices, here brought into the fewest axes that oneDNN needs to see.
#include <functional>
#include <memory>
#include <string>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/implementation.hpp"
#include "runtime/cpu/onednn/keep_nan.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
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

/// How oneDNN computes the product.
struct Contraction {
  memory::desc b;  // as the graph has it
  PostOpPlan post_ops;
  std::optional<std::size_t> bias;  // operand
  std::optional<ScaledC> c;
  std::function<dnnl::primitive()> create;
  memory::desc a, wanted_b, bias_desc, result, scratchpad;
  std::string implementation;

  template <typename Described>
  void take(const Described& described) {
    a = described.src_desc();
    wanted_b = described.weights_desc();
    bias_desc = described.bias_desc();
    result = described.dst_desc();
    scratchpad = described.scratchpad_desc();
    implementation = described.impl_info_str();
  }
};

dnnl::primitive_attr attributes_of(const PostOpPlan& post_ops) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(post_ops.chain);
  return attributes;
}

/// What becomes of c and of the post-ops; `axis` is that of the result's columns.
Contraction plan(const KernelSpec& spec, const OperatorCall& call, ChannelAxis axis) {
  Contraction plan;
  const bool has_c = spec.op == "gemm"_op && call.has_operand(2), has_bias = onednn_contraction_has_bias(spec);
  plan.post_ops = plan_post_ops(spec, axis, !has_c && has_bias, has_c && !has_bias);
  plan.bias = has_c && has_bias ? std::optional<std::size_t>(2) : plan.post_ops.bias;
  if (has_c && !has_bias) plan.c = scaled_c(call, spec.outputs[0].shape);
  return plan;
}

/// The product of two matrices as a 1x1 convolution: rows are positions, inner indices are input channels, columns are
/// output channels.
Contraction describe_as_convolution(const KernelSpec& spec, const OperatorCall& call, const Product& product) {
  const auto rows = product.a.dims()[0], inner = product.a.dims()[1], columns = product.b.dims()[1];
  const auto& b_strides = product.b.data.format_desc.blocking.strides;
  constexpr auto f32 = memory::data_type::f32;
  Contraction result = plan(spec, call, {1, 3, 4});
  result.b = memory::desc({columns, inner, 1, 1}, f32, Dims{b_strides[1], b_strides[0], 1, 1});
  const memory::desc a({1, inner, rows, 1}, f32, memory::format_tag::nhwc);
  const memory::desc wanted_b(result.b.dims(), f32, memory::format_tag::any);
  const memory::desc bias = result.bias ? memory::desc({columns}, f32, memory::format_tag::x) : memory::desc();
  const memory::desc to({1, columns, rows, 1}, f32, memory::format_tag::nhwc);
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, a,
                                             wanted_b, bias, to, Dims{1, 1}, Dims{0, 0}, Dims{0, 0});
  const dnnl::convolution_forward::primitive_desc described(desc, attributes_of(result.post_ops), engine());
  result.take(described);
  result.create = [described] { return dnnl::convolution_forward(described); };
  return result;
}

Contraction describe(const KernelSpec& spec, bool constant_b) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Product product = product_of(spec, call);
  const auto rank = unsigned(product.result.data.ndims);
  const auto rows = product.result.dims()[rank - 2], columns = product.result.dims()[rank - 1];

  Contraction result = plan(spec, call, {1, 1, rank});
  result.b = product.b;
  Dims bias_dims(rank, 1);
  bias_dims.back() = columns;
  dnnl::primitive_attr attributes = attributes_of(result.post_ops);
  if (product.alpha != 1) attributes.set_output_scales(0, {product.alpha});
  const memory::desc wanted_b =
      constant_b ? memory::desc(product.b.dims(), memory::data_type::f32, memory::format_tag::any) : product.b;
  const dnnl::matmul::desc desc = result.bias
                                      ? dnnl::matmul::desc(product.a, wanted_b, row_major(bias_dims), product.result)
                                      : dnnl::matmul::desc(product.a, wanted_b, product.result);
  const dnnl::matmul::primitive_desc described(desc, attributes, engine());
  result.take(described);

  // Without AVX-512, matrix products read b as it is, which is up to three times slower than a 1x1 convolution.
  const bool suits_convolution = constant_b && rank == 2 && rows >= 2 && columns >= 8 && product.alpha == 1 &&
                                 same_order(product.a, row_major(product.a.dims()));
  if (suits_convolution && result.implementation.starts_with("gemm")) {
    Contraction convolution = describe_as_convolution(spec, call, product);
    if (convolution.implementation.starts_with("jit")) return convolution;
  }
  result.create = [described] { return dnnl::matmul(described); };
  return result;
}

}  // namespace

namespace {

Kernel prepare_watched(const KernelSpec& spec, Constants constants, InvalidWatch* watch) try {
  const Contraction contraction = describe(spec, !constants[1].empty());
  ScratchPlan scratch;
  const auto execution = std::make_shared<Execution>(contraction.create(), contraction.scratchpad, scratch);
  execution->bind_input(DNNL_ARG_SRC, contraction.a, 0);
  if (contraction.bias) execution->bind_input(DNNL_ARG_BIAS, contraction.bias_desc, *contraction.bias);
  execution->bind_output(DNNL_ARG_DST, contraction.result);
  execution->tell(watch);
  contraction.post_ops.bind(*execution);
  const std::shared_ptr<Execution> reorder =
      bind_weights(*execution, spec, 1, constants[1], contraction.b, contraction.wanted_b, scratch);
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

}  // namespace

Kernel prepare_contraction(const KernelSpec& spec, Constants constants) {
  return keep_nan(prepare_watched, spec, constants);
}

std::optional<PackedConstant> pack_matrix(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes) try {
  const Contraction contraction = describe(spec, true);
  return pack_weights(contraction.b, contraction.wanted_b, bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::string implementation_of_contraction(const KernelSpec& spec, bool constant_b) {
  return describe(spec, constant_b).implementation;
}

}  // namespace webnn::runtime::onednn
