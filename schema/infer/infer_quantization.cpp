// Shape rules of quantizeLinear, dequantizeLinear and internal operators on quantised tensors: there is one scale and
// one zero point for each block of the input.
#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {

namespace {

/// Reports `scale` and `zeroPoint`, the operands behind operand `quantized`, unless they have one element for each of
/// its blocks.
void check_blocks(const OperatorCall& call, Inference& result, std::size_t quantized) {
  const Shape& shape = call.shape(quantized);
  const Shape& scale = call.shape(quantized + 1);
  const Shape& zero_point = call.shape(quantized + 2);
  // "blockwise broadcasting": one scale for shape[i] / scale.shape[i] neighbours on each axis.
  bool divides = scale.rank() == shape.rank();
  for (unsigned axis = 0; divides && axis < shape.rank(); ++axis) divides = shape[axis] % scale[axis] == 0;
  if (!divides) {
    const std::string_view name = call.op().operands[quantized].name;
    result.fail_operand(
        quantized + 1, sentence("'scale' has shape ", scale, ", which does not divide the ", name, "'s ", shape),
        sentence("scale needs the ", name, "'s rank, and each of its sizes must divide the ", name, "'s"));
  }
  if (zero_point != scale)
    result.fail_operand(quantized + 2, sentence("'zeroPoint' has shape ", zero_point, ", but 'scale' has ", scale));
}

}  // namespace

void infer_quantize(const OperatorCall& call, Inference& result) {
  check_blocks(call, result, 0);
  // The output shares its type variable with one of the operands.
  const char variable = call.op().outputs[0].variable;
  for (std::size_t place = 0; place < call.operands().size(); ++place) {
    if (call.op().operands[place].variable != variable) continue;
    result.output(call.operand(place).type, call.shape(0));
    return;
  }
}

void infer_quantized_add(const OperatorCall& call, Inference& result) {
  if (call.shape(1) != call.shape(0))
    result.fail_operand(1, sentence("'b' has shape ", call.shape(1), ", but 'a' has ", call.shape(0)));
  result.output(call.data_type("dataType"), call.shape(0));
}

void infer_byte_table(const OperatorCall& call, Inference& result) {
  constexpr std::uint32_t bytes = 256;
  if (call.shape(1)[0] != bytes)
    result.fail_operand(1, sentence("'table' has shape ", call.shape(1), ", expected one element for each byte"));
  result.output(call.operand(1).type, call.shape(0));
}

void infer_block_quantized_matmul(const OperatorCall& call, Inference& result) {
  check_blocks(call, result, 1);
  const Shape &a = call.shape(0), &b = call.shape(1);
  const bool transposed = call.boolean("bTranspose");
  const std::uint32_t inner = a[a.rank() - 1], b_inner = b[transposed ? 1 : 0];
  if (inner != b_inner)
    result.fail(sentence("'a' ", a, " has ", counted(inner, "column"), ", but 'b' ", b, transposed ? " transposed" : "",
                         " has ", counted(b_inner, "row")));
  Sizes sizes(a.begin(), a.end());
  sizes.back() = b[transposed ? 0 : 1];
  infer_output(result, call.operand(0).type, sizes);
}

}  // namespace webnn::schema
