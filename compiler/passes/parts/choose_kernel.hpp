// Chooses kernel rows. The pass select_kernels stores the choice in the plan; passes that rearrange nodes to suit
// kernels ask in advance which row would be chosen.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"

namespace webnn::compiler {

/// Throws Error (usage) when no kernel of the table is of this provider.
void check_provider(const KernelTable& table, std::string_view provider);

/// The row with the lowest cost of those that take the call and that `Options::available` allows. Rows of the preferred
/// provider come first, fallback rows of another device last. Layouts are ignored here: they follow from the rows.
/// Nullopt: no kernel runs the call.
std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options);
/// Of the rows of the target's own device.
std::optional<KernelId> choose_own_kernel(const KernelSpec& spec, const Options& options);
/// The row for a variant of a call that row `usual` takes, with this slowness: with more post-ops, or in layouts (if the
/// spec has any). This is `usual` itself if it takes the variant, otherwise the one with the lowest cost if it is about
/// as good, and from the preferred provider if `usual` is.
std::optional<KernelId> choose_variant(const KernelSpec& variant, const Options& options, KernelId usual,
                                       double usual_slowness);

/// Whether the row, which takes the call, is only a last resort for it.
bool is_slow(KernelId kernel, const KernelSpec& spec, const Options& options);
/// Whether the row comes from the preferred provider, or there is none.
bool is_preferred(KernelId kernel, const Options& options);

/// The measured preference for the node's call; null: none.
const CallPreference* preference_of(const Graph& graph, NodeId id, const Options& options);
/// Whether the row may be chosen for the call, whose layouts need not be known yet.
bool may_choose(KernelId kernel, const KernelSpec& spec, const Options& options);
/// All rows that may be chosen for the call, the cheapest first; slow ones only if there are no others.
std::vector<KernelId> kernels_to_measure(const KernelSpec& spec, const Options& options);

/// The spec with all activations in this layout.
KernelSpec in_layout(const KernelSpec& spec, Layout layout);

}  // namespace webnn::compiler
