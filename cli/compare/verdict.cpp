#include "cli/compare/verdict.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

#include "schema/diagnostics.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

std::string short_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

/// Rounded up to three digits, so that the printed tolerance does pass.
std::string upper_text(double value) {
  if (value == 0 || !std::isfinite(value)) return short_text(value);
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return short_text(std::ceil(value / unit * (1 - 1e-12)) * unit);
}

double greatest_number(DataType type, std::size_t count, std::span<const std::byte> data) {
  double greatest = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (const double value = std::fabs(load_element(type, data.data(), i).as_double()); std::isfinite(value))
      greatest = std::max(greatest, value);
  return greatest;
}

}  // namespace

ToleranceOptions parse_tolerance(const std::string& text) {
  constexpr const char* hint = "for example --tol ulp=4,atol=1e-5,rtol=1e-3,cos=0.999";
  ToleranceOptions options;
  const std::pair<std::string_view, std::optional<double>*> words[] = {
      {"ulp", &options.ulp}, {"atol", &options.absolute}, {"rtol", &options.relative}, {"cos", &options.cosine}};
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t equals = std::min(part.find('='), part.size());
    const std::string_view name = part.substr(0, equals);
    const auto* word = std::ranges::find(words, name, [](const auto& entry) { return entry.first; });
    if (word == std::end(words)) {
      const std::string_view near = nearest(name, {"ulp", "atol", "rtol", "cos"});
      throw Error(ExitCode::usage, "--tol knows no " + in_quotes(name),
                  near.empty() ? hint : "did you mean " + in_quotes(near) + "?");
    }
    const std::string_view number = part.substr(std::min(part.size(), equals + 1));
    double value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc{} || end != number.data() + number.size() || !(value >= 0) || !std::isfinite(value))
      throw Error(ExitCode::usage, "--tol " + in_quotes(part) + " has no number that is zero or greater", hint);
    if (word->second == &options.cosine && value > 1)
      throw Error(ExitCode::usage, "--tol " + in_quotes(part) + ": no cosine is greater than 1", hint);
    *word->second = value;
  }
  if (!options.given()) throw Error(ExitCode::usage, "--tol is empty", hint);
  return options;
}

Tolerance default_tolerance(const Allowance& allowance, const OperandDescriptor& descriptor,
                            std::span<const std::byte> expected) {
  Tolerance tolerance{allowance.ulp, allowance.absolute, 0};
  if (!is_float(descriptor.type) || allowance.ulp == 0) return tolerance;
  const double epsilon = descriptor.type == DataType::float16 ? std::ldexp(1, -10) : std::ldexp(1, -23);
  tolerance.absolute +=
      allowance.ulp * epsilon * greatest_number(descriptor.type, element_count(descriptor.shape), expected);
  return tolerance;
}

TensorVerdict judge(std::string name, const OperandDescriptor& descriptor, std::span<const std::byte> actual,
                    std::span<const std::byte> expected, const ToleranceOptions& options, const Allowance& allowance) {
  TensorVerdict verdict{std::move(name), descriptor, {}, options.cosine, {}, {}, false};
  const bool element_wise = options.ulp || options.absolute || options.relative;
  if (element_wise)
    verdict.tolerance = {options.ulp.value_or(0), options.absolute.value_or(0), options.relative.value_or(0)};
  else if (!options.given())
    verdict.tolerance = default_tolerance(allowance, descriptor, expected);
  verdict.comparison = compare_tensors(descriptor, actual, expected, verdict.tolerance);
  const bool direction = !options.cosine || verdict.comparison.cosine >= *options.cosine;
  verdict.passed = direction && (verdict.comparison.passed() || !(element_wise || !options.given()));
  return verdict;
}

std::string smallest_tolerance(const TensorVerdict& verdict) {
  const Comparison& comparison = verdict.comparison;
  if (comparison.max_ulp == 0) return {};
  if (comparison.max_ulp == no_ulp_distance && !std::isfinite(comparison.max_absolute)) return "nothing finite";
  std::string text = "ulp=" + std::to_string(comparison.max_ulp) + ", atol=" + upper_text(comparison.max_absolute);
  if (std::isfinite(comparison.max_relative)) text += " or rtol=" + upper_text(comparison.max_relative);
  return text;
}

std::string text_of(const Tolerance& tolerance, const std::optional<double>& cosine_limit) {
  std::string text = "ulp=" + short_text(tolerance.ulp) + ",atol=" + short_text(tolerance.absolute) +
                     ",rtol=" + short_text(tolerance.relative);
  if (cosine_limit) text += ",cos=" + short_text(*cosine_limit);
  return text;
}

std::string place_text(const Shape& shape, std::size_t index) {
  std::string text;
  for (std::size_t axis = shape.rank(); axis-- > 0;) {
    text = std::to_string(index % shape[axis]) + (text.empty() ? "" : ", ") + text;
    index /= shape[axis];
  }
  return "[" + text + "]";
}

}  // namespace webnn::cli
