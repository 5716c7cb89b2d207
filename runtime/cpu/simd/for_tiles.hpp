// Like for_each_isa.hpp, for code that multiplies tiles: for each instruction set of TILE_ISAS.
#pragma once

#define COMPILED_ISAS TILE_ISAS
#include "runtime/cpu/simd/compile_isas.hpp"
