// Includes the file that HWY_TARGET_INCLUDE names once for each instruction set with vectors (VECTOR_ISAS), in a
// namespace of its own. A kernel's .cpp file defines HWY_TARGET_INCLUDE and includes this, before anything else of
// Highway:
//
//   #define HWY_TARGET_INCLUDE "runtime/cpu/simd/relu.inl.hpp"
//   #include "runtime/cpu/simd/for_each_isa.hpp"
//
// Then VECTOR_CODE(isa, relu) is the address of the function `relu` that was compiled for the instruction set `isa`.
#pragma once

#define COMPILED_ISAS VECTOR_ISAS
#include "runtime/cpu/simd/compile_isas.hpp"
