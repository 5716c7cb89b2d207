// Converts the post-ops of a spec to oneDNN's.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <vector>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

/// A chain of activations and per-channel operators. One full operand may be added: it is summed in place, which
/// oneDNN's fast kernels do before everything but the bias. Limits come last and not behind such a sum, because a call
/// with a NaN is computed again without them (keep_nan.hpp).
/// `channel_axis` is the one of ChannelAxis::in_spec.
bool takes_post_ops(const KernelSpec& spec, unsigned channel_axis, bool bias_is_free, bool sum_is_free);

/// Limits that a result ends with.
struct OutputLimits {
  float low, high;
};
/// Removes limits from the end of the spec's post-ops; nullopt when there are none.
std::optional<OutputLimits> take_limits(KernelSpec& spec);

struct BoundPostOps {
  dnnl::post_ops chain;
  std::optional<std::size_t> bias;  // operand added per channel before all others
  std::optional<std::size_t> sum;   // operand that must be in the output before the primitive runs
  struct PerChannel {
    int argument;
    dnnl::memory::desc desc;
    std::size_t operand;
  };
  std::vector<PerChannel> operands;

  void bind(Execution& execution) const;
};

/// The channel axis of a result: axis `in_spec` of its shape, and axis `in_result` of oneDNN's result of rank `rank`.
/// Both count from the end (1: the last).
struct ChannelAxis {
  unsigned in_spec, in_result, rank;
};

/// `bias_is_free`: a leading per-channel addition may become the bias. `sum_first`: the primitive first adds what is in
/// the output, which the kernel writes there itself.
BoundPostOps plan_post_ops(const KernelSpec& spec, ChannelAxis axis, bool bias_is_free, bool sum_first = false);

/// Copies operand `operand` to the output, unless it is there already.
void place_in_output(const KernelArguments& arguments, std::size_t operand, std::size_t bytes);

}  // namespace webnn::runtime::onednn
