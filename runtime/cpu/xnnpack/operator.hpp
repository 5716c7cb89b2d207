// An XNNPACK operator: created when a kernel is prepared, and run by it.
//
// `setup` tells an operator the addresses of its tensors. The first setup for a size allocates tables of addresses;
// later ones only shift them. So the first one is made during preparation, with dummy addresses, and no run allocates.
#pragma once

#include <cassert>
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
void check(xnn_status status, const KernelSpec& spec);

/// Initialises XNNPACK, once per process, and returns what `create(xnn_operator_t*)` creates. Throws like `check`.
template <typename Create>
Operator create_operator(const KernelSpec& spec, Create create) {
  check(xnn_initialize(nullptr), spec);
  xnn_operator_t made = nullptr;
  check(create(&made), spec);
  return {made, xnn_delete_operator};
}

/// Addresses at which there is no memory, so that XNNPACK's address tables contain none of its own buffers by accident.
KernelArguments nowhere();

/// Calls `setup(operator, arguments)`, which returns an xnn_status, and runs the operator on the calling thread only.
/// Throws like `check`.
template <typename Setup>
Kernel kernel_of(const KernelSpec& spec, Operator op, Setup setup) {
  auto charge = std::make_shared<const MemoryCharge>(prepared_bytes(spec));
  check(setup(op.get(), nowhere()), spec);
  return {[op = std::move(op), charge = std::move(charge), setup](const KernelArguments& arguments) {
    [[maybe_unused]] xnn_status status = setup(op.get(), arguments);
    assert(status == xnn_status_success);
    status = xnn_run_operator(op.get(), nullptr);
    assert(status == xnn_status_success);
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
