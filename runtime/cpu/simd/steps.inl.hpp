// All steps of elementwise evaluation for one instruction set; included by elementwise.cpp.
#include "runtime/cpu/simd/block.inl.hpp"
#include "runtime/cpu/simd/elementwise_math.inl.hpp"
//
#include "runtime/cpu/simd/float_steps.inl.hpp"
#include "runtime/cpu/simd/integer_steps.inl.hpp"
