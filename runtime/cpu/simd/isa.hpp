// The instruction sets that SIMD kernels are compiled for, in one list, and how the other code of a kernel takes the
// vector code of one of them.
//
// A kernel is two files. `name.inl.hpp` holds the vector code, written once with Highway in the namespace
// `webnn::runtime::simd::HWY_NAMESPACE`. `name.cpp` includes it for each instruction set (for_each_isa.hpp) and holds
// the rest: the prepare function, compiled once for the baseline processor. Vector code must not use templates or
// inline functions of the standard library: the linker keeps one copy of each for the whole program, which might be the
// one that uses AVX-512. It takes pointers, sizes and plain structs.
#pragma once

#include <cstdint>

#include "runtime/kernel.hpp"

// ISA(name in rows, Highway's target, features that a processor must have, registers, factor of rows, ...): an
// instruction set is one line here. The factor is the time compared with the widest vectors of any processor.
#if defined(__x86_64__)
/// Those with vectors of floats.
#define VECTOR_ISAS(ISA, ...)                            \
  ISA(avx512, AVX3, Feature::avx512, 32, 1, __VA_ARGS__) \
  ISA(avx2, AVX2, Feature::avx2, 16, half_vectors, __VA_ARGS__)
/// Those that also add four products of bytes to each int32; not defined where there is none.
#define BYTE_PRODUCT_ISAS(ISA, ...) ISA(avx512_vnni, AVX3, Feature::avx512_vnni, 32, 1, __VA_ARGS__)
/// Those of VECTOR_ISAS where products of bytes are sums of two products of 16-bit integers.
#define PAIR_PRODUCT_ISAS(ISA, ...) ISA(avx2, AVX2, Feature::avx2, 16, half_vectors, __VA_ARGS__)
/// Those with units that multiply tiles of bfloat16, which three make a float; beside them, code uses the widest vectors.
#define TILE_ISAS(ISA, ...) ISA(amx, AVX3, Feature::avx512 | Feature::amx_bf16, 32, 1, __VA_ARGS__)
#elif defined(__aarch64__)
#define VECTOR_ISAS(ISA, ...) ISA(neon, NEON, Feature::neon, 32, half_vectors, __VA_ARGS__)
#else
#error "isa.hpp lists no instruction set of this processor"
#endif

namespace webnn::runtime::simd {

/// An instruction set, as a value that kernels are prepared for.
#define ISA_NAME(name, ...) name,
enum class Isa : std::uint8_t {
  VECTOR_ISAS(ISA_NAME)
#ifdef BYTE_PRODUCT_ISAS
      BYTE_PRODUCT_ISAS(ISA_NAME)
#endif
#ifdef TILE_ISAS
          TILE_ISAS(ISA_NAME)
#endif
};
#undef ISA_NAME

/// The instruction set of VECTOR_ISAS that a kernel for `isa` computes with beside its tiles.
constexpr Isa vectors_of(Isa isa) {
#ifdef TILE_ISAS
  if (isa == Isa::amx) return Isa::avx512;
#endif
  return isa;
}

}  // namespace webnn::runtime::simd
