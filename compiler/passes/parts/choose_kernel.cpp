#include "compiler/passes/parts/choose_kernel.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compiler/ir/call_text.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {
namespace {

/// Conditions of rows may look at layouts. A spec without layouts is tried in the layout that the row requires, but for
/// rows that assign_layouts alone may choose.
bool takes_in_its_layouts(const KernelRow& row, const KernelSpec& spec, const Target& target) {
  if (row.layouts == LayoutRule::to_channels_last && spec.input_layouts.empty()) return false;
  if (!takes(row, spec, target)) return false;
  if (row.layouts != LayoutRule::channels_last || !spec.input_layouts.empty()) return true;
  const KernelSpec asked = in_layout(spec, Layout::channels_last);
  return takes(row, asked, target) && takes_layouts(row, asked);
}

/// Of rows with equal costs, the name decides.
template <typename Allowed>
std::optional<KernelId> cheapest_row(const KernelSpec& spec, const Options& options, Allowed allowed) {
  const KernelRow* best = nullptr;
  double least = 0;
  for (const KernelRow* const candidate : options.kernel_table.rows_for(spec.op)) {
    const KernelRow& row = *candidate;
    if (best && !row.scale && (row.factor > least || (row.factor == least && row.name > best->name))) continue;
    if (!allowed(row) || !takes_in_its_layouts(row, spec, options.target)) continue;
    const double slowness = schema::slowness(row, spec, options.target);
    if (best && (slowness > least || (slowness == least && row.name > best->name))) continue;
    if (options.available && !options.available(row, spec)) continue;
    best = &row;
    least = slowness;
  }
  return best ? std::optional(KernelId{best}) : std::nullopt;
}

}  // namespace

bool may_choose(KernelId kernel, const KernelSpec& spec, const Options& options) {
  const KernelRow& candidate = row(kernel);
  return takes_in_its_layouts(candidate, spec, options.target) &&
         (!options.available || options.available(candidate, spec));
}

std::vector<KernelId> kernels_to_measure(const KernelSpec& spec, const Options& options) {
  std::map<std::pair<double, std::string_view>, KernelId> by_slowness;
  for (const KernelRow* const row : options.kernel_table.rows_for(spec.op))
    if (may_choose({row}, spec, options))
      by_slowness.try_emplace({slowness(*row, spec, options.target), row->name}, KernelId{row});
  std::vector<KernelId> kernels;
  for (const auto& [key, kernel] : by_slowness)
    if (key.first < slow || by_slowness.begin()->first.first >= slow) kernels.push_back(kernel);
  return kernels;
}

bool is_slow(KernelId kernel, const KernelSpec& spec, const Options& options) {
  return slowness(row(kernel), spec, options.target) >= slow;
}

bool is_preferred(KernelId kernel, const Options& options) {
  return options.kernels.empty() || row(kernel).provider() == options.kernels;
}

const CallPreference* preference_of(const Graph& graph, NodeId id, const Options& options) {
  const auto& calls = options.tuning.calls;
  if (calls.empty()) return nullptr;
  std::vector<bool> constant;
  for (const ValueId input : graph.node(id).inputs) constant.push_back(input.valid() && graph.is_constant(input));
  const KernelSpec spec = graph.spec(id);
  auto found = calls.find(call_text(spec, constant));
  if (found == calls.end()) found = calls.find(call_class(spec));
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
            cheapest_row(spec, options, [&](const KernelRow& row) { return row.provider() == options.kernels; }))
      return preferred;
  if (const auto own = choose_own_kernel(spec, options)) return own;
  return cheapest_row(spec, options, [&](const KernelRow& row) { return falls_back(row, options.target); });
}

std::optional<KernelId> choose_own_kernel(const KernelSpec& spec, const Options& options) {
  return cheapest_row(spec, options, [&](const KernelRow& row) { return row.device == options.target.device; });
}

std::optional<KernelId> choose_variant(const KernelSpec& spec, const Options& options, KernelId usual,
                                       double usual_slowness) {
  const auto in_layouts = [&](const KernelRow& row) { return spec.input_layouts.empty() || takes_layouts(row, spec); };
  if (in_layouts(row(usual)) && may_choose(usual, spec, options)) return usual;
  const bool requested = row(usual).provider() == options.kernels;
  const auto other = cheapest_row(spec, options, [&](const KernelRow& row) {
    return in_layouts(row) && row.device == schema::row(usual).device &&
           (!requested || row.provider() == options.kernels);
  });
  constexpr double as_good = 1.5;
  const auto is_as_good = [&] { return slowness(row(*other), spec, options.target) <= as_good * usual_slowness; };
  return other && (requested || is_as_good()) ? other : std::nullopt;
}

void check_provider(const KernelTable& table, std::string_view provider) {
  std::vector<std::string_view> providers;
  for (const KernelRow& row : table) {
    if (row.provider() == provider) return;
    if (std::ranges::find(providers, row.provider()) == providers.end()) providers.push_back(row.provider());
  }
  const std::string_view near = nearest(provider, providers);
  std::string hint = near.empty() ? "there are" : "did you mean " + in_quotes(near) + "? there are";
  for (std::string_view known : providers) hint += " " + std::string(known);
  throw Error(ExitCode::usage, "no kernels are named " + in_quotes(provider), hint);
}

}  // namespace webnn::compiler
