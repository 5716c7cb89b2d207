// Operands as doubles in scratch memory: a kernel that reads each element many times converts it once, and brings it
// into the one order that the kernel's loops are written for.
#pragma once

#include "runtime/cpu/reference/reference.hpp"

namespace webnn::runtime::reference {

/// Divides a kernel's scratch memory into arrays of doubles while the kernel is prepared.
class ScratchPlan {
 public:
  /// Where an array lies; `in` gives its address during a run.
  struct Array {
    std::size_t offset = 0;
    double* in(const KernelArguments& arguments) const { return reinterpret_cast<double*>(arguments.scratch) + offset; }
  };

  Array add(std::size_t count) {
    const Array array{count_};
    count_ += count;
    return array;
  }
  std::size_t bytes() const { return count_ * sizeof(double); }

 private:
  std::size_t count_ = 0;
};

/// Writes the elements of a tensor of `shape`, found through `strides`, to `to` in row-major order.
template <typename T>
void unpack(const T* from, const Shape& shape, const Strides& strides, double* to) {
  for_each_offset(shape, strides, [&](std::int64_t offset) { *to++ = load(from[offset]); });
}

/// Writes `count` neighbouring elements to `to`.
template <typename T>
void unpack(const T* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = load(from[i]);
}

/// The row-major doubles of `from`, rounded once each, to where `strides` says in a tensor of `shape`.
template <typename T>
void pack(const double* from, const Shape& shape, const Strides& strides, T* to) {
  for_each_offset(shape, strides, [&](std::int64_t offset) { to[offset] = store<T>(*from++); });
}

}  // namespace webnn::runtime::reference
