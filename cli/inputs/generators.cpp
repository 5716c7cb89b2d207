#include "cli/inputs/generators.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "schema/elements/elements.hpp"
#include "schema/error.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

/// SplitMix64: small, fast and the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// In [0, 1).
  double uniform() { return double(next() >> 11) * 0x1p-53; }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::uint64_t state_;
};

using Arguments = std::map<std::string, std::string, std::less<>>;

/// "random(a=1,b=x)" -> {a: 1, b: x}
Arguments parse_arguments(std::string_view spec) {
  Arguments arguments;
  const std::size_t open = spec.find('(');
  if (open == std::string_view::npos) return arguments;
  if (spec.back() != ')') throw Error(ExitCode::usage, "'" + std::string(spec) + "' lacks its closing parenthesis");
  std::string_view rest = spec.substr(open + 1, spec.size() - open - 2);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest = item.size() == rest.size() ? std::string_view{} : rest.substr(item.size() + 1);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos)
      throw Error(ExitCode::usage,
                  "'" + std::string(item) + "' in '" + std::string(spec) + "' is not of the form name=value");
    arguments[std::string(item.substr(0, equals))] = item.substr(equals + 1);
  }
  return arguments;
}

double take_real(Arguments& arguments, std::string_view name, double when_absent) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return when_absent;
  const std::string text = found->second;
  arguments.erase(found);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    throw Error(ExitCode::usage, std::string(name) + " of a generator must be a number, not '" + text + "'");
  return value;
}

std::uint64_t take_whole(Arguments& arguments, std::string_view name, std::uint64_t when_absent) {
  const auto found = arguments.find(name);
  if (found == arguments.end()) return when_absent;
  const std::string text = found->second;
  arguments.erase(found);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw Error(ExitCode::usage,
                std::string(name) + " of a generator must be a whole number from 0 to 2^64 - 1, not '" + text + "'");
  return value;
}

template <typename Next>
compiler::Tensor fill(const OperandDescriptor& descriptor, Next next) {
  std::vector<std::byte> data(byte_length(descriptor));
  const std::size_t count = element_count(descriptor.shape);
  for (std::size_t i = 0; i < count; ++i) store_element(next(i), descriptor.type, data.data(), i);
  return {descriptor, Bytes(std::move(data))};
}

compiler::Tensor random_tensor(Arguments arguments, const OperandDescriptor& descriptor) {
  Random random(take_whole(arguments, "seed", 0));
  std::string dist = "uniform";
  if (const auto found = arguments.find("dist"); found != arguments.end()) {
    dist = found->second;
    arguments.erase(found);
  }
  compiler::Tensor tensor;
  if (dist == "uniform") {
    const double low = take_real(arguments, "low", 0);
    const double high = take_real(arguments, "high", is_float(descriptor.type) ? 1 : 10);
    if (!(low <= high)) throw Error(ExitCode::usage, "low of random() must not be above high");
    const bool whole = !is_float(descriptor.type);
    tensor = fill(descriptor, [&](std::size_t) {
      const double value = low + (high - low) * random.uniform();
      return Number(whole ? std::floor(value) : value);
    });
  } else if (dist == "normal") {
    const double mean = take_real(arguments, "mean", 0), deviation = take_real(arguments, "std", 1);
    tensor = fill(descriptor, [&](std::size_t) { return Number(mean + deviation * random.normal()); });
  } else {
    throw Error(ExitCode::usage, "dist of random() must be uniform or normal, not '" + dist + "'");
  }
  if (!arguments.empty())
    throw Error(ExitCode::usage, "random() has no argument '" + arguments.begin()->first + "'",
                "its arguments are seed, dist, low and high (uniform), mean and std (normal)");
  return tensor;
}

}  // namespace

std::optional<compiler::Tensor> generate(std::string_view spec, const OperandDescriptor& descriptor) {
  const std::string_view name = spec.substr(0, spec.find('('));
  if (name == "random") return random_tensor(parse_arguments(spec), descriptor);
  if (spec == "zeros") return fill(descriptor, [](std::size_t) { return Number(0); });
  if (spec == "ones") return fill(descriptor, [](std::size_t) { return Number(1); });
  if (spec == "iota") return fill(descriptor, [](std::size_t i) { return Number(std::uint64_t{i}); });
  return std::nullopt;
}

}  // namespace webnn::cli
