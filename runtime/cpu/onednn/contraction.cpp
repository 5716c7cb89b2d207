// matmul and gemm as oneDNN products of matrices, with as few axes as possible.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/cpu/onednn/implementation.hpp"
#include "runtime/cpu/onednn/keep_nan.hpp"
#include "runtime/cpu/onednn/pieces.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/cpu/onednn/weights.hpp"
#include "runtime/cpu_kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::onednn {
namespace {

using dnnl::memory;
using Dims = memory::dims;

/// A product as passed to oneDNN: a, b and the result with as few axes as possible.
struct Product {
  memory::desc a, b, result;
  float alpha = 1;
  std::size_t a_from = 0, b_from = 0, result_from = 0;  // offsets in bytes
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

/// Merges neighbouring batch axes that broadcast in the same way. If `b` is a single matrix, the batch axes of `a`
/// become rows.
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
  bool a_repeats = false, b_repeats = false;  // whether a and b broadcast along the last merged axis
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

/// Elements [begin, end) of an axis, or the whole axis if the tensor broadcasts along it. `from` becomes the byte
/// offset of `begin`.
memory::desc range_of(const memory::desc& desc, unsigned axis, memory::dim begin, memory::dim end, std::size_t& from) {
  Dims dims = desc.dims();
  const auto& strides = desc.data.format_desc.blocking.strides;
  if (dims[axis] == 1) return desc;
  from = std::size_t(begin * strides[axis]) * sizeof(float);
  dims[axis] = end - begin;
  return {dims, memory::data_type::f32, Dims(strides, strides + dims.size())};
}

/// Whether the sums of a row depend on how many rows are multiplied with it: without AVX-512, oneDNN multiplies up to
/// 128 rows by another algorithm than more.
bool sums_depend_on_rows() {
  constexpr auto wide = unsigned(dnnl::cpu_isa::avx512_core);
  return (unsigned(dnnl::get_effective_cpu_isa()) & wide) != wide;
}

/// Divides a product along its first axis: into several products, or into rows of one. The division changes no result.
std::vector<Product> parts_of(const Product& whole) {
  constexpr memory::dim rows_of_part = 48;  // rows that share one read of b
  const auto rank = unsigned(whole.result.data.ndims);
  const Dims dims = whole.result.dims();
  const bool is_one = rank == 2;
  const memory::dim size = dims[0];
  const memory::dim inner = whole.a.dims()[rank - 1];
  const std::size_t products = whole.result.get_size() / sizeof(float) * std::size_t(inner);
  const memory::dim parts_there = is_one ? size / rows_of_part : size;
  const auto count = memory::dim(piece_count(products, std::size_t(std::max<memory::dim>(parts_there, 1))));
  const memory::dim unit = is_one ? 16 : 1;  // rows that oneDNN multiplies at once
  auto step = memory::dim(part_length(std::size_t(size), std::size_t(count), std::size_t(unit)));
  if (is_one && sums_depend_on_rows()) {  // the same parts for any number of threads
    const auto fewest = div_up(size, memory::dim(most_pieces));
    step = round_up(fewest, rows_of_part);
    step = std::max(step, 2 * rows_of_part);
  }
  std::vector<Product> parts;
  for (memory::dim begin = 0; begin < size; begin += step) {
    const memory::dim end = std::min(begin + step, size);
    Product part = whole;
    part.a = range_of(whole.a, 0, begin, end, part.a_from);
    if (!is_one) part.b = range_of(whole.b, 0, begin, end, part.b_from);
    part.result = range_of(whole.result, 0, begin, end, part.result_from);
    parts.push_back(part);
  }
  return parts;
}

/// beta * C of a gemm that cannot be the bias: it is written to the output before the primitive adds the product.
struct ScaledC {
  std::size_t rows = 1, columns = 1;
  std::size_t row_step = 0, column_step = 0;  // in C; 0 broadcasts
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
  memory::desc b;  // as in the graph
  BoundPostOps post_ops;
  std::optional<std::size_t> bias;  // operand index
  std::optional<ScaledC> c;
  std::function<dnnl::primitive()> create;
  memory::desc a, wanted_b, bias_desc, result, scratchpad;
  std::string implementation;
  bool is_convolution = false;

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

dnnl::primitive_attr attributes_of(const BoundPostOps& post_ops) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  attributes.set_post_ops(post_ops.chain);
  return attributes;
}

/// Decides how c and the post-ops are applied; `axis` is the axis of the result's columns.
Contraction plan(const KernelSpec& spec, const OperatorCall& call, ChannelAxis axis) {
  Contraction plan;
  const bool has_c = spec.op == "gemm"_op && call.has_operand(2), has_bias = product_has_bias(spec);
  plan.post_ops = plan_post_ops(spec, axis, !has_c && has_bias, has_c && !has_bias);
  plan.bias = has_c && has_bias ? std::optional<std::size_t>(2) : plan.post_ops.bias;
  if (has_c && !has_bias) plan.c = scaled_c(call, spec.outputs[0].shape);
  return plan;
}

/// The product of two matrices as a 1x1 convolution: rows are positions, inner indices are input channels, columns are
/// output channels.
Contraction describe_as_convolution(const KernelSpec& spec, const OperatorCall& call, const Product& product,
                                    const memory::desc* packed_b) {
  const auto rows = product.a.dims()[0], inner = product.a.dims()[1], columns = product.b.dims()[1];
  const auto& b_strides = product.b.data.format_desc.blocking.strides;
  constexpr auto f32 = memory::data_type::f32;
  Contraction result = plan(spec, call, {1, 3, 4});
  result.b = memory::desc({columns, inner, 1, 1}, f32, Dims{b_strides[1], b_strides[0], 1, 1});
  const memory::desc a({1, inner, rows, 1}, f32, memory::format_tag::nhwc);
  const memory::desc wanted_b = packed_b ? *packed_b : memory::desc(result.b.dims(), f32, memory::format_tag::any);
  const memory::desc bias = result.bias ? memory::desc({columns}, f32, memory::format_tag::x) : memory::desc();
  const memory::desc to({1, columns, rows, 1}, f32, memory::format_tag::nhwc);
  const dnnl::convolution_forward::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, a,
                                             wanted_b, bias, to, Dims{1, 1}, Dims{0, 0}, Dims{0, 0});
  const dnnl::convolution_forward::primitive_desc described(desc, attributes_of(result.post_ops), engine());
  result.take(described);
  result.is_convolution = true;
  result.create = [described] { return dnnl::convolution_forward(described); };
  return result;
}

Contraction describe_as_product(const KernelSpec& spec, const OperatorCall& call, const Product& product,
                                const memory::desc& wanted_b) {
  const auto rank = unsigned(product.result.data.ndims);
  const auto columns = product.result.dims()[rank - 1];
  Contraction result = plan(spec, call, {1, 1, rank});
  result.b = product.b;
  Dims bias_dims(rank, 1);
  bias_dims.back() = columns;
  dnnl::primitive_attr attributes = attributes_of(result.post_ops);
  if (product.alpha != 1) attributes.set_output_scales(0, {product.alpha});
  const dnnl::matmul::desc desc = result.bias
                                      ? dnnl::matmul::desc(product.a, wanted_b, row_major(bias_dims), product.result)
                                      : dnnl::matmul::desc(product.a, wanted_b, product.result);
  const dnnl::matmul::primitive_desc described(desc, attributes, engine());
  result.take(described);
  result.create = [described] { return dnnl::matmul(described); };
  return result;
}

/// Describes the whole call; oneDNN chooses the order of a constant b.
Contraction describe(const KernelSpec& spec, const OperatorCall& call, const Product& product, bool constant_b) {
  const memory::desc any(product.b.dims(), memory::data_type::f32, memory::format_tag::any);
  Contraction result = describe_as_product(spec, call, product, constant_b ? any : product.b);
  // Without AVX-512, oneDNN's matrix products read b unpacked, which is up to three times slower than a 1x1
  // convolution.
  const Dims dims = product.result.dims();
  const bool suits_convolution = constant_b && dims.size() == 2 && dims[0] >= 2 && dims[1] >= 8 && product.alpha == 1 &&
                                 same_order(product.a, row_major(product.a.dims()));
  if (suits_convolution && result.implementation.starts_with("gemm")) {
    Contraction convolution = describe_as_convolution(spec, call, product, nullptr);
    if (convolution.implementation.starts_with("jit")) return convolution;
  }
  return result;
}

Contraction describe(const KernelSpec& spec, bool constant_b) {
  const SpecCall call(spec);
  return describe(spec, call, product_of(spec, call), constant_b);
}

/// The parts of a call that oneDNN computes with the same code and the same order of b as the whole; empty when there
/// are none.
std::vector<Contraction> describe_parts(const KernelSpec& spec, const OperatorCall& call,
                                        const std::vector<Product>& products, const Contraction& whole) {
  std::vector<Contraction> parts;
  if (products.size() < 2) return parts;
  try {
    for (const Product& product : products) {
      const bool whole_b = product.b.dims() == products[0].b.dims() && product.result.data.ndims == 2;
      parts.push_back(whole.is_convolution
                          ? describe_as_convolution(spec, call, product, &whole.wanted_b)
                          : describe_as_product(spec, call, product, whole_b ? whole.wanted_b : product.b));
      if (parts.back().implementation != whole.implementation) return {};
    }
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw;
    parts.clear();  // oneDNN has no code for one of the parts
  }
  return parts;
}

Kernel prepare_watched_contraction(const KernelSpec& spec, Constants constants, InvalidWatch* watch) try {
  const Preparation alone;
  const SpecCall call(spec);
  const Product product = product_of(spec, call);
  const Contraction whole = describe(spec, call, product, !constants[1].empty());
  ScratchLayout scratch;
  const Weights weights(spec, 1, constants[1], whole.b, whole.wanted_b, scratch);
  const auto pieces = std::make_shared<Pieces>();
  const auto add = [&](const Contraction& contraction, const Product& part) {
    Execution& piece = pieces->add(contraction.create(), contraction.scratchpad);
    piece.bind_input(DNNL_ARG_SRC, contraction.a, 0, part.a_from);
    if (contraction.bias) piece.bind_input(DNNL_ARG_BIAS, contraction.bias_desc, *contraction.bias);
    piece.bind_output(DNNL_ARG_DST, contraction.result, part.result_from);
    piece.tell(watch);
    contraction.post_ops.bind(piece);
    weights.bind(piece, contraction.wanted_b, part.b_from);
  };
  // Several matrices b can be offset into only while they are in their own order.
  std::vector<Product> products = parts_of(product);
  if (product.result.data.ndims > 2 && !same_order(whole.wanted_b, product.b)) products = {product};
  const std::vector<Contraction> parts = describe_parts(spec, call, products, whole);
  constexpr std::size_t functions = 2;  // most parts share them
  pieces->count_code(functions);
  for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i], products[i]);
  if (parts.empty()) add(whole, product);
  pieces->plan(scratch);
  const auto run = [pieces, weights, sum = whole.post_ops.sum, c = whole.c,
                    bytes = byte_length(spec.outputs[0])](const KernelArguments& arguments) {
    if (sum) place_in_output(arguments, *sum, bytes);
    if (c)
      c->write(reinterpret_cast<const float*>(arguments.inputs[2]), reinterpret_cast<float*>(arguments.outputs[0]));
    weights.bring(arguments);
    pieces->run(arguments);
  };
  return kernel_of(run, scratch);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

}  // namespace

Kernel prepare_contraction(const KernelSpec& spec, Constants constants) {
  return keep_nan(prepare_watched_contraction, spec, constants);
}

std::optional<PackedConstant> pack_matrix(const KernelSpec& spec, std::size_t, std::span<const std::byte> bytes) try {
  const Preparation alone;
  const Contraction contraction = describe(spec, true);
  return pack_weights(contraction.b, contraction.wanted_b, bytes);
} catch (const dnnl::error& error) {
  throw as_error(error, spec);
}

std::string implementation_of_contraction(const KernelSpec& spec, bool constant_b) {
  const Preparation alone;
  return describe(spec, constant_b).implementation;
}

namespace {

bool takes_matmul(const KernelSpec& spec) {
  const Shape &a = spec.inputs[0]->shape, &b = spec.inputs[1]->shape, &result = spec.outputs[0].shape;
  const auto size_from_end = [](const Shape& shape, unsigned i) {
    return i > shape.rank() ? 1 : shape[shape.rank() - i];
  };
  unsigned batch_axes = 0;
  bool a_repeats = false, b_repeats = false, b_is_one = true;
  for (unsigned i = 3; i <= result.rank(); ++i) {
    if (size_from_end(result, i) == 1) continue;
    ++batch_axes;
    a_repeats = a_repeats || size_from_end(a, i) == 1;
    b_repeats = b_repeats || size_from_end(b, i) == 1;
    b_is_one = b_is_one && size_from_end(b, i) == 1;
  }
  return b_is_one || (!a_repeats && !b_repeats) || batch_axes <= 2;  // more broadcast axes are slow with post-ops
}

bool takes_contraction_post_ops(const KernelSpec& spec) {
  const bool has_c = spec.op == "gemm"_op && spec.inputs[2].has_value(), has_bias = product_has_bias(spec);
  return takes_post_ops(spec, 1, has_bias && !has_c, has_bias || !has_c);  // a c that is no bias is added as the sum
}

consteval CpuKernel contraction(std::string_view op, std::uint8_t in_place, bool (*can)(const KernelSpec&)) {
  return {.row = {.name = op,
                  .op = op,
                  .types = {DataType::float32},
                  .features = Feature::avx2,
                  .in_place = in_place,
                  .packs = 0b10,
                  .can = can,
                  .can_apply = takes_contraction_post_ops,
                  .factor = direct_factor,
                  .scale = by_vectors},
          .prepare = prepare_contraction,
          .pack = pack_matrix};
}

}  // namespace

constexpr CpuKernel contraction_list[] = {contraction("gemm", 0b1111'1000, nullptr),
                                          contraction("matmul", 0b1111'1100, takes_matmul)};
extern constexpr CpuKernels contraction_kernels(contraction_list);

}  // namespace webnn::runtime::onednn
