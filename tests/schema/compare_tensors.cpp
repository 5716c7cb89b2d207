// Distances between tensors.
#include "schema/elements/compare_tensors.hpp"

#include <cmath>
#include <limits>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::compare_tensors_test {
namespace {

using enum DataType;

Comparison compare(DataType type, const Numbers& actual, const Numbers& expected, const Tolerance& tolerance = {}) {
  const TestTensor a = tensor(type, {std::uint32_t(actual.size())}, actual);
  const TestTensor e = tensor(type, {std::uint32_t(expected.size())}, expected);
  return compare_tensors(a.descriptor, a.data, e.data, tolerance);
}

TEST_CASE("compare tensors: units in the last place") {
  CHECK(ulp_distance(float32, 1.0, 1.0 + 0x1p-23) == 1);
  CHECK(ulp_distance(float32, 1.0, 1.0 - 0x1p-24) == 1);
  CHECK(ulp_distance(float32, 0.0, -0.0) == 0);
  CHECK(ulp_distance(float32, 0x1p-149, -0x1p-149) == 2);
  CHECK(ulp_distance(float16, 1.0, 1.0 + 0x1p-10) == 1);
  CHECK(ulp_distance(float16, 65504.0, infinity) == 1);
  CHECK(ulp_distance(float32, infinity, -infinity) == 2u * 0x7f800000u);
  CHECK(ulp_distance(float32, not_a_number, not_a_number) == 0);
  CHECK(ulp_distance(float32, not_a_number, 1.0) == no_ulp_distance);
  CHECK(ulp_distance(int8, -128, 127) == 255);
  CHECK(ulp_distance(int64, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()) ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(ulp_distance(uint64, std::numeric_limits<std::uint64_t>::max(), std::uint64_t{0}) ==
        std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("compare tensors: an element passes by either tolerance") {
  CHECK(compare(float32, {1, 2}, {1, 2}).passed());
  const Comparison different = compare(float32, {1, 2.5, 3}, {1, 2, 4});
  CHECK(different.mismatches == 2);
  CHECK(different.first_mismatch == 1);
  CHECK(different.max_absolute == 1);
  CHECK(different.max_absolute_at == 2);
  CHECK(different.max_relative == 0.25);
  CHECK(different.mean_absolute == 0.5);
  CHECK(compare(float32, {1.5}, {1}, {.absolute = 0.5}).passed());
  CHECK_FALSE(compare(float32, {1.5}, {1}, {.absolute = 0.49}).passed());
  CHECK(compare(float32, {1.5}, {1}, {.relative = 0.5}).passed());
  CHECK(compare(float16, {1 + 0x1p-9}, {1}, {.ulp = 2}).passed());
  CHECK_FALSE(compare(float16, {1 + 0x1p-9}, {1}, {.ulp = 1}).passed());
  CHECK(compare(int4, {-8, 7}, {-7, 7}, {.ulp = 1}).passed());
  CHECK(compare(uint8, {255}, {0}).max_ulp == 255);
}

TEST_CASE("compare tensors: NaN and infinities") {
  CHECK(compare(float32, {not_a_number, infinity}, {not_a_number, infinity}).passed());
  const Comparison missed = compare(float32, {not_a_number, 1}, {1, infinity}, {.ulp = 1e30, .absolute = 1e30});
  CHECK(missed.mismatches == 1);  // an infinity is a finite number of units away, a NaN is not
  CHECK(missed.max_ulp == no_ulp_distance);
  CHECK(missed.max_absolute == infinity);
  CHECK(missed.actual_oddities.nans == 1);
  CHECK(missed.expected_oddities.infinities == 1);
  CHECK_FALSE(compare(float32, {infinity}, {1}, {.absolute = infinity}).passed());
}

TEST_CASE("compare tensors: as vectors") {
  CHECK(compare(float32, {1, 0}, {0, 1}).cosine == 0);
  CHECK(compare(float32, {2, 2}, {1, 1}).cosine == doctest::Approx(1));
  CHECK(compare(float32, {0, 0}, {0, 0}).cosine == 1);
  CHECK(compare(float32, {1, 1}, {1, 1}).peak_to_noise == infinity);
  CHECK(compare(float32, {9, 10}, {10, 10}).peak_to_noise == doctest::Approx(20 - 10 * std::log10(0.5)));
}

}  // namespace
}  // namespace webnn::tests::compare_tensors_test
