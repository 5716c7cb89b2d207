// A weight operand that a kernel reads in an order of its own: packed by the compiler, packed when the kernel is
// prepared because the operand never changes, or packed in every run.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

/// How the elements of an operand, float, Half or bytes of integers, are brought into a kernel's order.
template <class T>
struct Packing {
  std::string form;          // tells the order and the sizes: equal names mean equal bytes
  std::size_t elements = 0;  // afterwards
  std::function<void(const T* from, T* to)> write;

  /// What a kernel's `pack` returns.
  PackedConstant pack(std::span<const std::byte> bytes) const;
};

template <class T>
class PackedOperand {
 public:
  /// `scratch` grows by what a run needs. `constants` are those of the call.
  /// Throws Error(program) when the operand is packed in another form or has another size.
  PackedOperand(Packing<T> packing, const KernelSpec& spec, std::size_t operand, Constants constants,
                ScratchPlan& scratch);

  const T* in(const KernelArguments& arguments) const;

 private:
  Packing<T> packing_;
  std::size_t operand_, scratch_at_ = 0;
  bool is_packed_ = false;
  std::shared_ptr<const T> owned_;
};

}  // namespace webnn::runtime::simd
