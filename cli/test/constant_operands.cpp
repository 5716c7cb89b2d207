#include "cli/test/constant_operands.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace webnn::cli {

using namespace compiler;

namespace {

/// An operand by its index.
struct ConstantOperand {
  std::string_view op_type;
  std::size_t operand;
};

constexpr ConstantOperand constant_operand_rows[] = {
    {"BlackmanWindow", 0},
    {"Clip", 1},
    {"Clip", 2},
    {"Compress", 1},
    {"ConstantOfShape", 0},
    {"CumSum", 1},
    {"DFT", 1},
    {"DFT", 2},
    {"Dropout", 1},
    {"Dropout", 2},
    {"Expand", 1},
    {"HammingWindow", 0},
    {"HannWindow", 0},
    {"If", 0},
    {"Loop", 0},
    {"Loop", 1},
    {"MelWeightMatrix", 0},
    {"MelWeightMatrix", 1},
    {"MelWeightMatrix", 2},
    {"MelWeightMatrix", 3},
    {"MelWeightMatrix", 4},
    {"NonZero", 0},
    {"OneHot", 1},
    {"Pad", 1},
    {"Pad", 2},
    {"Pad", 3},
    {"Range", 0},
    {"Range", 1},
    {"Range", 2},
    {"ReduceL1", 1},
    {"ReduceL2", 1},
    {"ReduceLogSum", 1},
    {"ReduceLogSumExp", 1},
    {"ReduceMax", 1},
    {"ReduceMean", 1},
    {"ReduceMin", 1},
    {"ReduceProd", 1},
    {"ReduceSum", 1},
    {"ReduceSumSquare", 1},
    {"Reshape", 1},
    {"Resize", 1},
    {"Resize", 2},
    {"Resize", 3},
    {"ReverseSequence", 1},
    {"SequenceAt", 1},
    {"SequenceErase", 1},
    {"SequenceInsert", 2},
    {"STFT", 1},
    {"STFT", 3},
    {"Slice", 1},
    {"Slice", 2},
    {"Slice", 3},
    {"Slice", 4},
    {"Split", 1},
    {"SplitToSequence", 1},
    {"Squeeze", 1},
    {"Tile", 1},
    {"TopK", 1},
    {"Trilu", 1},
    {"Unsqueeze", 1},
    {"Upsample", 1},
};

void add_operands(const std::vector<OnnxNode>& nodes, std::set<std::string>& names) {
  for (const OnnxNode& node : nodes) {
    for (const ConstantOperand& row : constant_operand_rows)
      if (row.op_type == node.op_type && row.operand < node.inputs.size() && node.domain.empty())
        names.insert(node.inputs[row.operand]);
    for (const OnnxAttribute& attribute : node.attributes)
      if (const auto* graph = std::get_if<std::shared_ptr<const OnnxGraph>>(&attribute.value))
        add_operands((*graph)->nodes, names);
  }
}

}  // namespace

std::vector<std::string> constant_operands(const OnnxModel& model) {
  std::set<std::string> names;
  add_operands(model.nodes, names);
  // And what they are computed from; but shapes are known without the elements.
  for (std::size_t i = model.nodes.size(); i-- > 0;) {
    const OnnxNode& node = model.nodes[i];
    const bool is_used = std::ranges::any_of(node.outputs, [&](const auto& name) { return names.contains(name); });
    if (is_used && node.op_type != "Shape" && node.op_type != "Size")
      names.insert(node.inputs.begin(), node.inputs.end());
  }
  std::vector<std::string> inputs;
  for (const OnnxValue& input : model.inputs)
    if (names.contains(input.name)) inputs.push_back(input.name);
  return inputs;
}

}  // namespace webnn::cli
