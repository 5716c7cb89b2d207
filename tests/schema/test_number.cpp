// Numbers: exact comparison, casts to every data type, text that reads back.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

#include "schema/elements/elements.hpp"
#include "schema/elements/half.hpp"
#include "schema/elements/number.hpp"

namespace number_test {

using namespace webnn::schema;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t least_int64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest_int64 = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t largest_uint64 = std::numeric_limits<std::uint64_t>::max();

/// What an element of `type` holds after a store.
Number cast(Number value, DataType type) {
  std::byte bytes[8] = {};
  store(value, type, bytes);
  return load_element(type, bytes, 0);
}

float cast_to_float32(Number value) {
  std::byte bytes[4];
  store(value, DataType::float32, bytes);
  float result;
  std::memcpy(&result, bytes, sizeof result);
  return result;
}

std::uint16_t cast_to_float16(Number value) {
  std::byte bytes[2];
  store(value, DataType::float16, bytes);
  std::uint16_t result;
  std::memcpy(&result, bytes, sizeof result);
  return result;
}

}  // namespace

TEST_CASE("number: comparison is exact where doubles are not") {
  // Each is less than all that follow.
  const Number ascending[] = {not_a_number,
                              -infinity,
                              -0x1.0000000000001p63,
                              least_int64,
                              least_int64 + 1,
                              -2,
                              -1.5,
                              -1,
                              0,
                              0.5,
                              1,
                              std::int64_t{9007199254740992},
                              std::int64_t{9007199254740993},  // no double
                              9007199254740994.0,
                              largest_int64,
                              0x1p63,
                              std::uint64_t{9223372036854775809u},
                              largest_uint64 - 1,
                              largest_uint64,
                              0x1p64,
                              infinity};
  for (std::size_t i = 0; i < std::size(ascending); ++i)
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      INFO(ascending[i].text() << " and " << ascending[j].text());
      CHECK(Number::compare(ascending[i], ascending[j]) == int(i > j) - int(i < j));
    }
}

TEST_CASE("number: one value in three forms is equal, but -0.0 is not 0") {
  CHECK(Number(1.0) == Number(1));
  CHECK(Number(std::uint64_t{1}) == Number(1));
  CHECK(Number(0x1p63) == Number(std::uint64_t{1} << 63));
  CHECK(Number(not_a_number) == Number(not_a_number));
  CHECK(Number(0.0) == Number(0));
  CHECK_FALSE(Number(-0.0) == Number(0.0));
  CHECK(Number::compare(-0.0, 0.0) == 0);
}

TEST_CASE("number: integers saturate, reals round half to even, NaN gives 0") {
  CHECK(Number(2.5).as_int64() == 2);
  CHECK(Number(3.5).as_int64() == 4);
  CHECK(Number(-2.5).as_int64() == -2);
  CHECK(Number(not_a_number).as_int64() == 0);
  CHECK(Number(infinity).as_int64() == largest_int64);
  CHECK(Number(-infinity).as_int64() == least_int64);
  CHECK(Number(0x1p63).as_int64() == largest_int64);
  CHECK(Number(-0x1p63).as_int64() == least_int64);
  CHECK(Number(largest_uint64).as_int64() == largest_int64);
  CHECK(Number(-1).as_uint64() == 0);
  CHECK(Number(0x1p64).as_uint64() == largest_uint64);
  CHECK(Number(not_a_number).as_uint64() == 0);
}

TEST_CASE("number: casts clamp to the range of every integer type") {
  struct Range {
    DataType type;
    Number low, high;
  };
  const Range ranges[] = {{DataType::int4, -8, 7},
                          {DataType::uint4, 0, 15},
                          {DataType::int8, -128, 127},
                          {DataType::uint8, 0, 255},
                          {DataType::int32, std::int64_t{-2147483648}, std::int64_t{2147483647}},
                          {DataType::uint32, 0, std::int64_t{4294967295}},
                          {DataType::int64, least_int64, largest_int64},
                          {DataType::uint64, 0, largest_uint64}};
  for (const auto& range : ranges) {
    const auto& [type, low, high] = range;
    CHECK(cast(-infinity, type) == low);
    CHECK(cast(infinity, type) == high);
    CHECK(cast(low, type) == low);
    CHECK(cast(high, type) == high);
    CHECK(cast(2.5, type) == Number(2));
    CHECK(cast(not_a_number, type) == Number(0));
  }
}

TEST_CASE("number: casts to floats round once, to even, and overflow to infinity") {
  CHECK(cast_to_float32(std::int64_t{16777217}) == 16777216.0f);
  // Just above the middle of two floats; a double would make it the middle, then even.
  CHECK(cast_to_float32((std::int64_t{1} << 62) + (std::int64_t{1} << 38) + 1) == 0x1p62f + 0x1p39f);
  CHECK(cast_to_float32(0x1p128) == std::numeric_limits<float>::infinity());
  CHECK(std::signbit(cast_to_float32(-0.0)));
  CHECK(std::isnan(cast_to_float32(not_a_number)));

  CHECK(cast_to_float16(65519.999999) == 0x7bff);
  CHECK(cast_to_float16(65520) == 0x7c00);
  CHECK(cast_to_float16(-largest_int64) == 0xfc00);
  CHECK(cast_to_float16(2049) == half_bits(2048));
  // Just above the middle of 1 and its neighbour: rounding to float32 first would make it the middle, then even.
  CHECK(cast_to_float16(1 + 0x1p-11 + 0x1p-40) == 0x3c01);
  CHECK(cast_to_float16(1 + 0x1p-11 - 0x1p-40) == 0x3c00);
  CHECK(cast_to_float16(1 + 0x1p-11) == 0x3c00);
  CHECK((cast_to_float16(not_a_number) & 0x7fff) > 0x7c00);
}

TEST_CASE("number: text is the shortest that reads back") {
  CHECK(Number(0.1).text() == "0.1");
  CHECK(Number(1.0).text() == "1");
  CHECK(Number(-0.0).text() == "-0.0");
  CHECK(Number(1e300).text() == "1e+300");
  CHECK(Number(not_a_number).text() == "NaN");
  CHECK(Number(-infinity).text() == "-Infinity");
  CHECK(Number(largest_uint64).text() == "18446744073709551615");
  CHECK(Number(least_int64).text() == "-9223372036854775808");
}

}  // namespace number_test
