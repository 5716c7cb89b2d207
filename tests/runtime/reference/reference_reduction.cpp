// Reference kernels along axes: reductions, argMin and argMax, cumulativeSum.
#include <cmath>
#include <cstdint>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_reduction_test {
namespace {

using enum DataType;

Numbers run(std::string_view op, const TestTensor& x, const NamedAttributes& attributes = {}) {
  return numbers(run_operator(op, {x}, attributes)[0]);
}

TEST_CASE("reference reduction: axes, kept dimensions, rank 0 and rank 8") {
  const TestTensor x = counting(float32, {2, 3});
  CHECK(run("reduceSum", x) == Numbers{15});
  CHECK(run("reduceSum", x, {{"axes", IntegerList{0}}}) == Numbers{3, 5, 7});
  const auto kept = run_operator("reduceMean", {x}, {{"axes", IntegerList{1}}, {"keepDimensions", true}});
  CHECK(kept[0] == tensor(float32, {2, 1}, {1, 4}));
  CHECK(run("reduceL2", scalar(float32, -3)) == Numbers{3});
  CHECK(run("reduceSum", counting(int32, {2, 1, 2, 1, 2, 1, 2, 1}), {{"axes", IntegerList{0, 6}}}) ==
        Numbers{18, 26, 34, 42});
  CHECK(run("reduceSum", counting(int32, {2, 2, 2}), {{"axes", IntegerList{2, 0}}}) == Numbers{10, 18});
}

TEST_CASE("reference reduction: no axes still apply the function to each element") {
  const TestTensor x = tensor(float32, {2}, {-4, 1});
  const NamedAttributes none{{"axes", IntegerList{}}};
  CHECK(run("reduceL1", x, none) == Numbers{4, 1});
  CHECK(run("reduceL2", x, none) == Numbers{4, 1});
  CHECK(run("reduceSumSquare", x, none) == Numbers{16, 1});
  CHECK(run("reduceLogSum", x, none)[1] == Number(0));
  CHECK(run("reduceLogSum", x, none)[0].is_nan());
  CHECK(run("reduceLogSumExp", x, none) == Numbers{-4, 1});
  CHECK(run("reduceSum", x, none) == Numbers{-4, 1});
}

TEST_CASE("reference reduction: each function") {
  const TestTensor x = tensor(float32, {3}, {-1, 2, -2});
  CHECK(run("reduceL1", x) == Numbers{5});
  CHECK(run("reduceL2", x) == Numbers{3});
  CHECK(run("reduceMax", x) == Numbers{2});
  CHECK(run("reduceMin", x) == Numbers{-2});
  CHECK(run("reduceProduct", x) == Numbers{4});
  CHECK(run("reduceSumSquare", x) == Numbers{9});
  CHECK(run("reduceLogSum", tensor(float32, {2}, {0.25, 0.75})) == Numbers{0});
}

TEST_CASE("reference reduction: LogSumExp neither overflows nor vanishes") {
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {1000, 1000})) == Numbers{float(1000 + std::log(2.0))});
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {-1000, -1000})) == Numbers{float(-1000 + std::log(2.0))});
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {-infinity, -infinity})) == Numbers{-infinity});
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {-infinity, 3})) == Numbers{3});
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {infinity, 3})) == Numbers{infinity});
  CHECK(run("reduceLogSumExp", tensor(float32, {2}, {infinity, not_a_number}))[0].is_nan());
}

TEST_CASE("reference reduction: NaN goes through, wherever it stands") {
  for (const auto* op : {"reduceMax", "reduceMin", "reduceSum", "reduceProduct", "reduceMean", "reduceL2"}) {
    CAPTURE(op);
    CHECK(run(op, tensor(float32, {3}, {not_a_number, 1, 2}))[0].is_nan());
    CHECK(run(op, tensor(float16, {3}, {1, 2, not_a_number}))[0].is_nan());
  }
  CHECK(run("reduceMax", tensor(float32, {2}, {-infinity, -infinity})) == Numbers{-infinity});
}

TEST_CASE("reference reduction: integers wrap") {
  constexpr auto highest = std::numeric_limits<std::int32_t>::max();
  constexpr auto lowest = std::numeric_limits<std::int32_t>::min();
  CHECK(run("reduceSum", tensor(int32, {2}, {highest, 1})) == Numbers{lowest});
  CHECK(run("reduceL1", tensor(int32, {1}, {lowest})) == Numbers{lowest});
  CHECK(run("reduceProduct", tensor(uint64, {2}, {std::uint64_t{1} << 63, 2})) == Numbers{0});
  CHECK(run("reduceSumSquare", tensor(uint32, {1}, {65536})) == Numbers{0});
  CHECK(run("reduceMax", tensor(uint8, {3}, {3, 200, 7})) == Numbers{200});
  CHECK(run("reduceMin", tensor(int64, {2}, {std::numeric_limits<std::int64_t>::min(), 0})) ==
        Numbers{std::numeric_limits<std::int64_t>::min()});
}

TEST_CASE("reference reduction: sums of float16 do not saturate on the way") {
  CHECK(run("reduceMean", tensor(float16, {2}, {60000, 60000})) == Numbers{60000});
  CHECK(run("reduceL2", tensor(float16, {2}, {18000, 24000})) == Numbers{30000});
  CHECK(run("reduceSum", tensor(float16, {2}, {60000, 60000})) == Numbers{infinity});
}

TEST_CASE("reference argMin and argMax: the first of equals wins, NaN only against NaN") {
  const TestTensor x = tensor(float32, {2, 3}, {1, 3, 3, not_a_number, -1, -1});
  CHECK(run("argMax", x, {{"axis", 1}}) == Numbers{1, 1});
  CHECK(run("argMin", x, {{"axis", 1}}) == Numbers{0, 1});
  CHECK(run("argMax", tensor(float16, {2}, {not_a_number, not_a_number}), {{"axis", 0}}) == Numbers{0});
  CHECK(run("argMax", tensor(float32, {3}, {1, not_a_number, 2}), {{"axis", 0}}) == Numbers{2});
  const auto wide =
      run_operator("argMin", {tensor(uint64, {2, 2}, {std::numeric_limits<std::uint64_t>::max(), 0, 1, 5})},
                   {{"axis", 0}, {"keepDimensions", true}, {"outputDataType", int64}});
  CHECK(wide[0] == tensor(int64, {1, 2}, {1, 0}));
}

TEST_CASE("reference cumulativeSum: from either end, with and without the element itself") {
  const TestTensor x = counting(int32, {2, 3}, 1);
  CHECK(run("cumulativeSum", x, {{"axis", 1}}) == Numbers{1, 3, 6, 4, 9, 15});
  CHECK(run("cumulativeSum", x, {{"axis", 0}}) == Numbers{1, 2, 3, 5, 7, 9});
  CHECK(run("cumulativeSum", x, {{"axis", 1}, {"exclusive", true}}) == Numbers{0, 1, 3, 0, 4, 9});
  CHECK(run("cumulativeSum", x, {{"axis", 1}, {"reversed", true}}) == Numbers{6, 5, 3, 15, 11, 6});
  CHECK(run("cumulativeSum", x, {{"axis", 1}, {"exclusive", true}, {"reversed", true}}) == Numbers{5, 3, 0, 11, 6, 0});
  CHECK(run("cumulativeSum", tensor(int32, {2}, {2147483647, 1}), {{"axis", 0}}) == Numbers{2147483647, -2147483648.0});
  CHECK(run("cumulativeSum", tensor(float32, {3}, {1e8, 1, -1e8}), {{"axis", 0}}) == Numbers{1e8, 1e8, 1});
}

}  // namespace
}  // namespace webnn::tests::reference_reduction_test
