// cast between any two types, including the packed 4-bit types.
#include <cmath>
#include <limits>

#include "runtime/cpu/reference/reference.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

template <typename T>
constexpr double lowest = double(std::numeric_limits<T>::min());
template <>
constexpr double lowest<Int4> = -8;
template <>
constexpr double lowest<Uint4> = 0;

/// One above the highest value: unlike the highest 64-bit value, it is exact as a double.
template <typename T>
constexpr double above_highest = 2 * double(std::numeric_limits<T>::max() / 2 + 1);
template <>
constexpr double above_highest<Int4> = 8;
template <>
constexpr double above_highest<Uint4> = 16;

/// Truncates; values out of range saturate, and NaN gives 0.
template <typename T>
T truncate(double value) {
  using Wide = arithmetic_t<T>;
  if (value != value) return {};
  const double whole = std::trunc(value);
  if (whole <= lowest<T>) return store<T>(Wide(lowest<T>));
  if (whole < above_highest<T>) return store<T>(Wide(whole));
  if constexpr (sizeof(T) == 8) return std::numeric_limits<T>::max();
  return store<T>(Wide(above_highest<T> - 1));
}

template <typename To, typename From>
To convert(From element) {
  const auto value = load(element);
  if constexpr (is_real<To>) {
    // Converts an integer to float32 in one rounding. float16 is rounded once too, although it goes through a double:
    // integers that a double cannot hold are infinite in float16.
    if constexpr (std::is_same_v<To, float>) return float(value);
    return store<To>(double(value));
  } else if constexpr (is_real<From>) {
    return truncate<To>(value);
  } else {
    return store<To>(arithmetic_t<To>(value));  // keeps the low bits
  }
}

}  // namespace

Kernel prepare_cast(const KernelSpec& spec, Constants) {
  const std::size_t count = element_count(spec.outputs[0].shape);
  return dispatch(AnyAnd4BitTypes{}, spec.inputs[0]->type, [&]<typename From>() {
    return dispatch(AnyAnd4BitTypes{}, spec.outputs[0].type, [&]<typename To>() {
      return make_kernel([=](const KernelArguments& arguments) {
        const std::byte* x = arguments.inputs[0];
        std::byte* y = arguments.outputs[0];
        for (std::size_t i = 0; i < count; ++i) set_element(y, i, convert<To>(element<From>(x, i)));
      });
    });
  });
}

constexpr CpuKernel cast_list[] = {
    {.row = {.name = "cast", .op = "cast"}, .prepare = prepare_cast},
};
extern constexpr CpuKernels cast_kernels(cast_list);

}  // namespace webnn::runtime::reference
