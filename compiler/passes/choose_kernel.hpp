// The choice of a kernel row; select_kernels writes it down, and the passes that shape nodes for kernels ask what it
// would be.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"

namespace webnn::compiler {

/// The first row of the table that takes the call and that `Options::available` allows; rows of the preferred provider
/// come first, those of another device that serve the target last. Layouts do not matter yet: they follow from the
/// rows. Nullopt: no kernel runs it.
std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options);
/// The first row of the target's own device.
std::optional<KernelId> choose_own_kernel(const KernelSpec& spec, const Options& options);

/// The row for a variant of a call that row `usual` takes without the variant's post-op or in other layouts: `usual`
/// itself if it can, else the first row that is no worse: no reference kernel, and of the preferred provider where
/// `usual` is.
enum class Variant { post_op, layouts };
std::optional<KernelId> choose_kernel_for(Variant variant, const KernelSpec& spec, const Options& options,
                                          KernelId usual);

/// What measurements prefer for the node's call; null: nothing.
const CallPreference* preference_of(const Graph& graph, NodeId id, const Options& options);
/// Whether the row may be chosen for the call, whose layouts may not be known yet.
bool may_choose(KernelId kernel, const KernelSpec& spec, const Options& options);
/// All rows that may be chosen for the call, in the table's order; reference rows only when there are no others.
std::vector<KernelId> kernels_to_measure(const KernelSpec& spec, const Options& options);

/// The spec with all activations in this layout.
KernelSpec in_layout(const KernelSpec& spec, Layout layout);

}  // namespace webnn::compiler
