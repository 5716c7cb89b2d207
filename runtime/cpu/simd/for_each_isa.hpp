// Includes the file that HWY_TARGET_INCLUDE names once for AVX2 (namespace N_AVX2) and once for AVX-512 (N_AVX3).
// A kernel's .cpp file defines HWY_TARGET_INCLUDE and includes this, before anything else of Highway:
//
//   #define HWY_TARGET_INCLUDE "runtime/cpu/simd/relu.inl.hpp"
//   #include "runtime/cpu/simd/for_each_isa.hpp"
//
// Highway's static target, which is not included, is the one that has no kernels.
#pragma once

#define HWY_BASELINE_TARGETS HWY_SCALAR
#define HWY_BROKEN_EMU128 1  // newer compilers than GCC 12.2 would take it in place of HWY_SCALAR
#define HWY_DISABLED_TARGETS (~(HWY_AVX2 | HWY_AVX3 | HWY_SCALAR))
#include <hwy/foreach_target.h>
