// Like for_each_isa.hpp, for kernels that need products of bytes: for each instruction set of BYTE_PRODUCT_ISAS. Their
// vector code begins with byte_products.inl.hpp, which enables these instructions for the compiler.
#pragma once

#define COMPILED_ISAS BYTE_PRODUCT_ISAS
#include "runtime/cpu/simd/compile_isas.hpp"
