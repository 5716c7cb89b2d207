// Includes the file that HWY_TARGET_INCLUDE names, once, for AVX-512 (namespace N_AVX3). Like for_each_isa.hpp, but for
// kernels that exist only for processors with AVX-512 VNNI (Variants::avx512_vnni). Their vector
// code begins with byte_products.inl.hpp, which enables these instructions for the compiler.
#pragma once

#define HWY_BASELINE_TARGETS HWY_SCALAR
#define HWY_BROKEN_EMU128 1  // newer compilers than GCC 12.2 would take it in place of HWY_SCALAR
#define HWY_DISABLED_TARGETS (~(HWY_AVX3 | HWY_SCALAR))
#include <hwy/foreach_target.h>
