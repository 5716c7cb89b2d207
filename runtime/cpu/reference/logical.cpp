// Logical operators on uint8, where every value but 0 is true, and predicates of floats. Results are 0 or 1.
#include <cmath>

#include "runtime/cpu/reference/function_table.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

struct LogicalRow {
  OperatorId op;
  bool (*function)(bool a, bool b);
};
constexpr LogicalRow logical_rows[] = {
    {"logicalNot"_op, [](bool a, bool) { return !a; }},  // both parameters get its only operand
    {"logicalAnd"_op, [](bool a, bool b) { return a && b; }},
    {"logicalOr"_op, [](bool a, bool b) { return a || b; }},
    {"logicalXor"_op, [](bool a, bool b) { return a != b; }},
};

struct PredicateRow {
  OperatorId op;
  bool (*function)(double a);
};
constexpr PredicateRow predicate_rows[] = {
    {"isNaN"_op, [](double a) { return std::isnan(a); }},
    {"isInfinite"_op, [](double a) { return std::isinf(a); }},
};

}  // namespace

Kernel prepare_logical(const KernelSpec& spec, Constants) {
  const auto function = find_only_function(logical_rows, spec.op);
  const std::size_t second = spec.inputs.size() - 1;
  return pairwise<std::uint8_t, std::uint8_t>(spec, second,
                                              [=](std::uint8_t a, std::uint8_t b) { return function(a != 0, b != 0); });
}

Kernel prepare_predicate(const KernelSpec& spec, Constants) {
  const auto function = find_only_function(predicate_rows, spec.op);
  const std::size_t count = element_count(spec.outputs[0].shape);
  return dispatch(FloatTypes{}, spec.inputs[0]->type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const T* a = input<T>(arguments, 0);
      auto* y = output<std::uint8_t>(arguments);
      for (std::size_t i = 0; i < count; ++i) y[i] = function(load(a[i]));
    });
  });
}

constexpr CpuKernel logical_list[] = {
    {.row = {.name = "logical", .family = Family::logical, .in_place = 0b11}, .prepare = prepare_logical},
    {.row = {.name = "predicate", .family = Family::predicate}, .prepare = prepare_predicate},
};
extern constexpr CpuKernels logical_kernels(logical_list);

}  // namespace webnn::runtime::reference
