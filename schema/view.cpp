#include "schema/view.hpp"

#include <algorithm>

namespace webnn::schema {
namespace {

/// The axes in memory order, outermost first, without those of size 1.
std::vector<unsigned> axes_in_memory(const Shape& shape, Layout layout) {
  std::vector<unsigned> axes(shape.rank());
  for (unsigned i = 0; i < shape.rank(); ++i) axes[i] = i;
  if (layout == Layout::channels_last) axes = {0, 2, 3, 1};
  std::erase_if(axes, [&](unsigned axis) { return shape[axis] == 1; });
  return axes;
}

}  // namespace

bool is_view(const KernelSpec& spec) {
  const bool reshapes = row(spec.op).family == Family::view;
  const bool transposes = spec.op == "transpose"_op;
  if (!(reshapes || transposes || spec.op == "@reorder"_op) || !spec.post_ops.empty()) return false;
  const Layout from = spec.input_layout(0), to = spec.output_layout(0);
  if (from == Layout::private_form || to == Layout::private_form) return false;
  const std::vector<unsigned> source = axes_in_memory(spec.inputs[0]->shape, from);
  std::vector<unsigned> result = axes_in_memory(spec.outputs[0].shape, to);
  if (reshapes && spec.inputs[0]->shape != spec.outputs[0].shape)
    return std::ranges::is_sorted(source) && std::ranges::is_sorted(result);
  if (transposes) {
    const auto permutation = SpecCall(spec).u32_list("permutation");
    for (unsigned& axis : result) axis = permutation[axis];
  }
  return source == result;
}

}  // namespace webnn::schema
