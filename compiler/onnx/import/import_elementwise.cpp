// Elementwise ONNX operators that are not the same in both directions.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// The limits are inputs since version 11, attributes before.
void read_clip(ImportCall& c) {
  const auto limit = [&](std::size_t input, std::string_view attribute) -> std::optional<AttributeValue> {
    if (c.has(input)) return c.known_number(c.input(input), attribute);
    if (c.has_attribute(attribute)) return Number(c.real(attribute));
    return std::nullopt;
  };
  c.finish(c.make("clamp"_op, {c.input(0)}, {{"minValue", limit(1, "min")}, {"maxValue", limit(2, "max")}}));
}

constexpr OnnxImportRow elementwise_import_rows[] = {
    {.op_type = "Clip", .read = read_clip},
    {.op_type = "Elu", .text = "elu(?a) {alpha=?alpha}", .defaults = "alpha=1"},
    {.op_type = "LeakyRelu", .text = "leakyRelu(?a) {alpha=?alpha}", .defaults = "alpha=0.01"},
    {.op_type = "HardSigmoid", .text = "hardSigmoid(?a) {alpha=?alpha, beta=?beta}", .defaults = "alpha=0.2 beta=0.5"},
};

}  // namespace

std::span<const OnnxImportRow> import_elementwise_rows() { return elementwise_import_rows; }

}  // namespace webnn::compiler
