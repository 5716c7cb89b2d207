// Comparisons with broadcasting: 1 for true. A NaN is unequal to everything, including itself.
#include "runtime/cpu/reference/function_table.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

template <typename Wide>
using ComparisonFunction = bool (*)(Wide a, Wide b);
using ComparisonRow = FunctionRow<ComparisonFunction>;

/// One generic function for all three kinds of numbers.
template <typename Function>
constexpr ComparisonRow comparison_row(OperatorId op, Function function) {
  return {op, function, function, function};
}

constexpr ComparisonRow comparison_rows[] = {
    comparison_row("equal"_op, [](auto a, auto b) { return a == b; }),
    comparison_row("notEqual"_op, [](auto a, auto b) { return a != b; }),
    comparison_row("greater"_op, [](auto a, auto b) { return a > b; }),
    comparison_row("greaterOrEqual"_op, [](auto a, auto b) { return a >= b; }),
    comparison_row("lesser"_op, [](auto a, auto b) { return a < b; }),
    comparison_row("lesserOrEqual"_op, [](auto a, auto b) { return a <= b; }),
};

}  // namespace

Kernel prepare_comparison(const KernelSpec& spec, Constants) {
  return dispatch(AnyTypes{}, spec.inputs[0]->type, [&]<typename T>() {
    const auto function = find_function<T>(comparison_rows, spec.op);
    return pairwise<T, std::uint8_t>(spec, 1, [=](T a, T b) { return function(load(a), load(b)); });
  });
}

constexpr CpuKernel comparison_list[] = {
    {.row = {.name = "comparison", .family = Family::comparison}, .prepare = prepare_comparison},
};
extern constexpr CpuKernels comparison_kernels(comparison_list);

}  // namespace webnn::runtime::reference
