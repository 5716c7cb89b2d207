// Like for_each_isa.hpp, for kernels whose products of bytes are sums of two products of 16-bit integers: for each
// instruction set of PAIR_PRODUCT_ISAS. Their vector code begins with pair_products.inl.hpp.
#pragma once

#define COMPILED_ISAS PAIR_PRODUCT_ISAS
#include "runtime/cpu/simd/compile_isas.hpp"
