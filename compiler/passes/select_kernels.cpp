// select_kernels: node -> the row of the kernel table that measurements prefer, otherwise the cheapest one that takes it;
// rows of a preferred provider come first.
#include <algorithm>

#include "compiler/passes/parts/choose_kernel.hpp"
#include "compiler/passes/passes.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// The row for row-major; assign_layouts switches to the one for channels-last if it chooses that layout.
std::optional<KernelId> preferred_kernel(const Unit& unit, NodeId id, const KernelSpec& spec) {
  const CallPreference* preference = preference_of(unit.graph, id, unit.options);
  if (preference && preference->row_major && may_choose(*preference->row_major, spec, unit.options))
    return preference->row_major;
  return choose_kernel(spec, unit.options);
}

std::string text_of(const KernelSpec& spec) {
  std::string text(row(spec.op).name);
  for (std::size_t i = 0; i < spec.inputs.size() && i < 4; ++i)
    if (spec.inputs[i]) text += (i == 0 ? " of " : ", ") + spec.inputs[i]->text();
  for (const PostOp& post_op : spec.post_ops) text += " then " + std::string(row(post_op.op).name);
  return text;
}

}  // namespace

void select_kernels(Unit& unit) {
  const std::string& preferred = unit.options.kernels;
  if (!preferred.empty()) check_provider(unit.options.kernel_table, preferred);
  unit.plan.kernel.assign(unit.graph.node_count(), KernelId{});
  for (NodeId id : unit.graph.order()) {
    const KernelSpec spec = unit.graph.spec(id);
    if (const auto kernel = preferred_kernel(unit, id, spec)) {
      unit.plan.kernel[id.index] = *kernel;
      continue;
    }
    unit.diagnostics
        .error(Code::no_kernel, {},
               in_quotes(unit.graph.node(id).label) + ": no " + std::string(name_of(unit.options.target.device)) +
                   " kernel takes " + text_of(spec))
        .hints.push_back("`webnn-cli ops` lists what each device supports");
  }
}

}  // namespace webnn::compiler
