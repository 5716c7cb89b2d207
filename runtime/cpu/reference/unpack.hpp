// Unpacks operands to doubles in scratch memory: a kernel that reads each element many times converts it once, and
// brings the elements into the order that its loops want.
#pragma once

#include "runtime/cpu/reference/reference.hpp"

namespace webnn::runtime::reference {

/// Lays out a kernel's scratch memory as arrays of doubles, while the kernel is prepared.
class DoubleArrays {
 public:
  /// The place of an array; `in` gives its address during a run.
  struct Array {
    std::size_t offset = 0;
    double* in(const KernelArguments& arguments) const {
      return reinterpret_cast<double*>(arguments.scratch.memory) + offset;
    }
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

/// Writes the elements of a tensor of `shape`, reached through `strides`, to `to` in row-major order.
template <typename T>
void unpack(const T* from, const Shape& shape, const Strides& strides, double* to) {
  for_each_offset(shape, strides, [&](std::int64_t offset) { *to++ = load(from[offset]); });
}

/// Writes `count` contiguous elements to `to`.
template <typename T>
void unpack(const T* from, std::size_t count, double* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] = load(from[i]);
}

/// Rounds each of the row-major doubles `from` once and writes it to its place in a tensor of `shape` with `strides`.
template <typename T>
void pack(const double* from, const Shape& shape, const Strides& strides, T* to) {
  for_each_offset(shape, strides, [&](std::int64_t offset) { to[offset] = store<T>(*from++); });
}

}  // namespace webnn::runtime::reference
