#include "runtime/cpu/xnnpack/operator.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "schema/error.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::xnnpack {

void check(xnn_status status, OperatorId op) {
  if (status == xnn_status_success) return;
  const std::string name(row(op).name);
  if (status == xnn_status_out_of_memory) throw Error(ExitCode::resource, "XNNPACK has no memory for '" + name + "'");
  throw Error(ExitCode::internal, "XNNPACK refuses '" + name + "': status " + std::to_string(int(status)),
              "compile with --kernels reference");
}

KernelArguments nowhere() {
  // Not addressable on 64-bit processors.
  static std::byte* const address = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 62);
  static const std::byte* const inputs[] = {address, address};
  static std::byte* const outputs[] = {address};
  return {inputs, outputs, address};
}

Range range_of(const KernelSpec& spec) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (spec.post_ops.empty()) return {-infinity, infinity};
  const PostOp& post_op = spec.post_ops[0];
  if (post_op.op == "relu"_op) return {0, infinity};
  const OperandDescriptor* const operand = spec.outputs.data();
  const OperatorCall call(post_op.op, {&operand, 1}, post_op.attributes);
  return {float(call.number("minValue", Number(-infinity)).as_double()),
          float(call.number("maxValue", Number(infinity)).as_double())};
}

}  // namespace webnn::runtime::xnnpack
