// Comparisons with broadcasting: 1 where true. A NaN is unequal to everything, itself too.
#include "runtime/cpu/reference/prepare.hpp"
#include "runtime/cpu/reference/reference.hpp"

namespace webnn::runtime::reference {
namespace {

struct Row {
  OperatorId op;
  bool (*real)(double a, double b);
  bool (*signed_integer)(std::int64_t a, std::int64_t b);
  bool (*unsigned_integer)(std::uint64_t a, std::uint64_t b);
};

/// One generic function for the three kinds of numbers.
template <typename Function>
constexpr Row define(OperatorId op, Function function) {
  return {op, function, function, function};
}

constexpr Row rows[] = {
    define("equal"_op, [](auto a, auto b) { return a == b; }),
    define("notEqual"_op, [](auto a, auto b) { return a != b; }),
    define("greater"_op, [](auto a, auto b) { return a > b; }),
    define("greaterOrEqual"_op, [](auto a, auto b) { return a >= b; }),
    define("lesser"_op, [](auto a, auto b) { return a < b; }),
    define("lesserOrEqual"_op, [](auto a, auto b) { return a <= b; }),
};

template <typename T>
auto find_function(OperatorId op) {
  for (const Row& row : rows) {
    if (row.op != op) continue;
    if constexpr (is_real<T>) {
      return row.real;
    } else if constexpr (std::is_signed_v<T>) {
      return row.signed_integer;
    } else {
      return row.unsigned_integer;
    }
  }
  throw Error(ExitCode::internal, "no reference function for " + std::string(row(op).name));
}

}  // namespace

Kernel prepare_comparison(const KernelSpec& spec, Constants) {
  const Shape shape = spec.outputs[0].shape;
  const std::array<Strides, 2> strides{broadcast_strides(spec.inputs[0]->shape, shape),
                                       broadcast_strides(spec.inputs[1]->shape, shape)};
  return dispatch(AnyTypes{}, spec.inputs[0]->type, [&]<typename T>() {
    const auto function = find_function<T>(spec.op);
    return make_kernel([=](const KernelArguments& arguments) {
      const T* a = input<T>(arguments, 0);
      const T* b = input<T>(arguments, 1);
      std::uint8_t* y = output<std::uint8_t>(arguments);
      for_each_offset(shape, strides, [&](const auto& at) { *y++ = function(load(a[at[0]]), load(b[at[1]])); });
    });
  });
}

}  // namespace webnn::runtime::reference
