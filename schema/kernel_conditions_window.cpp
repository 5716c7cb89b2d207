// Conditions of the rows for pooling.
#include "schema/kernel_conditions.hpp"

namespace webnn::schema {

bool window_of_nchw(const KernelSpec& spec) {
  const auto operands = spec.root_operands();
  return OperatorCall(spec.op, operands, spec.attributes).text("layout") == "nchw";
}

}  // namespace webnn::schema
