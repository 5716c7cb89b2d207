#include "runtime/cpu/simd/gate_panels.hpp"

#include <algorithm>

#include "schema/aligned_bytes.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::runtime::simd {

RecurrentSizes::RecurrentSizes(const OperatorCall& call) {
  const Shape& input = call.shape(0);
  const unsigned rank = input.rank();  // [steps, batches, inputs], of a cell [batches, inputs]
  batches = input[rank - 2];
  inputs = input[rank - 1];
  hidden = call.u32("hiddenSize");
  gates = call.text("layout").size();
  if (rank == 3) {
    steps = input[0];
    directions = call.shape(1)[0];
    backward = call.text("direction") == "backward";
  }
}

void write_panels(const RecurrentSizes& sizes, std::string_view layout, std::size_t depth, const float* weights,
                  float* to) {
  const std::string_view order = panel_order(sizes.gates);
  for (std::size_t direction = 0; direction < sizes.directions; ++direction) {
    const float* const own = weights + direction * sizes.gates * sizes.hidden * depth;
    for (std::size_t group = 0; group < sizes.groups(); ++group)
      for (std::size_t k = 0; k < depth; ++k)
        for (const char gate : order)
          for (std::size_t i = 0; i < units_of_group; ++i) {
            const std::size_t unit = group * units_of_group + i;
            *to++ = unit < sizes.hidden ? own[(layout.find(gate) * sizes.hidden + unit) * depth + k] : 0.0f;
          }
  }
}

std::string panels_form(const RecurrentSizes& sizes, std::string_view layout, std::size_t depth) {
  return "simd:" + std::to_string(sizes.directions) + "x" + std::to_string(sizes.hidden) + "x" + std::to_string(depth) +
         ":" + std::string(layout) + ">" + std::string(panel_order(sizes.gates)) + "16";
}

std::optional<PackedConstant> pack_panels(const KernelSpec& spec, std::size_t operand,
                                          std::span<const std::byte> bytes) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const RecurrentSizes sizes(call);
  const std::size_t depth = operand == 1 ? sizes.inputs : sizes.hidden;
  AlignedBytes panels(sizes.directions * sizes.row() * depth * sizeof(float));
  write_panels(sizes, call.text("layout"), depth, reinterpret_cast<const float*>(bytes.data()),
               reinterpret_cast<float*>(panels.data()));
  return PackedConstant{panels_form(sizes, call.text("layout"), depth), std::move(panels).take()};
}

PanelOperand::PanelOperand(const KernelSpec& spec, const OperatorCall& call, const RecurrentSizes& sizes,
                           std::size_t operand, std::span<const std::byte> constant, std::size_t& scratch)
    : sizes_(sizes),
      layout_(call.text("layout")),
      operand_(operand),
      depth_(operand == 1 ? sizes.inputs : sizes.hidden),
      is_packed_(spec.input_layout(operand) == Layout::private_form) {
  const std::size_t floats = sizes.directions * of_direction();
  if (is_packed_) {
    if (spec.input_form(operand) != panels_form(sizes, layout_, depth_))
      throw Error(ExitCode::program,
                  "a recurrent network cannot read weights of the form " + in_quotes(spec.input_form(operand)));
  } else if (!constant.empty()) {
    std::vector<float> panels(floats);
    write_panels(sizes, layout_, depth_, reinterpret_cast<const float*>(constant.data()), panels.data());
    owned_ = std::make_shared<const std::vector<float>>(std::move(panels));
  } else {
    scratch_at_ = scratch;
    scratch += (floats * sizeof(float) + 63) / 64 * 64;
  }
}

const float* PanelOperand::in(const KernelArguments& arguments) const {
  const auto* operand = reinterpret_cast<const float*>(arguments.inputs[operand_]);
  if (is_packed_) return operand;
  if (owned_) return owned_->data();
  auto* panels = reinterpret_cast<float*>(arguments.scratch + scratch_at_);
  write_panels(sizes_, layout_, depth_, operand, panels);
  return panels;
}

}  // namespace webnn::runtime::simd
