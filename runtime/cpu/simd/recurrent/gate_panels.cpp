#include "runtime/cpu/simd/recurrent/gate_panels.hpp"

#include <string>

#include "runtime/cpu/simd/isa.hpp"
#include "schema/elements/half.hpp"

namespace webnn::runtime::simd {

RecurrentSizes::RecurrentSizes(const OperatorCall& call) {
  const Shape& input = call.shape(0);
  const unsigned rank = input.rank();  // [time steps, batches, inputs], for a cell [batches, inputs]
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

template <class T>
Packing<T> panels_of(const RecurrentSizes& sizes, std::string_view layout, std::size_t operand) {
  const std::size_t depth = sizes.depth(operand);
  const std::string_view order = panel_order(sizes.gates);
  Packing<T> packing;
  packing.form = "simd:" + std::to_string(sizes.directions) + "x" + std::to_string(sizes.hidden) + "x" +
                 std::to_string(depth) + ":" + std::string(layout) + ">" + std::string(order) + "16" +
                 (sizeof(T) == 2 ? ":float16" : "");
  packing.elements = sizes.directions * sizes.panels(operand);
  packing.write = [sizes, layout = std::string(layout), depth, order](const T* weights, T* to) {
    for (std::size_t direction = 0; direction < sizes.directions; ++direction) {
      const T* const own = weights + direction * sizes.gates * sizes.hidden * depth;
      for (std::size_t group = 0; group < sizes.groups(); ++group)
        for (std::size_t k = 0; k < depth; ++k)
          for (const char gate : order)
            for (std::size_t i = 0; i < units_of_group; ++i) {
              const std::size_t unit = group * units_of_group + i;
              *to++ = unit < sizes.hidden ? own[(layout.find(gate) * sizes.hidden + unit) * depth + k] : T{};
            }
    }
  };
  return packing;
}

template Packing<float> panels_of(const RecurrentSizes&, std::string_view, std::size_t);
template Packing<Half> panels_of(const RecurrentSizes&, std::string_view, std::size_t);

std::optional<PackedConstant> pack_panels(const KernelSpec& spec, std::size_t operand, std::span<const std::byte> bytes,
                                          Isa) {
  const SpecCall call(spec);
  const RecurrentSizes sizes(call);
  const std::string_view layout = call.text("layout");
  return call.operand(0).type == DataType::float16 ? panels_of<Half>(sizes, layout, operand).pack(bytes)
                                                   : panels_of<float>(sizes, layout, operand).pack(bytes);
}

}  // namespace webnn::runtime::simd
