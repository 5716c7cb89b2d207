// Reductions and scans in ONNX.
#include "compiler/onnx/export/onnx_call.hpp"

namespace webnn::compiler {
namespace {

/// Over no axes, ONNX's reductions return their operand, while WebNN's apply to each single number.
struct Single {
  std::string_view reduction, onnx;
};
constexpr Single singles[] = {
    {"ReduceL1", "Abs"}, {"ReduceL2", "Abs"}, {"ReduceLogSum", "Log"}, {"ReduceSumSquare", "Mul"}};

void reduce(OnnxCall& c, std::string_view onnx) {
  const std::vector<std::uint32_t> axes = c.call.u32_list("axes");
  if (axes.empty()) {
    for (const Single& single : singles)
      if (single.reduction == onnx) return c.finish(single.onnx, OnnxInputs(single.onnx == "Mul" ? 2 : 1, c.input(0)));
    return c.finish("Identity", {c.input(0)});
  }
  c.finish(onnx, {c.input(0), c.integers("axes", {axes.begin(), axes.end()}).name},
           {{"keepdims", std::int64_t(c.call.boolean("keepDimensions"))}});
}

void arg_reduce(OnnxCall& c, std::string_view onnx) {
  const OnnxAttributes attributes{{"axis", std::int64_t(c.call.u32("axis"))},
                                  {"keepdims", std::int64_t(c.call.boolean("keepDimensions"))}};
  if (c.result().type == DataType::int64) return c.finish(onnx, {c.input(0)}, attributes);
  const OnnxOperand index = c.add(onnx, {c.input(0)}, DataType::int64, c.result().shape, attributes);
  c.finish("Cast", {index.name}, {{"to", std::int64_t(onnx_type(c.result().type))}});
}

void cumulative_sum(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, {c.input(0), c.integer("axis", c.call.u32("axis")).name},
           {{"exclusive", std::int64_t(c.call.boolean("exclusive"))},
            {"reverse", std::int64_t(c.call.boolean("reversed"))}});
}

constexpr OnnxRow reduction_rows[] = {
    {"reduceL1", "ReduceL1", reduce, {}},
    {"reduceL2", "ReduceL2", reduce, {}},
    {"reduceLogSum", "ReduceLogSum", reduce, {}},
    {"reduceLogSumExp", "ReduceLogSumExp", reduce, {}},
    {"reduceMax", "ReduceMax", reduce, {}},
    {"reduceMean", "ReduceMean", reduce, {}},
    {"reduceMin", "ReduceMin", reduce, {}},
    {"reduceProduct", "ReduceProd", reduce, {}},
    {"reduceSum", "ReduceSum", reduce, {}},
    {"reduceSumSquare", "ReduceSumSquare", reduce, {}},
    {"argMin", "ArgMin", arg_reduce, {}},
    {"argMax", "ArgMax", arg_reduce, {}},
    {"cumulativeSum", "CumSum", cumulative_sum, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_reduction_rows() { return reduction_rows; }

}  // namespace webnn::compiler
