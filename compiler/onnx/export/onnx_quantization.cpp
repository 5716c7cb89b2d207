// quantizeLinear and dequantizeLinear in ONNX.
#include <algorithm>
#include <optional>

#include "compiler/onnx/export/onnx_call.hpp"
#include "compiler/onnx/export/onnx_export.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

/// The extent of one scale: the whole tensor, a slice of one axis, or a block of one axis.
struct Blocks {
  std::optional<unsigned> axis;
  std::int64_t size = 0;  // of a block; 0: no blocks
};

std::optional<Blocks> blocks_of(const Shape& input, const Shape& scale) {
  Blocks blocks;
  unsigned wide = 0;     // axes along which the scale has several values
  unsigned partial = 0;  // axes along which several elements share one value
  for (unsigned axis = 0; axis < scale.rank(); ++axis) {
    if (scale[axis] > 1) {
      ++wide;
      blocks.axis = axis;
    }
    if (scale[axis] < input[axis]) ++partial;
  }
  if (wide == 0) return blocks;
  if (wide == 1 && scale[*blocks.axis] == input[*blocks.axis]) return blocks;
  if (partial > 1) return std::nullopt;
  for (unsigned axis = 0; axis < scale.rank(); ++axis)
    if (scale[axis] < input[axis]) blocks.axis = axis;
  blocks.size = input[*blocks.axis] / scale[*blocks.axis];
  return blocks;
}

bool is_zero(const OnnxOperand& operand) {
  return operand.data && std::ranges::all_of(operand.data->view(), [](std::byte b) { return b == std::byte{0}; });
}

void quantization(OnnxCall& c, std::string_view onnx) {
  const bool quantizes = onnx == "QuantizeLinear";
  const Shape& scale = c.call.shape(1);
  const DataType type = c.operand(2).type;
  if (type == uint32 || (type == int32 && quantizes))
    c.refuse("it has no quantisation to or from " + std::string(name_of(type)));
  if (type == int32 && !is_zero(c.operand(2))) c.refuse("int32 has no zero point there");
  const std::optional<Blocks> blocks = blocks_of(c.call.shape(0), scale);
  if (!blocks) c.refuse("the blocks of one scale spread over several axes");

  Shape form = scale;
  OnnxAttributes attributes;
  if (blocks->axis) attributes.push_back({"axis", std::int64_t(*blocks->axis)});
  if (blocks->size != 0) {
    attributes.push_back({"block_size", blocks->size});
    c.need_opset(onnx_opset_of_blocks);
  } else {
    form = blocks->axis ? Shape{scale[*blocks->axis]} : Shape{};
  }
  OnnxInputs inputs{c.input(0), c.reshaped(c.operand(1), form).name};
  if (type != int32) inputs.push_back(c.reshaped(c.operand(2), form).name);
  c.finish(onnx, inputs, attributes);
}

constexpr OnnxRow quantization_rows[] = {
    {"quantizeLinear", "QuantizeLinear", quantization, {}},
    {"dequantizeLinear", "DequantizeLinear", quantization, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_quantization_rows() { return quantization_rows; }

}  // namespace webnn::compiler
