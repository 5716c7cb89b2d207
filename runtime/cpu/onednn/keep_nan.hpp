// A relu, clamp or hardSigmoid that oneDNN applies to its results, without what they do there to a NaN.
//
// oneDNN's limits make one of the two of a NaN. So a kernel that has them runs under a watch, which costs nothing; when
// the processor has met a NaN meanwhile, it runs once more without its limits, and a plain loop applies them.
#pragma once

#include "runtime/invalid_watch.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

/// Prepares a kernel that tells `watch`, unless it is null, what the processor meets.
using PrepareWatched = Kernel (*)(const KernelSpec& spec, Constants constants, InvalidWatch* watch);

/// The kernel of `prepare`; where the last post-op is such a limit, with NaN kept. The kernel of the second run is
/// prepared when it is first needed, and has memory of its own: graphs meet no NaN as a rule.
Kernel keep_nan(PrepareWatched prepare, const KernelSpec& spec, Constants constants);

}  // namespace webnn::runtime::onednn
