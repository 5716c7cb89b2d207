// Reductions, and normalisation along an axis by softmax.
#include <algorithm>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// Before version 13 all axes from the given one on are one.
void read_softmax(ImportCall& c) {
  const TensorId x = c.input(0);
  const bool is_new = c.opset() >= 13;
  const std::uint32_t axis = c.axis(c.integer("axis", is_new ? -1 : 1), c.rank(x));
  if (is_new || axis + 1 == c.dims(x).size())
    return c.finish(c.make("softmax"_op, {x}, {{"axis", std::int64_t{axis}}}));
  const OnnxIntegers dims = c.dims(x);
  std::int64_t outer = 1;
  for (std::uint32_t i = 0; i < axis; ++i) outer *= dims[i];
  const TensorId flat = c.reshape(x, {outer, c.count(x) / std::max<std::int64_t>(outer, 1)});
  c.finish(c.reshape(c.make("softmax"_op, {flat}, {{"axis", std::int64_t{1}}}), dims));
}

constexpr OnnxImportRow reduction_import_rows[] = {
    {.op_type = "Softmax", .read = read_softmax},
};

}  // namespace

std::span<const OnnxImportRow> import_reduction_rows() { return reduction_import_rows; }

}  // namespace webnn::compiler
