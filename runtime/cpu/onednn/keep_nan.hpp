// Keeps NaN in results when oneDNN applies a relu, clamp or hardSigmoid.
//
// oneDNN's limits turn a NaN into one of the limits. So a kernel with such a post-op runs under an InvalidWatch, which
// costs nothing. If the processor has met a NaN during the run, the kernel runs again without its limits, and a plain
// loop applies them.
#pragma once

#include "runtime/invalid_watch.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

/// Prepares a kernel that reports floating-point exceptions to `watch`, unless it is null.
using PrepareWatched = Kernel (*)(const KernelSpec& spec, Constants constants, InvalidWatch* watch);

/// The kernel of `prepare`, keeping NaN if the last post-op is such a limit. The kernel for the second run is prepared
/// when it is first needed and has its own memory, because graphs rarely meet a NaN.
Kernel keep_nan(PrepareWatched prepare, const KernelSpec& spec, Constants constants);

}  // namespace webnn::runtime::onednn
