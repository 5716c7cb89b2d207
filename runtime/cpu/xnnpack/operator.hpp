// An XNNPACK operator: created when a kernel is prepared, and run by it.
//
// `setup` tells an operator the addresses of its tensors. The first setup for a size allocates tables of addresses;
// later ones only shift them. So the first one is made during preparation, with dummy addresses, and no run allocates.
#pragma once

#include <memory>
#include <span>
#include <xnnpack.h>

#include "runtime/cpu/xnnpack/limits.hpp"
#include "runtime/kernel.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::xnnpack {

using Operator = std::shared_ptr<xnn_operator>;

/// Throws Error unless `status` is success: XNNPACK is out of memory, or the kernel's row took a call that XNNPACK does
/// not support.
void check(xnn_status status, OperatorId op);

/// Initialises XNNPACK, once per process, and returns what `create(xnn_operator_t*)` creates, with its memory counted.
/// Throws like `check`, or Error (resource) before anything is made.
template <typename Create>
Operator create_operator(const KernelSpec& spec, Create create) {
  check(xnn_initialize(nullptr), spec.op);
  const auto charge = std::make_shared<const MemoryCharge>(prepared_bytes(spec));
  xnn_operator_t made = nullptr;
  check(create(&made), spec.op);
  return {made, [charge](xnn_operator_t done) { xnn_delete_operator(done); }};
}

/// Addresses at which there is no memory, so that XNNPACK's address tables contain none of its own buffers by accident.
KernelArguments nowhere();

/// Calls `setup(operator, arguments)`, which returns an xnn_status, and runs the operator on the calling thread only.
/// Throws like `check`.
template <typename Setup>
Kernel kernel_of(const KernelSpec& spec, Operator op, Setup setup) {
  check(setup(op.get(), nowhere()), spec.op);
  return {[op = std::move(op), id = spec.op, setup](const KernelArguments& arguments) {
    check(setup(op.get(), arguments), id);
    check(xnn_run_operator(op.get(), nullptr), id);
  }};
}

template <typename T>
const T* input(const KernelArguments& arguments, std::size_t i = 0) {
  return reinterpret_cast<const T*>(arguments.inputs[i]);
}
template <typename T>
T* output(const KernelArguments& arguments) {
  return reinterpret_cast<T*>(arguments.outputs[0]);
}
/// The elements of a constant; null when there is none.
template <typename T>
const T* elements(std::span<const std::byte> constant) {
  return constant.empty() ? nullptr : reinterpret_cast<const T*>(constant.data());
}

/// The output range, from the spec's post-op.
struct Range {
  float low, high;
};
Range range_of(const KernelSpec& spec);

}  // namespace webnn::runtime::xnnpack
