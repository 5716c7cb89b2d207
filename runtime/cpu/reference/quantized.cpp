// Operators on quantised tensors, by definition: dequantise the operands, run the float operator, and quantise its
// result.
#include <memory>
#include <optional>
#include <vector>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::runtime::reference {

// The kernels that these are composed of.
Kernel prepare_binary(const KernelSpec& spec, Constants constants);
Kernel prepare_cast(const KernelSpec& spec, Constants constants);
Kernel prepare_conv2d(const KernelSpec& spec, Constants constants);
Kernel prepare_pool2d(const KernelSpec& spec, Constants constants);
Kernel prepare_dequantize_linear(const KernelSpec& spec, Constants constants);
Kernel prepare_gemm(const KernelSpec& spec, Constants constants);
Kernel prepare_quantize_linear(const KernelSpec& spec, Constants constants);

namespace {

/// The scale and zero point of a tensor as operands of quantizeLinear and dequantizeLinear, which have the tensor's
/// rank.
struct Quantization {
  OperandDescriptor scale, zero_point;
  std::shared_ptr<std::vector<std::byte>> scale_bytes, zero_point_bytes;

  Quantization(const OperandDescriptor& tensor, double scale_value, std::int32_t zero_point_value)
      : scale{DataType::float32, ones(tensor)},
        zero_point{tensor.type, ones(tensor)},
        scale_bytes(std::make_shared<std::vector<std::byte>>(sizeof(float))),
        zero_point_bytes(std::make_shared<std::vector<std::byte>>(1)) {
    store_element(Number(scale_value), scale.type, scale_bytes->data(), 0);
    store_element(Number(std::int64_t{zero_point_value}), zero_point.type, zero_point_bytes->data(), 0);
  }
  static Shape ones(const OperandDescriptor& tensor) {
    Shape shape = tensor.shape;
    for (unsigned axis = 0; axis < shape.rank(); ++axis) shape[axis] = 1;
    return shape;
  }
};

OperandDescriptor as_float(const OperandDescriptor& tensor) { return {DataType::float32, tensor.shape}; }

Kernel prepare_step(PrepareFunction prepare, OperatorId op, std::vector<std::optional<OperandDescriptor>> inputs,
                    const OperandDescriptor& output, Attributes attributes = {}) {
  KernelSpec spec;
  spec.op = op;
  spec.attributes = attributes.size() != 0 ? std::move(attributes) : Attributes(row(op).attributes.size());
  spec.inputs = std::move(inputs);
  spec.outputs = {output};
  return prepare(spec, {});
}

Kernel dequantize(const OperandDescriptor& tensor, const Quantization& how) {
  return prepare_step(prepare_dequantize_linear, "dequantizeLinear"_op, {tensor, how.scale, how.zero_point},
                      as_float(tensor));
}
Kernel quantize(const OperandDescriptor& tensor, const Quantization& how) {
  return prepare_step(prepare_quantize_linear, "quantizeLinear"_op, {as_float(tensor), how.scale, how.zero_point},
                      tensor);
}

void run(const Kernel& kernel, std::initializer_list<const std::byte*> inputs, std::byte* output, std::byte* scratch) {
  std::byte* const outputs[] = {output};
  kernel.run({{inputs.begin(), inputs.size()}, outputs, scratch});
}

Quantization quantization(const OperatorCall& call, const OperandDescriptor& tensor, const std::string& name) {
  return {tensor, call.real(name + "Scale"), call.i32(name + "ZeroPoint")};
}

/// The attributes of the float operator, which the spec's operator has under the same names.
Attributes attributes_of(OperatorId float_op, const KernelSpec& spec) {
  Attributes attributes(row(float_op).attributes.size());
  for (std::size_t i = 0; i < attributes.size(); ++i)
    if (const int own = row(spec.op).attribute_index(row(float_op).attributes[i].name); own >= 0)
      attributes[i] = spec.attributes[std::size_t(own)];
  return attributes;
}

/// Runs a float operator on 8-bit operands with an 8-bit result; `names` are the names of their quantisation
/// attributes.
Kernel prepare_on_floats(const KernelSpec& spec, OperatorId op, PrepareFunction prepare,
                         const std::vector<std::string>& names) {
  const SpecCall call(spec);
  struct Operand {
    Quantization quantization;
    Kernel read;
    std::size_t place;  // offset in scratch memory
  };
  std::vector<Operand> read;
  std::vector<std::optional<OperandDescriptor>> floats;
  ScratchLayout pieces;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Quantization how = quantization(call, call.operand(i), names[i]);
    floats.emplace_back(as_float(call.operand(i)));
    read.push_back({how, dequantize(call.operand(i), how), pieces.add(byte_length(*floats.back()))});
  }
  const OperandDescriptor& output = spec.outputs[0];
  const Quantization of_output = quantization(call, output, "output");
  const Kernel compute = prepare_step(prepare, op, floats, as_float(output), attributes_of(op, spec));
  const Kernel write = quantize(output, of_output);
  const std::size_t result = pieces.add(byte_length(as_float(output))), scratch = pieces.add(compute.scratch_bytes);
  return {[=](const KernelArguments& arguments) {
            std::byte* const at = arguments.scratch;
            const std::byte* inputs[2] = {};
            for (std::size_t i = 0; i < read.size(); ++i) {
              const Quantization& how = read[i].quantization;
              run(read[i].read, {arguments.inputs[i], how.scale_bytes->data(), how.zero_point_bytes->data()},
                  at + read[i].place, nullptr);
              inputs[i] = at + read[i].place;
            }
            run(compute, {inputs[0], inputs[1]}, at + result, at + scratch);
            run(write, {at + result, of_output.scale_bytes->data(), of_output.zero_point_bytes->data()},
                arguments.outputs[0], nullptr);
          },
          pieces.bytes()};
}

}  // namespace

Kernel prepare_quantized_conv2d(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const OperandDescriptor &input = call.operand(0), &filter = call.operand(1), &output = spec.outputs[0];
  const bool rounds = output.type != DataType::float32;
  const Quantization of_input = quantization(call, input, "input");
  const auto of_output = rounds ? std::optional(quantization(call, output, "output")) : std::nullopt;
  Quantization of_filter(filter, 1, 0);  // its scales are an operand
  of_filter.scale.shape[0] = of_filter.zero_point.shape[0] = filter.shape[0];
  of_filter.zero_point_bytes->assign(filter.shape[0], std::byte{0});

  const Kernel read_input = dequantize(input, of_input), read_filter = dequantize(filter, of_filter);
  const Kernel convolve = prepare_step(prepare_conv2d, "conv2d"_op, {as_float(input), as_float(filter), spec.inputs[2]},
                                       as_float(output), attributes_of("conv2d"_op, spec));
  const Kernel write = rounds ? quantize(output, *of_output) : Kernel{};

  ScratchLayout pieces;
  const std::size_t x = pieces.add(byte_length(as_float(input))), w = pieces.add(byte_length(as_float(filter))),
                    y = pieces.add(byte_length(as_float(output)));
  const std::size_t scratch = pieces.add(convolve.scratch_bytes);
  return {[=](const KernelArguments& arguments) {
            std::byte* const at = arguments.scratch;
            run(read_input, {arguments.inputs[0], of_input.scale_bytes->data(), of_input.zero_point_bytes->data()},
                at + x, nullptr);
            run(read_filter, {arguments.inputs[1], arguments.inputs[3], of_filter.zero_point_bytes->data()}, at + w,
                nullptr);
            run(convolve, {at + x, at + w, arguments.inputs[2]}, rounds ? at + y : arguments.outputs[0], at + scratch);
            if (rounds)
              run(write, {at + y, of_output->scale_bytes->data(), of_output->zero_point_bytes->data()},
                  arguments.outputs[0], nullptr);
          },
          pieces.bytes()};
}

Kernel prepare_quantized_add(const KernelSpec& spec, Constants) {
  return prepare_on_floats(spec, "add"_op, prepare_binary, {"a", "b"});
}

Kernel prepare_quantized_average_pool2d(const KernelSpec& spec, Constants) {
  return prepare_on_floats(spec, "averagePool2d"_op, prepare_pool2d, {"input"});
}

Kernel prepare_byte_table(const KernelSpec& spec, Constants) {
  return make_kernel([count = element_count(spec.outputs[0].shape)](const KernelArguments& arguments) {
    for (std::size_t i = 0; i < count; ++i)
      arguments.outputs[0][i] = arguments.inputs[1][std::to_integer<std::size_t>(arguments.inputs[0][i])];
  });
}

Kernel prepare_block_quantized_matmul(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const OperandDescriptor &a = call.operand(0), &b = call.operand(1), &scale = call.operand(2);
  const std::uint32_t inner = a.shape[a.shape.rank() - 1], rows = std::uint32_t(element_count(a.shape) / inner);
  const OperandDescriptor matrix{DataType::float32, {rows, inner}};
  const OperandDescriptor product{DataType::float32,
                                  {rows, std::uint32_t(element_count(spec.outputs[0].shape) / rows)}};
  Attributes attributes(row("gemm"_op).attributes.size());
  attributes[std::size_t(row("gemm"_op).attribute_index("bTranspose"))] = call.boolean("bTranspose");

  // Scales are widened to float32, because the weights get their type, and so is what they are multiplied with.
  const auto cast = [](const OperandDescriptor& from, DataType type) {
    Attributes attributes_of_cast(row("cast"_op).attributes.size());
    attributes_of_cast[0] = type;
    return prepare_step(prepare_cast, "cast"_op, {from}, {type, from.shape}, std::move(attributes_of_cast));
  };
  const Kernel widen = cast(scale, DataType::float32), widen_a = cast({a.type, matrix.shape}, DataType::float32),
               round = cast(product, a.type);
  const Kernel read = prepare_step(prepare_dequantize_linear, "dequantizeLinear"_op,
                                   {b, as_float(scale), call.operand(3)}, as_float(b));
  const Kernel multiply =
      prepare_step(prepare_gemm, "gemm"_op, {matrix, as_float(b), std::nullopt}, product, std::move(attributes));

  ScratchLayout pieces;
  const std::size_t scales = pieces.add(byte_length(as_float(scale))), weights = pieces.add(byte_length(as_float(b))),
                    rows_of_a = pieces.add(byte_length(matrix)), sums = pieces.add(byte_length(product));
  const std::size_t scratch = pieces.add(multiply.scratch_bytes);
  return {[=](const KernelArguments& arguments) {
            std::byte* const at = arguments.scratch;
            run(widen, {arguments.inputs[2]}, at + scales, nullptr);
            run(read, {arguments.inputs[1], at + scales, arguments.inputs[3]}, at + weights, nullptr);
            run(widen_a, {arguments.inputs[0]}, at + rows_of_a, nullptr);
            run(multiply, {at + rows_of_a, at + weights, nullptr}, at + sums, at + scratch);
            run(round, {at + sums}, arguments.outputs[0], nullptr);
          },
          pieces.bytes()};
}

constexpr CpuKernel quantized_list[] = {
    {.row = {.name = "quantizedConv2d", .op = "@quantizedConv2d"}, .prepare = prepare_quantized_conv2d},
    {.row = {.name = "quantizedAdd", .op = "@quantizedAdd"}, .prepare = prepare_quantized_add},
    {.row = {.name = "quantizedAveragePool2d", .op = "@quantizedAveragePool2d"},
     .prepare = prepare_quantized_average_pool2d},
    {.row = {.name = "byteTable", .op = "@byteTable", .in_place = 0b01}, .prepare = prepare_byte_table},
    {.row = {.name = "blockQuantizedMatmul", .op = "@blockQuantizedMatmul"}, .prepare = prepare_block_quantized_matmul},
};
extern constexpr CpuKernels quantized_kernels(quantized_list);

}  // namespace webnn::runtime::reference
