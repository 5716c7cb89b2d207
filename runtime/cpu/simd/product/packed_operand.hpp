// A weight operand that a kernel reads in its own order. It is packed by the compiler, or at preparation if the operand
// is constant, or else in every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

/// How a kernel packs the elements of an operand: float, Half, or bytes of integers.
template <class T>
struct Packing {
  std::string form;                                 // name of the order and the sizes; equal names mean equal bytes
  std::size_t elements = 0;                         // after packing
  std::function<void(const T* from, T* to)> write;  // writes all of them

  /// The return value of a kernel's `pack`.
  PackedConstant pack(std::span<const std::byte> bytes) const;
};

/// Whether an operand is small enough to be packed, which makes it at most `growth` times as large: by 16 when its
/// channels are padded to a vector.
inline bool may_be_packed(const KernelSpec& spec, std::size_t operand, std::uint32_t growth = 16) {
  return byte_length(*spec.inputs[operand]) <= max_tensor_bytes / growth;
}

/// Whether the floats of a constant, in any order, are known to be neither infinite nor NaN. Of no constant, nothing is.
bool are_finite(std::span<const std::byte> floats);

template <class T>
class PackedOperand {
 public:
  /// Adds the memory that a run needs to `scratch`. `constants` are those of the call. Throws Error(program) when the
  /// operand is packed in another form or has another size.
  PackedOperand(Packing<T> packing, const KernelSpec& spec, std::size_t operand, Constants constants,
                ScratchLayout& scratch);

  const T* in(const KernelArguments& arguments) const;

 private:
  Packing<T> packing_;
  std::size_t operand_, scratch_at_ = 0;
  bool is_packed_ = false;
  std::shared_ptr<const T> owned_;
};

}  // namespace webnn::runtime::simd
