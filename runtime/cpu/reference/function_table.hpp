// Tables of functions, with one row for each operator of a family, and the walk over two broadcasting operands.
#pragma once

#include <string>

#include "runtime/cpu/reference/reference.hpp"

namespace webnn::runtime::reference {

/// A row: the same function for each of the three kinds of numbers that kernels compute with.
template <template <typename> typename Function>
struct FunctionRow {
  OperatorId op;
  Function<double> real;
  Function<std::int64_t> signed_integer;
  Function<std::uint64_t> unsigned_integer;
};

/// The function of `op` in a table whose rows have one function.
template <typename Rows>
auto find_only_function(const Rows& rows, OperatorId op) -> decltype(rows[0].function) {
  for (const auto& row : rows)
    if (row.op == op) return row.function;
  throw Error(ExitCode::internal, "no reference function for " + std::string(row(op).name));
}

/// The function of `op` for elements of type T.
template <typename T, typename Rows>
auto find_function(const Rows& rows, OperatorId op) {
  for (const auto& row : rows) {
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

/// y[i] = function(a[i], b[i]) with the first two inputs broadcast to the output; function(T, T) returns a Y.
template <typename T, typename Y, typename Function>
Kernel pairwise(const KernelSpec& spec, std::size_t second, Function function) {
  const Shape shape = spec.outputs[0].shape;
  const std::array<Strides, 2> strides{broadcast_strides(spec.inputs[0]->shape, shape),
                                       broadcast_strides(spec.inputs[second]->shape, shape)};
  return make_kernel([=](const KernelArguments& arguments) {
    const T* a = input<T>(arguments, 0);
    const T* b = input<T>(arguments, second);
    Y* y = output<Y>(arguments);
    for_each_offset(shape, strides, [&](const auto& at) { *y++ = function(a[at[0]], b[at[1]]); });
  });
}

}  // namespace webnn::runtime::reference
