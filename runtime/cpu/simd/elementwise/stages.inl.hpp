// All stages of elementwise evaluation for one instruction set; included by elementwise.cpp.
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
#include "runtime/cpu/simd/elementwise/stage_blocks.inl.hpp"
//
#include "runtime/cpu/simd/elementwise/float_stages.inl.hpp"
#include "runtime/cpu/simd/elementwise/integer_stages.inl.hpp"
