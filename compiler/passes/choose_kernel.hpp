// Chooses kernel rows. The pass select_kernels stores the choice in the plan; passes that rearrange nodes to suit
// kernels ask in advance which row would be chosen.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"

namespace webnn::compiler {

/// The first row of the table that takes the call and that `Options::available` allows. Rows of the preferred provider
/// come first, fallback rows of another device last. Layouts are ignored here: they follow from the rows. Nullopt: no
/// kernel runs the call.
std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options);
/// The first row of the target's own device.
std::optional<KernelId> choose_own_kernel(const KernelSpec& spec, const Options& options);

/// The row for a variant of a call that row `usual` takes without the variant's post-op or in other layouts. This is
/// `usual` itself if it takes the variant, otherwise the first row that is no worse: not a reference kernel, and of the
/// preferred provider if `usual` is.
enum class Variant { post_op, layouts };
std::optional<KernelId> choose_kernel_for(Variant variant, const KernelSpec& spec, const Options& options,
                                          KernelId usual);

/// The measured preference for the node's call; null: none.
const CallPreference* preference_of(const Graph& graph, NodeId id, const Options& options);
/// Whether the row may be chosen for the call, whose layouts need not be known yet.
bool may_choose(KernelId kernel, const KernelSpec& spec, const Options& options);
/// All rows that may be chosen for the call, in the table's order; reference rows only if there are no others.
std::vector<KernelId> kernels_to_measure(const KernelSpec& spec, const Options& options);

/// The spec with all activations in this layout.
KernelSpec in_layout(const KernelSpec& spec, Layout layout);

}  // namespace webnn::compiler
