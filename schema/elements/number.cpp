// Exact comparison, conversion and text of numbers.
#include "schema/elements/number.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "schema/elements/float64.hpp"
#include "schema/elements/half.hpp"

namespace webnn::schema {
namespace {

constexpr double two_to_63 = 9223372036854775808.0;
constexpr double two_to_64 = 18446744073709551616.0;

/// Rounds half to even and saturates; NaN gives 0.
std::int64_t to_int64(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded >= two_to_63) return std::numeric_limits<std::int64_t>::max();
  if (rounded < -two_to_63) return std::numeric_limits<std::int64_t>::min();
  return std::int64_t(rounded);
}

std::uint64_t to_uint64(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  if (rounded >= two_to_64) return std::numeric_limits<std::uint64_t>::max();
  return rounded <= 0 ? 0 : std::uint64_t(rounded);
}

template <typename T>
int order(T a, T b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/// Compares with an integer without rounding it: first the integral parts, then the fraction.
int compare_real(double real, std::int64_t integer) {
  if (real >= two_to_63) return 1;
  if (real < -two_to_63) return -1;
  const double whole = std::trunc(real);
  const int result = order(std::int64_t(whole), integer);
  return result != 0 ? result : order(real, whole);
}

int compare_real(double real, std::uint64_t integer) {
  if (real >= two_to_64) return 1;
  if (real <= -1) return -1;
  const double whole = std::trunc(real);
  const int result = order(std::uint64_t(whole), integer);
  return result != 0 ? result : order(real, whole);
}

int compare_integers(std::int64_t a, std::uint64_t b) { return a < 0 ? -1 : order(std::uint64_t(a), b); }

/// `value` truncated towards zero to a float, with the last bit set when anything was cut off ("round to odd").
/// Rounding the result again to fewer bits is then the same as rounding `value` once.
float round_to_odd(double value) {
  const float nearest = float(value);
  if (std::isnan(value) || double(nearest) == value) return nearest;
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (std::fabs(double(nearest)) > std::fabs(value)) --bits;
  return std::bit_cast<float>(bits | 1u);
}

template <typename T>
void put(T value, std::byte* out) {
  std::memcpy(out, &value, sizeof value);
}

std::int64_t clamped(const Number& value, int bits) {
  const std::int64_t high = (std::int64_t{1} << (bits - 1)) - 1;
  const std::int64_t integer = value.as_int64();
  return integer > high ? high : integer < -high - 1 ? -high - 1 : integer;
}

std::uint64_t clamped_unsigned(const Number& value, int bits) {
  const std::uint64_t high = (std::uint64_t{1} << bits) - 1;
  const std::uint64_t integer = value.as_uint64();
  return integer > high ? high : integer;
}

float to_float(const Number& value) {
  switch (value.kind()) {
    case Number::Kind::signed_integer:
      return float(value.as_int64());
    case Number::Kind::unsigned_integer:
      return float(value.as_uint64());
    case Number::Kind::real:
      break;
  }
  return float(value.as_double());
}

}  // namespace

bool Number::is_nan() const { return kind_ == Kind::real && std::isnan(real_); }
bool Number::is_finite() const { return kind_ != Kind::real || std::isfinite(real_); }

double Number::as_double() const {
  switch (kind_) {
    case Kind::signed_integer:
      return double(signed_);
    case Kind::unsigned_integer:
      return double(unsigned_);
    case Kind::real:
      break;
  }
  return real_;
}

std::int64_t Number::as_int64() const {
  switch (kind_) {
    case Kind::signed_integer:
      return signed_;
    case Kind::unsigned_integer: {
      constexpr auto high = std::numeric_limits<std::int64_t>::max();
      return unsigned_ > std::uint64_t(high) ? high : std::int64_t(unsigned_);
    }
    case Kind::real:
      break;
  }
  return to_int64(real_);
}

std::uint64_t Number::as_uint64() const {
  switch (kind_) {
    case Kind::signed_integer:
      return signed_ < 0 ? 0 : std::uint64_t(signed_);
    case Kind::unsigned_integer:
      return unsigned_;
    case Kind::real:
      break;
  }
  return to_uint64(real_);
}

int Number::compare(const Number& a, const Number& b) {
  if (a.is_nan() || b.is_nan()) return int(b.is_nan()) - int(a.is_nan());
  if (a.kind_ == b.kind_) {
    if (a.kind_ == Kind::real) return order(a.real_, b.real_);
    return a.kind_ == Kind::signed_integer ? order(a.signed_, b.signed_) : order(a.unsigned_, b.unsigned_);
  }
  if (b.kind_ == Kind::real) return -compare(b, a);
  if (a.kind_ == Kind::real)
    return b.kind_ == Kind::signed_integer ? compare_real(a.real_, b.signed_) : compare_real(a.real_, b.unsigned_);
  if (a.kind_ == Kind::signed_integer) return compare_integers(a.signed_, b.unsigned_);
  return -compare_integers(b.signed_, a.unsigned_);
}

bool Number::operator==(const Number& other) const {
  const auto negative_zero = [](const Number& n) {
    return n.kind_ == Kind::real && n.real_ == 0 && std::signbit(n.real_);
  };
  return compare(*this, other) == 0 && negative_zero(*this) == negative_zero(other);
}

std::string Number::text() const {
  if (kind_ == Kind::signed_integer) return std::to_string(signed_);
  if (kind_ == Kind::unsigned_integer) return std::to_string(unsigned_);
  if (std::isnan(real_)) return "NaN";
  if (std::isinf(real_)) return real_ > 0 ? "Infinity" : "-Infinity";
  if (real_ == 0) return std::signbit(real_) ? "-0.0" : "0";  // an integer would lose the sign
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, real_).ptr;
  return std::string(buffer, end);
}

void store(Number value, DataType type, std::byte* out) {
  if (type == float64) return put(value.as_double(), out);
  switch (type) {
    case DataType::float32:
      return put(to_float(value), out);
    case DataType::float16:  // an integer that a double would round exceeds the range of float16 anyway
      return put(half_bits(round_to_odd(value.as_double())), out);
    case DataType::int32:
      return put(std::int32_t(clamped(value, 32)), out);
    case DataType::uint32:
      return put(std::uint32_t(clamped_unsigned(value, 32)), out);
    case DataType::int64:
      return put(value.as_int64(), out);
    case DataType::uint64:
      return put(value.as_uint64(), out);
    case DataType::int8:
      return put(std::int8_t(clamped(value, 8)), out);
    case DataType::uint8:
      return put(std::uint8_t(clamped_unsigned(value, 8)), out);
    case DataType::int4:
      return put(std::uint8_t(clamped(value, 4) & 15), out);
    case DataType::uint4:
      return put(std::uint8_t(clamped_unsigned(value, 4)), out);
  }
}

}  // namespace webnn::schema
