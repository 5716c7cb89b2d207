// What for_each_isa.hpp and for_byte_products.hpp share: compiles vector code for the instruction sets that
// COMPILED_ISAS lists. Highway's static target, which is not included, is the one that has no kernels.
#pragma once

#include "runtime/cpu/simd/isa.hpp"

// clang-format off
#define REGISTERS_OF_ISA(name, target, features, registers, ...) HWY_TARGET == HWY_##target ? registers :
/// The vector registers of the instruction set that is compiled for.
#define VECTOR_REGISTERS (COMPILED_ISAS(REGISTERS_OF_ISA) 0)
// clang-format on

#define HIGHWAY_TARGET(name, target, ...) | HWY_##target
#define HWY_BASELINE_TARGETS HWY_SCALAR
#define HWY_BROKEN_EMU128 1  // newer compilers than GCC 12.2 would take it in place of HWY_SCALAR
#define HWY_DISABLED_TARGETS (~(HWY_SCALAR COMPILED_ISAS(HIGHWAY_TARGET)))
#include <hwy/foreach_target.h>

#define CODE_OF_ISA(name, target, features, registers, factor, isa, ...) (isa) == Isa::name ? N_##target::__VA_ARGS__:
#define VECTOR_CODE(isa, ...) (COMPILED_ISAS(CODE_OF_ISA, isa, __VA_ARGS__) nullptr)
