// Includes the file that HWY_TARGET_INCLUDE names once, for AVX-512 (namespace N_AVX3): as for_each_isa.hpp, for
// kernels that exist only where the processor multiplies bytes (VNNI_KERNEL in schema/kernels/kernels.def). Their vector code
// begins with byte_products.inl.hpp, which allows the compiler these instructions.
#pragma once

#define HWY_BASELINE_TARGETS HWY_SCALAR
#define HWY_DISABLED_TARGETS (~(HWY_AVX3 | HWY_SCALAR))
#include <hwy/foreach_target.h>
