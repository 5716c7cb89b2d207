#include "compiler/ir/call_text.hpp"

#include <algorithm>
#include <bit>

#include "compiler/ir/text.hpp"

namespace webnn::compiler {
namespace {

std::string operand_text(const KernelSpec& spec, const std::vector<bool>& constant, std::size_t i) {
  if (i >= spec.inputs.size() || !spec.inputs[i]) return "_";
  return (i < constant.size() && constant[i] ? "const " : "") + spec.inputs[i]->text();
}

}  // namespace

std::string call_text(const KernelSpec& spec, const std::vector<bool>& constant) {
  std::string text(row(spec.op).name);
  text += "(";
  for (std::size_t i = 0; i < spec.root_operand_count(); ++i) text += (i ? ", " : "") + operand_text(spec, constant, i);
  text += ")" + attributes_text(row(spec.op), spec.attributes);
  text += post_ops_text(spec, [&](std::size_t i) { return operand_text(spec, constant, i); });
  for (std::size_t i = 0; i < spec.outputs.size(); ++i) text += (i ? ", " : " : ") + spec.outputs[i].text();
  return text;
}

namespace {

/// The logarithm to base 2, rounded.
unsigned about_log2(std::uint64_t number) {
  if (number == 0) return 0;
  const unsigned below = unsigned(std::bit_width(number)) - 1;
  // Above 2^(below + 1/2): its square is above 2^(2 below + 1).
  return below + (below < 31 && number * number > std::uint64_t{2} << (2 * below) ? 1 : 0);
}

}  // namespace

std::string call_class(const KernelSpec& spec) {
  if (spec.outputs.empty()) return {};
  const SpecCall call(spec);
  const Shape& y = spec.outputs[0].shape;
  std::uint64_t m = 0, n = 0, k = 0, batches = 1;
  bool transposed = false;
  if (spec.op == "conv2d"_op) {
    if (call.text("inputLayout") != "nchw" || call.text("filterLayout") != "oihw") return {};
    const Shape& filter = call.shape(1);
    batches = call.u32("groups");
    m = y[1] / batches, n = std::uint64_t(y[0]) * y[2] * y[3], k = std::uint64_t(filter[1]) * filter[2] * filter[3];
  } else if (spec.op == "matmul"_op || spec.op == "gemm"_op) {
    const Shape& a = call.shape(0);
    const bool is_gemm = spec.op == "gemm"_op;
    m = y[y.rank() - 2], n = y[y.rank() - 1], batches = element_count(y) / std::max<std::uint64_t>(m * n, 1);
    k = a[a.rank() - (is_gemm && call.boolean("aTranspose") ? 2 : 1)];
    transposed = is_gemm && call.boolean("bTranspose");
  } else {
    return {};
  }
  const auto part = [](const char* name, std::uint64_t number) { return name + std::to_string(about_log2(number)); };
  return std::string(row(spec.op).name) + " " + std::string(name_of(spec.inputs[0]->type)) + part(" m", m) +
         part(" n", n) + part(" k", k) + part(" b", batches) + (transposed ? " t" : "");
}

}  // namespace webnn::compiler
