#include "tests/harness/stands_for.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "tests/harness/error_bound/wide_operator.hpp"

namespace webnn::tests {
namespace {

BoundedTensor run(std::string_view op, const OptionalBoundedTensors& inputs, const NamedAttributes& attributes = {}) {
  OptionalTensors descriptors;
  for (const auto& input : inputs)
    descriptors.push_back(input ? std::optional(TestTensor{input->descriptor, {}}) : std::nullopt);
  return bounded_outputs(operator_spec(op, descriptors, attributes), inputs).at(0);
}

class Parts {
 public:
  Parts(const KernelSpec& spec, const OptionalBoundedTensors& inputs) : spec_(spec), inputs_(inputs), call_(spec) {}

  BoundedTensor convolution() const {
    BoundedTensor scale = *inputs_[3];
    scale.descriptor.shape = Shape{std::uint32_t(scale.count()), 1, 1, 1};
    const BoundedTensor none =
        exactly(tensor(DataType::int8, scale.descriptor.shape, Numbers(scale.count(), Number(0))));
    // Integer arithmetic holds the bias as a multiple of what the products of integers stand for, where bytes hardly
    // show it.
    std::optional<BoundedTensor> bias = inputs_[2];
    const double most = is_float(spec_.outputs[0].type) ? infinity : call_.real("outputScale") / 8;
    for (std::size_t i = 0; bias && i < bias->count(); ++i)
      bias->bounds[i] = std::min(std::fabs(call_.real("inputScale") * scale.value(i)) / 2, most);
    const BoundedTensor filter = run("dequantizeLinear", {inputs_[1], scale, none});
    return quantized(run("conv2d", {dequantized(0, "input"), filter, bias}, attributes("conv2d")));
  }
  BoundedTensor sum() const { return quantized(run("add", {dequantized(0, "a"), dequantized(1, "b")})); }
  BoundedTensor average() const {
    return quantized(run("averagePool2d", {dequantized(0, "input")}, attributes("averagePool2d")));
  }
  BoundedTensor block_product() const {
    BoundedTensor scale = *inputs_[2];
    scale.descriptor.type = DataType::float32;  // weights are not rounded to the type of their scale
    BoundedTensor weights = run("dequantizeLinear", {inputs_[1], scale, inputs_[3]});
    if (call_.boolean("bTranspose")) weights = run("transpose", {weights});
    weights.descriptor.type = inputs_[0]->descriptor.type;
    return run("matmul", {inputs_[0], weights});
  }

 private:
  /// Those of the spec that the operator has under the same names.
  NamedAttributes attributes(std::string_view op) const {
    NamedAttributes result;
    for (std::size_t i = 0; i < spec_.attributes.size(); ++i) {
      const std::string_view name = row(spec_.op).attributes[i].name;
      if (!spec_.attributes[i] || row(*find_operator(op)).attribute_index(name) < 0) continue;
      result.emplace_back(name, false).value = *spec_.attributes[i];
    }
    return result;
  }
  /// A tensor of one element that broadcasts to `like`.
  static BoundedTensor one(DataType type, const OperandDescriptor& like, Number value) {
    Shape shape;
    for (unsigned axis = 0; axis < like.shape.rank(); ++axis) shape.push_back(1);
    return exactly(tensor(type, shape, {value}));
  }
  std::array<BoundedTensor, 2> quantization(DataType type, const OperandDescriptor& like,
                                            const std::string& name) const {
    return {one(DataType::float32, like, Number(call_.real(name + "Scale"))),
            one(type, like, Number(std::int64_t{call_.i32(name + "ZeroPoint")}))};
  }
  BoundedTensor dequantized(std::size_t k, const std::string& name) const {
    const OperandDescriptor& descriptor = inputs_[k]->descriptor;
    const auto [scale, zero] = quantization(descriptor.type, descriptor, name);
    return run("dequantizeLinear", {inputs_[k], scale, zero});
  }
  BoundedTensor quantized(BoundedTensor result) const {
    const DataType type = spec_.outputs[0].type;
    if (is_float(type)) return result;
    const auto [scale, zero] = quantization(type, result.descriptor, "output");
    return run("quantizeLinear", {std::move(result), scale, zero});
  }

  const KernelSpec& spec_;
  const OptionalBoundedTensors& inputs_;
  SpecCall call_;
};

}  // namespace

std::optional<std::vector<BoundedTensor>> bounded_outputs_of_parts(const KernelSpec& spec,
                                                                   const OptionalBoundedTensors& inputs) {
  const Parts parts(spec, inputs);
  if (spec.op == "@quantizedConv2d"_op) return std::vector{parts.convolution()};
  if (spec.op == "@quantizedAdd"_op) return std::vector{parts.sum()};
  if (spec.op == "@quantizedAveragePool2d"_op) return std::vector{parts.average()};
  if (spec.op == "@blockQuantizedMatmul"_op) return std::vector{parts.block_product()};
  return std::nullopt;
}

}  // namespace webnn::tests
