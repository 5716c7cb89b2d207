// A spec's post-ops as oneDNN's.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <vector>

#include "runtime/cpu/onednn/execution.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::onednn {

struct PostOpPlan {
  dnnl::post_ops chain;
  std::optional<std::size_t> bias;  // operand that is added for each channel before all others
  std::optional<std::size_t> sum;   // operand that must lie in the output before the primitive runs
  struct PerChannel {
    int argument;
    dnnl::memory::desc desc;
    std::size_t operand;
  };
  std::vector<PerChannel> operands;

  void bind(Execution& execution) const;
};

/// `rank` is that of oneDNN's result, whose channels are axis `channel_axis` from the end (1: the last).
/// `bias_is_free`: an addition for each channel that comes first may become the bias. `sum_first`: before all others
/// the primitive adds what lies in the output, which the kernel writes there itself.
PostOpPlan plan_post_ops(const KernelSpec& spec, unsigned rank, unsigned channel_axis, bool bias_is_free,
                         bool sum_first = false);

/// Copies operand `operand` to the output, unless it lies there already.
void place_in_output(const KernelArguments& arguments, std::size_t operand, std::size_t bytes);

}  // namespace webnn::runtime::onednn
