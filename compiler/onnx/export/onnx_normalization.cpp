// Normalisations in ONNX.
#include <algorithm>
#include <numeric>

#include "compiler/onnx/export/onnx_call.hpp"

namespace webnn::compiler {
namespace {

std::vector<unsigned> inverse(const std::vector<unsigned>& permutation) {
  std::vector<unsigned> result(permutation.size());
  for (unsigned axis = 0; axis < permutation.size(); ++axis) result[permutation[axis]] = axis;
  return result;
}

/// A node that sees its first operand with permuted axes, and whose result is permuted back.
void finish_permuted(OnnxCall& c, std::string_view onnx, const std::vector<unsigned>& permutation, OnnxInputs others,
                     const OnnxAttributes& attributes) {
  const OnnxOperand& x = c.operand(0);
  OnnxInputs inputs{c.transposed(x, permutation).name};
  inputs.insert(inputs.end(), others.begin(), others.end());
  if (std::ranges::is_sorted(permutation)) return c.finish(onnx, inputs, attributes);
  const OnnxOperand y = c.add(onnx, inputs, x.type, permuted(x.shape, permutation), attributes);
  c.finish("Transpose", {y.name}, {{"perm", integers_of(inverse(permutation))}});
}

/// The operand, or a constant in place of an absent one.
std::string or_filled(OnnxCall& c, std::size_t operand, std::string_view part, const Shape& shape, double value) {
  return c.has(operand) ? c.input(operand) : c.filled(part, c.operand(0).type, shape, value).name;
}

/// In ONNX, the channels are on axis 1.
void batch_normalization(OnnxCall& c, std::string_view onnx) {
  const OnnxOperand& x = c.operand(0);
  const unsigned axis = c.call.u32("axis");
  const Shape channels{x.shape[axis]};
  const OnnxInputs others{or_filled(c, 3, "scale", channels, 1), or_filled(c, 4, "bias", channels, 0), c.input(1),
                          c.input(2)};
  const OnnxAttributes attributes{{"epsilon", float(c.call.real("epsilon"))}};
  if (x.shape.rank() == 1) {
    OnnxInputs inputs{c.reshaped(x, {1, x.shape[0]}).name};
    inputs.insert(inputs.end(), others.begin(), others.end());
    const OnnxOperand y = c.add(onnx, inputs, x.type, {1, x.shape[0]}, attributes);
    return c.finish("Reshape", {y.name, c.integers("shape", {x.shape[0]}).name});
  }
  std::vector<unsigned> permutation(x.shape.rank());
  std::iota(permutation.begin(), permutation.end(), 0u);
  std::swap(permutation[axis], permutation[1]);
  finish_permuted(c, onnx, permutation, others, attributes);
}

void instance_normalization(OnnxCall& c, std::string_view onnx) {
  const bool last = c.call.text("layout") == "nhwc";
  const Shape channels{c.operand(0).shape[last ? 3 : 1]};
  finish_permuted(c, onnx, last ? std::vector<unsigned>{0, 3, 1, 2} : std::vector<unsigned>{0, 1, 2, 3},
                  {or_filled(c, 1, "scale", channels, 1), or_filled(c, 2, "bias", channels, 0)},
                  {{"epsilon", float(c.call.real("epsilon"))}});
}

/// ONNX normalises over all axes from one on; scale and bias have WebNN's order of axes.
void layer_normalization(OnnxCall& c, std::string_view onnx) {
  const OnnxOperand& x = c.operand(0);
  const std::vector<std::uint32_t> axes = c.call.u32_list("axes");
  if (axes.empty()) c.refuse("it normalises over no axis");
  std::vector<unsigned> permutation;
  Shape normalized;
  for (unsigned axis = 0; axis < x.shape.rank(); ++axis)
    if (std::ranges::find(axes, axis) == axes.end()) permutation.push_back(axis);
  const std::size_t first = permutation.size();
  for (const std::uint32_t axis : axes) {
    permutation.push_back(axis);
    normalized.push_back(x.shape[axis]);
  }
  OnnxInputs others{or_filled(c, 1, "scale", normalized, 1)};
  if (c.has(2)) others.push_back(c.input(2));
  finish_permuted(c, onnx, permutation, others,
                  {{"axis", std::int64_t(first)}, {"epsilon", float(c.call.real("epsilon"))}});
}

void softmax(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0)}, {{"axis", std::int64_t(c.call.u32("axis"))}});
}

constexpr OnnxRow normalization_rows[] = {
    {"batchNormalization", "BatchNormalization", batch_normalization, {}},
    {"instanceNormalization", "InstanceNormalization", instance_normalization, {}},
    {"layerNormalization", "LayerNormalization", layer_normalization, {}},
    {"softmax", "Softmax", softmax, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_normalization_rows() { return normalization_rows; }

}  // namespace webnn::compiler
