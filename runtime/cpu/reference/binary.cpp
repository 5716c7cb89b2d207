// Elementwise operators of two operands with broadcasting: a table of functions, one line for each operator.
#include <cmath>
#include <concepts>

#include "runtime/cpu/reference/function_table.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

// Integers are computed in 64 bits and keep the low bits of their type when stored, so that overflow wraps. Arithmetic
// is unsigned, for which C++ defines that.

template <typename Function, typename Wide>
Wide wrapping(Function function, Wide a, Wide b) {
  if constexpr (std::integral<Wide>) {
    return Wide(function(std::uint64_t(a), std::uint64_t(b)));
  } else {
    return function(a, b);
  }
}

/// Truncates toward zero; division by zero gives 0, and the lowest number divided by -1 wraps to itself.
template <typename Wide>
Wide quotient(Wide a, Wide b) {
  if constexpr (std::integral<Wide>) {
    if (b == 0) return 0;
    if (b == Wide(-1) && std::signed_integral<Wide>) return Wide(0u - std::uint64_t(a));
  }
  return a / b;
}

/// For integers, a negative exponent gives the truncated quotient 1 / a^-b: 0, 1 or -1 (0 for a = 0, as in division).
template <typename Wide>
Wide power(Wide a, Wide b) {
  if constexpr (std::integral<Wide>) {
    if (b < 0) {
      if (a == 1) return 1;
      if (a == Wide(-1)) return b % 2 == 0 ? Wide(1) : Wide(-1);
      return 0;
    }
    std::uint64_t result = 1;
    std::uint64_t square = std::uint64_t(a);
    for (auto exponent = std::uint64_t(b); exponent != 0; exponent >>= 1) {
      if (exponent & 1u) result *= square;
      square *= square;
    }
    return Wide(result);
  } else {
    return std::pow(a, b);
  }
}

template <typename Wide>
using BinaryFunction = Wide (*)(Wide a, Wide b);
using BinaryRow = FunctionRow<BinaryFunction>;

/// One generic function for all three kinds of numbers.
template <typename Function>
constexpr BinaryRow binary_row(OperatorId op, Function function) {
  return {op, function, function, function};
}

constexpr BinaryRow binary_rows[] = {
    binary_row("add"_op, [](auto a, auto b) { return wrapping([](auto x, auto y) { return x + y; }, a, b); }),
    binary_row("sub"_op, [](auto a, auto b) { return wrapping([](auto x, auto y) { return x - y; }, a, b); }),
    binary_row("mul"_op, [](auto a, auto b) { return wrapping([](auto x, auto y) { return x * y; }, a, b); }),
    binary_row("div"_op, [](auto a, auto b) { return quotient(a, b); }),
    binary_row("max"_op, [](auto a, auto b) { return is_nan(a) || a > b ? a : b; }),  // NaN if either operand is
    binary_row("min"_op, [](auto a, auto b) { return is_nan(a) || a < b ? a : b; }),
    binary_row("pow"_op, [](auto a, auto b) { return power(a, b); }),
    binary_row("prelu"_op,
               [](auto a, auto b) { return a < 0 ? wrapping([](auto x, auto y) { return x * y; }, a, b) : a; }),
};

}  // namespace

Kernel prepare_binary(const KernelSpec& spec, Constants) {
  return dispatch(AnyTypes{}, spec.inputs[0]->type, [&]<typename T>() {
    const auto function = find_function<T>(binary_rows, spec.op);
    return pairwise<T, T>(spec, 1, [=](T a, T b) { return store<T>(function(load(a), load(b))); });
  });
}

constexpr CpuKernel binary_list[] = {
    {.row = {.name = "binary", .family = Family::binary, .in_place = 0b11}, .prepare = prepare_binary},
};
extern constexpr CpuKernels binary_kernels(binary_list);

}  // namespace webnn::runtime::reference
