// A tensor as Python holds it.
#pragma once

#include <future>

#include "bindings/python/native/values.hpp"

namespace webnn::python {

/// A tensor, and the array in whose memory it lies when it was imported.
struct HeldTensor {
  explicit HeldTensor(Tensor its_tensor) : tensor(std::move(its_tensor)) {}
  HeldTensor(const HeldTensor&) = delete;
  HeldTensor& operator=(const HeldTensor&) = delete;
  /// Waits until no work uses the array's memory. No other thread than Python's own ever takes the interpreter's lock.
  ~HeldTensor();

  Tensor tensor;
  py::object memory{};
  std::future<void> released{};
};

/// Whether its device is the CPU, whose tensors can lie in the memory of arrays.
bool is_cpu(const Context& context);

}  // namespace webnn::python
