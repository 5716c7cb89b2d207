// What the reference kernels share: one rounding to float16, packed elements, walks.
#include <cmath>
#include <vector>

#include "runtime/cpu/reference/reference.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_rounding_test {
namespace {

using namespace webnn::runtime::reference;
using webnn::runtime::Strides;

TEST_CASE("reference rounding: float16 is rounded once") {
  const double tie = 1 + 0x1p-11;  // half way between two float16 numbers; the even one is 1
  CHECK(round_to_half(tie).bits == Half(1.0f).bits);
  CHECK(round_to_half(tie + 0x1p-40).bits == Half(1.0f + 0x1p-10f).bits);  // float32 would see the tie
  CHECK(round_to_half(-tie - 0x1p-40).bits == Half(-1.0f - 0x1p-10f).bits);
  CHECK(round_to_half(tie - 0x1p-40).bits == Half(1.0f).bits);
  CHECK(round_to_half(65520 - 0x1p-30).bits == Half(65504.0f).bits);
  CHECK(round_to_half(65520).bits == 0x7c00);
  CHECK(round_to_half(1e300).bits == 0x7c00);
  CHECK(round_to_half(-1e-300).bits == 0x8000);
  CHECK(round_to_half(0x1p-25 + 0x1p-60).bits == 0x0001);
  CHECK(std::isnan(float(round_to_half(std::nan("")))));
}

TEST_CASE("reference rounding: all float16 numbers survive") {
  std::uint32_t survivors = 0;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half = Half::from_bits(std::uint16_t(bits));
    const double value = load(half);
    if (value == value && round_to_half(value).bits != bits) FAIL("bits ", bits);
    survivors += value == value;
  }
  CHECK(survivors == 0x10000 - 2 * 0x3ff);  // all but the NaNs
}

TEST_CASE("reference walks: row-major order, with and without axes") {
  std::vector<std::int64_t> seen;
  const std::array<Strides, 1> transposed{Strides{1, 2, 4}};
  for_each_offset<1>({2, 2, 3}, transposed, [&](const auto& at) { seen.push_back(at[0]); });
  CHECK(seen == std::vector<std::int64_t>{0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11});
  seen.clear();
  for_each_offset<1>({}, transposed, [&](const auto& at) { seen.push_back(at[0]); });
  CHECK(seen == std::vector<std::int64_t>{0});
  seen.clear();
  for_each_index({2, 2}, [&](const Index& index, std::size_t number) {
    seen.push_back(std::int64_t(number) * 100 + index[0] * 10 + index[1]);
  });
  CHECK(seen == std::vector<std::int64_t>{0, 101, 210, 311});
}

}  // namespace
}  // namespace webnn::tests::reference_rounding_test
