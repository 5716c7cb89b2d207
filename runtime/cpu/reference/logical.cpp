// Logical operators on uint8, where every value but 0 is true, and predicates of floats. Results are 0 or 1.
#include <cmath>

#include "runtime/cpu/reference/prepare.hpp"
#include "runtime/cpu/reference/reference.hpp"

namespace webnn::runtime::reference {
namespace {

struct LogicalRow {
  OperatorId op;
  bool (*function)(bool a, bool b);
};
constexpr LogicalRow logical_rows[] = {
    {"logicalNot"_op, [](bool a, bool) { return !a; }},  // its one operand stands for both
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

template <typename Rows>
auto find_function(const Rows& rows, OperatorId op) -> decltype(rows[0].function) {
  for (const auto& row : rows)
    if (row.op == op) return row.function;
  throw Error(ExitCode::internal, "no reference function for " + std::string(row(op).name));
}

}  // namespace

Kernel prepare_logical(const KernelSpec& spec, Constants) {
  const auto function = find_function(logical_rows, spec.op);
  const std::size_t second = spec.inputs.size() - 1;
  const Shape shape = spec.outputs[0].shape;
  const std::array<Strides, 2> strides{broadcast_strides(spec.inputs[0]->shape, shape),
                                       broadcast_strides(spec.inputs[second]->shape, shape)};
  return make_kernel([=](const KernelArguments& arguments) {
    const auto* a = input<std::uint8_t>(arguments, 0);
    const auto* b = input<std::uint8_t>(arguments, second);
    auto* y = output<std::uint8_t>(arguments);
    for_each_offset(shape, strides, [&](const auto& at) { *y++ = function(a[at[0]] != 0, b[at[1]] != 0); });
  });
}

Kernel prepare_predicate(const KernelSpec& spec, Constants) {
  const auto function = find_function(predicate_rows, spec.op);
  const std::size_t count = element_count(spec.outputs[0].shape);
  return dispatch(FloatTypes{}, spec.inputs[0]->type, [&]<typename T>() {
    return make_kernel([=](const KernelArguments& arguments) {
      const T* a = input<T>(arguments, 0);
      auto* y = output<std::uint8_t>(arguments);
      for (std::size_t i = 0; i < count; ++i) y[i] = function(load(a[i]));
    });
  });
}

}  // namespace webnn::runtime::reference
