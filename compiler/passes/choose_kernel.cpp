#include "compiler/passes/choose_kernel.hpp"

#include <algorithm>

#include "compiler/ir/call_text.hpp"

namespace webnn::compiler {
namespace {

/// Conditions of rows may look at layouts. A spec without layouts is tried in the layout that the row requires.
bool takes_in_its_layouts(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  if (!takes(row, spec, target)) return false;
  if (row.layouts != LayoutRule::channels_last || !spec.input_layouts.empty()) return true;
  const KernelSpec asked = in_layout(spec, Layout::channels_last);
  return takes(row, asked, target) && takes_layouts(row, asked);
}

template <typename Allowed>
std::optional<KernelId> first_row(const KernelSpec& spec, const Options& options, Allowed allowed) {
  for (const KernelRow& row : kernel_table())
    if (allowed(row) && may_choose(id_of(row), spec, options)) return id_of(row);
  return std::nullopt;
}

}  // namespace

bool may_choose(KernelId kernel, const KernelSpec& spec, const Options& options) {
  const KernelRow& candidate = row(kernel);
  return takes_in_its_layouts(candidate, spec, options.target) &&
         (!options.available || options.available(candidate, spec));
}

std::vector<KernelId> kernels_to_measure(const KernelSpec& spec, const Options& options) {
  std::vector<KernelId> kernels;
  for (const KernelRow& row : kernel_table())
    if (may_choose(id_of(row), spec, options)) kernels.push_back(id_of(row));
  const auto is_reference = [](KernelId kernel) { return row(kernel).provider() == "reference"; };
  if (!std::ranges::all_of(kernels, is_reference)) std::erase_if(kernels, is_reference);
  return kernels;
}

const CallPreference* preference_of(const Graph& graph, NodeId id, const Options& options) {
  const auto& calls = options.tuning.calls;
  if (calls.empty()) return nullptr;
  std::vector<bool> constant;
  for (const ValueId input : graph.node(id).inputs) constant.push_back(input.valid() && graph.is_constant(input));
  const auto found = calls.find(call_text(graph.spec(id), constant));
  return found == calls.end() ? nullptr : &found->second;
}

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
  if (const auto own = choose_own_kernel(spec, options)) return own;
  return first_row(spec, options, [&](const KernelRow& row) { return falls_back(row, options.target); });
}

std::optional<KernelId> choose_own_kernel(const KernelSpec& spec, const Options& options) {
  return first_row(spec, options, [&](const KernelRow& row) { return row.device == options.target.device; });
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
    return in_layouts(row) && row.device == before.device &&
           (preferred ? row.provider() == options.kernels : row.provider() != "reference");
  });
}

}  // namespace webnn::compiler
