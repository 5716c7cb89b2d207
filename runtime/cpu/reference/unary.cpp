// Elementwise operators of one operand: a table of functions, one line for each operator.
#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/cpu/reference/function_table.hpp"
#include "runtime/kernel.hpp"

namespace webnn::runtime::reference {
namespace {

/// The attributes `alpha` and `beta`, 0 where the operator has none.
struct Coefficients {
  double alpha = 0, beta = 0;
};

double clamp_real(double x, double low, double high) { return x < low ? low : x > high ? high : x; }  // NaN stays NaN

/// log(1 + exp(x)), avoiding overflow for positive x; log1p keeps digits that 1 + a small number would lose.
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }

/// Independent of the thread's rounding mode.
double round_even(double x) {
  const double below = std::floor(x);
  const double rest = x - below;
  if (rest < 0.5 || (rest == 0.5 && std::fmod(below, 2.0) == 0.0)) return std::copysign(below, x);
  return rest >= 0.5 ? std::copysign(below + 1.0, x) : x;  // NaN and infinities stay as they are
}

struct RealRow {
  OperatorId op;
  double (*function)(double x, Coefficients c);
};

constexpr RealRow real_rows[] = {
    {"abs"_op, [](double x, Coefficients) { return std::fabs(x); }},
    {"ceil"_op, [](double x, Coefficients) { return std::ceil(x); }},
    {"cos"_op, [](double x, Coefficients) { return std::cos(x); }},
    {"elu"_op, [](double x, Coefficients c) { return x < 0 ? c.alpha * std::expm1(x) : x; }},
    {"erf"_op, [](double x, Coefficients) { return std::erf(x); }},
    {"exp"_op, [](double x, Coefficients) { return std::exp(x); }},
    {"floor"_op, [](double x, Coefficients) { return std::floor(x); }},
    {"gelu"_op, [](double x, Coefficients) { return 0.5 * x * std::erfc(-x * std::sqrt(0.5)); }},
    {"hardSigmoid"_op, [](double x, Coefficients c) { return clamp_real(c.alpha * x + c.beta, 0, 1); }},
    {"hardSwish"_op, [](double x, Coefficients) { return x * clamp_real(x + 3, 0, 6) / 6; }},
    {"leakyRelu"_op, [](double x, Coefficients c) { return x < 0 ? c.alpha * x : x; }},
    {"linear"_op, [](double x, Coefficients c) { return c.alpha * x + c.beta; }},
    {"log"_op, [](double x, Coefficients) { return std::log(x); }},
    {"neg"_op, [](double x, Coefficients) { return -x; }},
    {"reciprocal"_op, [](double x, Coefficients) { return 1 / x; }},
    {"relu"_op, [](double x, Coefficients) { return x < 0 ? 0 : x; }},
    {"roundEven"_op, [](double x, Coefficients) { return round_even(x); }},
    {"sigmoid"_op, [](double x, Coefficients) { return 1 / (1 + std::exp(-x)); }},
    {"sign"_op, [](double x, Coefficients) { return double((x > 0) - (x < 0)); }},
    {"@silu"_op, [](double x, Coefficients) { return x / (1 + std::exp(-x)); }},
    {"sin"_op, [](double x, Coefficients) { return std::sin(x); }},
    {"softplus"_op, [](double x, Coefficients) { return softplus(x); }},
    {"softsign"_op, [](double x, Coefficients) { return x / (1 + std::fabs(x)); }},
    {"sqrt"_op, [](double x, Coefficients) { return std::sqrt(x); }},
    {"tan"_op, [](double x, Coefficients) { return std::tan(x); }},
    {"tanh"_op, [](double x, Coefficients) { return std::tanh(x); }},
};

/// Operators that also take signed integers. The result keeps the low bits of its type.
struct IntegerRow {
  OperatorId op;
  std::int64_t (*function)(std::int64_t x);
};

constexpr std::int64_t negate(std::int64_t x) { return std::int64_t(0u - std::uint64_t(x)); }

constexpr IntegerRow integer_rows[] = {
    {"abs"_op, [](std::int64_t x) { return x < 0 ? negate(x) : x; }},
    {"neg"_op, [](std::int64_t x) { return negate(x); }},
    {"relu"_op, [](std::int64_t x) { return x < 0 ? 0 : x; }},
    {"sign"_op, [](std::int64_t x) { return std::int64_t((x > 0) - (x < 0)); }},
};

/// The limits are cast to the operand's type; an absent one is an infinity, which becomes the type's own limit.
template <typename T>
Kernel prepare_clamp(const OperatorCall& call, std::size_t count) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto low = load(cast_number<T>(call.number("minValue", Number(-infinity))));
  const auto high = load(cast_number<T>(call.number("maxValue", Number(infinity))));
  return make_kernel([=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = output<T>(arguments);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = load(x[i]);
      y[i] = value < low ? store<T>(low) : value > high ? store<T>(high) : x[i];
    }
  });
}

template <typename T>
Kernel prepare_real(const OperatorCall& call, std::size_t count) {
  const auto coefficient = [&](std::string_view name) {
    return call.op().attribute_index(name) < 0 ? 0.0 : parameter<T>(call.real(name));
  };
  const Coefficients coefficients{coefficient("alpha"), coefficient("beta")};
  const auto function = find_only_function(real_rows, call.id());
  return make_kernel([=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = output<T>(arguments);
    for (std::size_t i = 0; i < count; ++i) y[i] = store<T>(function(load(x[i]), coefficients));
  });
}

template <typename T>
Kernel prepare_integer(const OperatorCall& call, std::size_t count) {
  const auto function = find_only_function(integer_rows, call.id());
  return make_kernel([=](const KernelArguments& arguments) {
    const T* x = input<T>(arguments, 0);
    T* y = output<T>(arguments);
    for (std::size_t i = 0; i < count; ++i) y[i] = store<T>(function(load(x[i])));
  });
}

}  // namespace

Kernel prepare_unary(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const DataType type = call.operand(0).type;
  const std::size_t count = element_count(call.shape(0));
  if (call.id() == "clamp"_op)
    return dispatch(AnyTypes{}, type, [&]<typename T>() { return prepare_clamp<T>(call, count); });
  return dispatch(SignedTypes{}, type, [&]<typename T>() {
    if constexpr (is_real<T>) {
      return prepare_real<T>(call, count);
    } else {
      return prepare_integer<T>(call, count);
    }
  });
}

constexpr CpuKernel unary_list[] = {
    {.row = {.name = "unary", .family = Family::unary, .in_place = 0b01}, .prepare = prepare_unary},
};
extern constexpr CpuKernels unary_kernels(unary_list);

}  // namespace webnn::runtime::reference
