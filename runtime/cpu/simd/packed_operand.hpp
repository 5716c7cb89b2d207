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

/// How the floats of an operand are brought into a kernel's order.
struct Packing {
  std::string form;        // tells the order and the sizes: equal names mean equal bytes
  std::size_t floats = 0;  // afterwards
  std::function<void(const float* from, float* to)> write;

  /// What a kernel's `pack` returns.
  PackedConstant pack(std::span<const std::byte> bytes) const;
};

class PackedOperand {
 public:
  /// `scratch`, the bytes that a run needs so far, grows by what this needs. `constants` are those of the call.
  /// Throws Error(program) when the operand is packed in another form or has another size.
  PackedOperand(Packing packing, const KernelSpec& spec, std::size_t operand, Constants constants,
                std::size_t& scratch);

  const float* in(const KernelArguments& arguments) const;

 private:
  Packing packing_;
  std::size_t operand_, scratch_at_ = 0;
  bool is_packed_ = false;
  std::shared_ptr<const float> owned_;
};

}  // namespace webnn::runtime::simd
