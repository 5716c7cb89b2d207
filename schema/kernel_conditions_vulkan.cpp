// What the GPU's kernels take.
#include "schema/kernel_conditions.hpp"

namespace webnn::schema {

bool vulkan_takes_convolution(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  return call.text("inputLayout") == "nchw" && call.text("filterLayout") == (spec.op == "conv2d"_op ? "oihw" : "iohw");
}

}  // namespace webnn::schema
