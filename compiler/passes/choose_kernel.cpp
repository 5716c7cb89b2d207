#include "compiler/passes/choose_kernel.hpp"

namespace webnn::compiler {
namespace {

/// Rows may look at layouts in their conditions. A spec that says none is tried in the ones that the row asks for.
bool takes_in_its_layouts(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  if (!takes(row, spec, target)) return false;
  if (row.layouts != LayoutRule::channels_last || !spec.input_layouts.empty()) return true;
  const KernelSpec asked = in_layout(spec, Layout::channels_last);
  return takes(row, asked, target) && takes_layouts(row, asked);
}

template <typename Allowed>
std::optional<KernelId> first_row(const KernelSpec& spec, const Options& options, Allowed allowed) {
  const auto table = kernel_table();
  for (std::size_t i = 0; i < table.size(); ++i)
    if (allowed(table[i]) && takes_in_its_layouts(table[i], spec, options.target) &&
        (!options.available || options.available(table[i], spec)))
      return KernelId{std::uint16_t(i)};
  return std::nullopt;
}

}  // namespace

KernelSpec in_layout(const KernelSpec& spec, Layout layout) {
  KernelSpec result = spec;
  result.input_layouts.assign(spec.inputs.size(), Layout::row_major);
  result.output_layouts.assign(spec.outputs.size(), Layout::row_major);
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    if (spec.is_activation(i) && !layouts_coincide(spec.inputs[i]->shape)) result.input_layouts[i] = layout;
  for (std::size_t i = 0; i < spec.outputs.size(); ++i)
    if (!layouts_coincide(spec.outputs[i].shape)) result.output_layouts[i] = layout;
  return result;
}

std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options) {
  if (!options.kernels.empty())
    if (const auto preferred =
            first_row(spec, options, [&](const KernelRow& row) { return row.provider() == options.kernels; }))
      return preferred;
  return first_row(spec, options, [](const KernelRow&) { return true; });
}

std::optional<KernelId> choose_kernel_for(Variant variant, const KernelSpec& spec, const Options& options,
                                          KernelId usual) {
  const auto in_layouts = [&](const KernelRow& row) { return variant != Variant::layouts || takes_layouts(row, spec); };
  const KernelRow& before = row(usual);
  if (const auto same =
          first_row(spec, options, [&](const KernelRow& row) { return &row == &before && in_layouts(row); }))
    return same;
  const bool preferred = before.provider() == options.kernels;
  return first_row(spec, options, [&](const KernelRow& row) {
    return in_layouts(row) && (preferred ? row.provider() == options.kernels : row.provider() != "reference");
  });
}

}  // namespace webnn::compiler
