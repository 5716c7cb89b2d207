// The instruction sets that every SIMD kernel is compiled for, and how the non-vector code of a kernel selects the
// functions compiled for one of them.
//
// A kernel is two files. `name.inl.hpp` holds the vector code, written once with Highway in the namespace
// `webnn::runtime::simd::HWY_NAMESPACE`. `name.cpp` includes it for each instruction set (for_each_isa.hpp) and holds
// the rest: the prepare function, compiled for the baseline processor. Vector code must not use templates or inline
// functions of the standard library: the linker keeps one copy of each for the whole program, which might be the one
// that uses AVX-512. It takes pointers, sizes and plain structs.
#pragma once

#include "runtime/kernel.hpp"

namespace webnn::runtime::simd {

enum class Isa { avx2, avx512 };

/// Selects the variant for `isa` of a function compiled for both: for_isa<isa>(N_AVX2::relu, N_AVX3::relu).
template <Isa isa, typename Function>
constexpr Function* for_isa(Function* avx2, Function* avx512) {
  return isa == Isa::avx2 ? avx2 : avx512;
}

}  // namespace webnn::runtime::simd
