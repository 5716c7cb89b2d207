// ONNX operators that move elements.
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// Inputs without elements add nothing.
void read_concat(ImportCall& c) {
  std::vector<TensorId> parts;
  for (std::size_t i = 0; i < c.input_count(); ++i)
    if (c.count(c.input(i)) != 0 || c.input_count() == 1) parts.push_back(c.input(i));
  if (parts.empty()) parts.push_back(c.input(0));
  if (parts.size() == 1) return c.finish(parts[0]);
  const std::uint32_t axis =
      c.axis(c.integer("axis", c.opset() < 4 ? std::optional<std::int64_t>(1) : std::nullopt), c.rank(parts[0]));
  c.finish(c.make_all("concat"_op, parts, {{"axis", std::int64_t{axis}}})[0]);
}

/// At inference nothing is dropped.
void read_dropout(ImportCall& c) {
  c.finish(c.input(0));
  if (c.wants(1)) c.finish(1, c.filled(OnnxType::boolean, c.dims(c.input(0)), 1));
}

constexpr OnnxImportRow movement_import_rows[] = {
    {.op_type = "Concat", .read = read_concat},
    {.op_type = "Dropout", .read = read_dropout},
};

}  // namespace

std::span<const OnnxImportRow> import_movement_rows() { return movement_import_rows; }

}  // namespace webnn::compiler
