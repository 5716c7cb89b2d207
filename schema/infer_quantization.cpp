// Shape rule of quantizeLinear and dequantizeLinear: scale and zero point are given per block of the input.
#include "schema/infer.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {

void infer_quantize(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& scale = call.shape(1);
  const Shape& zero_point = call.shape(2);
  // "blockwise broadcasting": one scale for input.shape[i] / scale.shape[i] neighbours on each axis.
  bool divides = scale.rank() == input.rank();
  for (unsigned axis = 0; divides && axis < input.rank(); ++axis) divides = input[axis] % scale[axis] == 0;
  if (!divides)
    result.fail_operand(1, sentence("'scale' has shape ", scale, ", which does not divide the input's ", input),
                        "scale needs the input's rank, and each of its sizes must divide the input's");
  if (zero_point != scale)
    result.fail_operand(2, sentence("'zeroPoint' has shape ", zero_point, ", but 'scale' has ", scale));

  // The output shares its type variable with one of the operands.
  const char variable = call.op().outputs[0].variable;
  for (std::size_t place = 0; place < call.operands().size(); ++place) {
    if (call.op().operands[place].variable != variable) continue;
    result.output(call.operand(place).type, input);
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

}  // namespace webnn::schema
