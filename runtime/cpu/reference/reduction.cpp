// The ten reductions: a table of the functions applied to each element, to pairs of them, and to the result.
//
// Without axes each element is a group of its own, and the functions still apply.
#include <algorithm>
#include <cmath>
#include <concepts>

#include "runtime/cpu/reference/function_table.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// result = finish(combine(.. combine(map(x0), map(x1)) .., map(xn)), number of elements)
template <typename Wide>
struct Reduction {
  Wide (*map)(Wide x);
  Wide (*combine)(Wide sum, Wide x);
  Wide (*finish)(Wide sum, double count);
};

using ReductionRow = FunctionRow<Reduction>;

template <typename Map, typename Combine, typename Finish>
constexpr ReductionRow reduction_row(OperatorId op, Map map, Combine combine, Finish finish) {
  return {op, {map, combine, finish}, {map, combine, finish}, {map, combine, finish}};
}

// Integers wrap: sums and products are computed as unsigned 64-bit numbers, whose low bits are kept.
template <typename Wide>
Wide plus(Wide a, Wide b) {
  if constexpr (std::integral<Wide>) {
    return Wide(std::uint64_t(a) + std::uint64_t(b));
  } else {
    return a + b;
  }
}
template <typename Wide>
Wide times(Wide a, Wide b) {
  if constexpr (std::integral<Wide>) {
    return Wide(std::uint64_t(a) * std::uint64_t(b));
  } else {
    return a * b;
  }
}
template <typename Wide>
Wide absolute(Wide a) {
  if constexpr (std::integral<Wide>) {
    return a < 0 ? Wide(0u - std::uint64_t(a)) : a;
  } else {
    return std::fabs(a);
  }
}
/// Logarithm and square root belong to operators that only take floats; they are never called for integers.
template <typename Wide>
Wide logarithm(Wide a) {
  return Wide(std::log(double(a)));
}
template <typename Wide>
Wide square_root(Wide a) {
  return Wide(std::sqrt(double(a)));
}

constexpr auto same = [](auto x) { return x; };
constexpr auto square = [](auto x) { return times(x, x); };
constexpr auto magnitude = [](auto x) { return absolute(x); };
constexpr auto sum = [](auto a, auto b) { return plus(a, b); };
constexpr auto product = [](auto a, auto b) { return times(a, b); };
constexpr auto greater = [](auto a, auto b) { return is_nan(a) || a > b ? a : b; };  // NaN if any element is
constexpr auto lesser = [](auto a, auto b) { return is_nan(a) || a < b ? a : b; };
constexpr auto keep = [](auto a, double) { return a; };
constexpr auto log_of = [](auto a, double) { return logarithm(a); };
constexpr auto root_of = [](auto a, double) { return square_root(a); };
constexpr auto mean_of = [](auto a, double count) { return decltype(a)(double(a) / count); };

constexpr ReductionRow reduction_rows[] = {
    reduction_row("reduceL1"_op, magnitude, sum, keep),     reduction_row("reduceL2"_op, square, sum, root_of),
    reduction_row("reduceLogSum"_op, same, sum, log_of),    reduction_row("reduceMax"_op, same, greater, keep),
    reduction_row("reduceMean"_op, same, sum, mean_of),     reduction_row("reduceMin"_op, same, lesser, keep),
    reduction_row("reduceProduct"_op, same, product, keep), reduction_row("reduceSum"_op, same, sum, keep),
    reduction_row("reduceSumSquare"_op, square, sum, keep),
};

/// The tensor as groups: a walk over the kept axes, and at each of their positions a walk over the reduced axes.
struct Groups {
  Shape kept, reduced;
  std::array<Strides, 1> kept_strides{}, reduced_strides{};

  explicit Groups(const OperatorCall& call) {
    const Shape& shape = call.shape(0);
    const Strides strides = row_major_strides(shape);
    const auto axes = call.u32_list("axes");
    for (unsigned axis = 0; axis < shape.rank(); ++axis) {
      const bool is_reduced = std::find(axes.begin(), axes.end(), axis) != axes.end();
      Shape& part = is_reduced ? reduced : kept;
      (is_reduced ? reduced_strides : kept_strides)[0][part.rank()] = strides[axis];
      part.push_back(shape[axis]);
    }
  }

  template <typename Visit>
  void for_each_group(Visit&& visit) const {
    for_each_offset(kept, kept_strides, [&](const auto& at) { visit(at[0]); });
  }
  /// Maps and combines the elements x of a group.
  template <typename T, typename Map, typename Combine>
  auto fold(const T* x, Map&& map, Combine&& combine) const {
    auto total = map(load(x[0]));
    bool first = true;
    for_each_offset(reduced, reduced_strides, [&](const auto& at) {
      if (!first) total = combine(total, map(load(x[at[0]])));
      first = false;
    });
    return total;
  }
};

template <typename T>
Kernel prepare_fold(OperatorId op, const Groups& groups) {
  const auto reduction = find_function<T>(reduction_rows, op);
  const double count = double(element_count(groups.reduced));
  return make_kernel([=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = output<T>(arguments);
    groups.for_each_group([&](std::int64_t start) {
      *y++ = store<T>(reduction.finish(groups.fold(x + start, reduction.map, reduction.combine), count));
    });
  });
}

/// log(sum(exp(x))), with the greatest element factored out so that no exponential overflows.
template <typename T>
Kernel prepare_log_sum_exp(const Groups& groups) {
  return make_kernel([=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = output<T>(arguments);
    groups.for_each_group([&](std::int64_t start) {
      const double greatest = groups.fold(x + start, same, greater);
      double result = greatest;
      if (std::isfinite(greatest)) {
        const auto exponential = [greatest](double value) { return std::exp(value - greatest); };
        result += std::log(groups.fold(x + start, exponential, sum));
      }
      *y++ = store<T>(result);
    });
  });
}

}  // namespace

Kernel prepare_reduction(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Groups groups(call);
  const DataType type = call.operand(0).type;
  if (call.id() == "reduceLogSumExp"_op)
    return dispatch(FloatTypes{}, type, [&]<typename T>() { return prepare_log_sum_exp<T>(groups); });
  return dispatch(AnyTypes{}, type, [&]<typename T>() { return prepare_fold<T>(spec.op, groups); });
}

constexpr CpuKernel reduction_list[] = {
    {.row = {.name = "reduction", .family = Family::reduction}, .prepare = prepare_reduction},
};
extern constexpr CpuKernels reduction_kernels(reduction_list);

}  // namespace webnn::runtime::reference
