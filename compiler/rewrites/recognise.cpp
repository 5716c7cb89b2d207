// Activations that a model spells out, as the one operator that they are: it fuses where the spelling, which uses its
// input several times, cannot.
//
// Legend as in simplify.cpp. The results are those of the spelling within a few units in the last place.
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

constexpr Rewrite rows[] = {
    // x * clamp(x + 3, 0, 6) / 6
    {"hardSwish_factor", "mul(?x, mul(clamp(add(?x, 3)) {minValue=0, maxValue=6}, 0.16666666666666666))",
     "hardSwish(?x)"},
    {"hardSwish_quotient", "mul(?x, div(clamp(add(?x, 3)) {minValue=0, maxValue=6}, 6))", "hardSwish(?x)"},
    {"hardSwish_factor_last", "mul(mul(?x, clamp(add(?x, 3)) {minValue=0, maxValue=6}), 0.16666666666666666)",
     "hardSwish(?x)"},
    {"hardSwish_quotient_last", "div(mul(?x, clamp(add(?x, 3)) {minValue=0, maxValue=6}), 6)", "hardSwish(?x)"},
    {"hardSwish_hardSigmoid", "mul(?x, hardSigmoid(?x) {alpha=0.16666666666666666, beta=0.5})", "hardSwish(?x)"},
    {"hardSwish_hardSigmoid_float", "mul(?x, hardSigmoid(?x) {alpha=0.1666666716337204, beta=0.5})", "hardSwish(?x)"},

    // x * (erf(x / sqrt(2)) + 1) / 2
    {"gelu_half_first", "mul(mul(?x, 0.5), add(erf(div(?x, 1.4142135623730951)), 1))", "gelu(?x)"},
    {"gelu_half_last", "mul(mul(?x, add(erf(div(?x, 1.4142135623730951)), 1)), 0.5)", "gelu(?x)"},
    {"gelu_half_inside", "mul(?x, mul(add(erf(div(?x, 1.4142135623730951)), 1), 0.5))", "gelu(?x)"},
    {"gelu_factor_half_first", "mul(mul(?x, 0.5), add(erf(mul(?x, 0.7071067811865476)), 1))", "gelu(?x)"},
    {"gelu_factor_half_last", "mul(mul(?x, add(erf(mul(?x, 0.7071067811865476)), 1)), 0.5)", "gelu(?x)"},
    {"gelu_factor_half_inside", "mul(?x, mul(add(erf(mul(?x, 0.7071067811865476)), 1), 0.5))", "gelu(?x)"},
};

}  // namespace

std::span<const Rewrite> recognise_rewrites() { return rows; }

}  // namespace webnn::compiler
