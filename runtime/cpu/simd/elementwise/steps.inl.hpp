// All stages of elementwise evaluation for one instruction set; included by elementwise.cpp.
#include "runtime/cpu/simd/elementwise/block.inl.hpp"
#include "runtime/cpu/simd/elementwise/elementwise_math.inl.hpp"
//
#include "runtime/cpu/simd/elementwise/float_steps.inl.hpp"
#include "runtime/cpu/simd/elementwise/integer_steps.inl.hpp"
