// Reference kernels that move elements: shapes, edges of the padding, indices out of range.
#include <cstdint>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_movement_test {
namespace {

using enum DataType;

Numbers run(std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes = {}) {
  return numbers(run_operator(op, inputs, attributes)[0]);
}

TEST_CASE("reference copy: identity and reshape keep the bytes, packed ones too") {
  const TestTensor nibbles = tensor(int4, {3}, {-8, 7, -1});
  CHECK(run_operator("identity", {nibbles})[0] == nibbles);
  CHECK(run_operator("reshape", {nibbles}, {{"newShape", IntegerList{3, 1}}})[0] == tensor(int4, {3, 1}, {-8, 7, -1}));
  CHECK(run_operator("reshape", {tensor(float32, {1, 1}, {4})}, {{"newShape", IntegerList{}}})[0] ==
        scalar(float32, 4));
  const TestTensor x = counting(int64, {2, 3});
  CHECK(run_operator("identity", {x}, {}, {.in_place = 0})[0] == x);
}

TEST_CASE("reference concat and split are inverse") {
  const TestTensor a = tensor(float16, {2, 1}, {1, 2});
  const TestTensor b = tensor(float16, {2, 2}, {3, 4, 5, 6});
  const auto joined = run_operator("concat", {a, b, a}, {{"axis", 1}});
  CHECK(numbers(joined[0]) == Numbers{1, 3, 4, 1, 2, 5, 6, 2});
  const auto parts = run_operator("split", {joined[0]}, {{"splits", IntegerList{1, 2, 1}}, {"axis", 1}});
  CHECK(parts == std::vector{a, b, a});
  const auto halves = run_operator("split", {counting(int8, {4})}, {{"splits", 2}});
  CHECK(halves == std::vector{tensor(int8, {2}, {0, 1}), tensor(int8, {2}, {2, 3})});
}

TEST_CASE("reference expand, tile and reverse") {
  CHECK(run("expand", {scalar(uint8, 7)}, {{"newShape", IntegerList{2, 2}}}) == Numbers{7, 7, 7, 7});
  CHECK(run("expand", {tensor(int32, {2, 1}, {1, 2})}, {{"newShape", IntegerList{2, 2, 2}}}) ==
        Numbers{1, 1, 2, 2, 1, 1, 2, 2});
  CHECK(run("tile", {tensor(int32, {1, 2}, {1, 2})}, {{"repetitions", IntegerList{2, 2}}}) ==
        Numbers{1, 2, 1, 2, 1, 2, 1, 2});
  CHECK(run("tile", {scalar(int32, 3)}, {{"repetitions", IntegerList{}}}) == Numbers{3});
  const TestTensor x = counting(int32, {2, 3});
  CHECK(run("reverse", {x}) == Numbers{5, 4, 3, 2, 1, 0});
  CHECK(run("reverse", {x}, {{"axes", IntegerList{1}}}) == Numbers{2, 1, 0, 5, 4, 3});
  CHECK(run("reverse", {x}, {{"axes", IntegerList{}}}) == Numbers{0, 1, 2, 3, 4, 5});
  CHECK(run("reverse", {scalar(int32, 3)}) == Numbers{3});
}

TEST_CASE("reference slice takes the ceiling of size / stride") {
  const TestTensor x = counting(int32, {2, 5});
  CHECK(run("slice", {x},
            {{"starts", IntegerList{0, 1}}, {"sizes", IntegerList{2, 4}}, {"strides", IntegerList{1, 3}}}) ==
        Numbers{1, 4, 6, 9});
  CHECK(run("slice", {scalar(int32, 9)}, {{"starts", IntegerList{}}, {"sizes", IntegerList{}}}) == Numbers{9});
}

TEST_CASE("reference transpose: default, permutation, rank 0 and rank 8") {
  const TestTensor x = counting(float16, {2, 3});
  CHECK(run("transpose", {x}) == Numbers{0, 3, 1, 4, 2, 5});
  CHECK(run("transpose", {counting(int32, {2, 1, 3})}, {{"permutation", IntegerList{2, 0, 1}}}) ==
        Numbers{0, 3, 1, 4, 2, 5});
  CHECK(run("transpose", {scalar(int64, 5)}) == Numbers{5});
  const auto eight = run_operator("transpose", {counting(uint8, {2, 1, 1, 1, 1, 1, 3, 1})});
  CHECK(eight[0].descriptor.shape == Shape{1, 3, 1, 1, 1, 1, 1, 2});
  CHECK(numbers(eight[0]) == Numbers{0, 3, 1, 4, 2, 5});
}

TEST_CASE("reference triangular: diagonals inside and beyond the matrix") {
  const TestTensor x = counting(int32, {2, 3}, 1);
  CHECK(run("triangular", {x}) == Numbers{1, 2, 3, 0, 5, 6});
  CHECK(run("triangular", {x}, {{"upper", false}}) == Numbers{1, 0, 0, 4, 5, 0});
  CHECK(run("triangular", {x}, {{"diagonal", 1}}) == Numbers{0, 2, 3, 0, 0, 6});
  CHECK(run("triangular", {x}, {{"upper", false}, {"diagonal", -1}}) == Numbers{0, 0, 0, 4, 0, 0});
  CHECK(run("triangular", {x}, {{"diagonal", 2147483647}}) == Numbers{0, 0, 0, 0, 0, 0});
  CHECK(run("triangular", {x}, {{"upper", false}, {"diagonal", 2147483647}}) == numbers(x));
  CHECK(run_operator("triangular", {x}, {}, {.in_place = 0}) == run_operator("triangular", {x}));
}

TEST_CASE("reference pad: constant, edge and reflection") {
  const TestTensor x = tensor(float32, {3}, {1, 2, 3});
  const NamedAttribute before{"beginningPadding", IntegerList{2}}, after{"endingPadding", IntegerList{1}};
  CHECK(run("pad", {x}, {before, after}) == Numbers{0, 0, 1, 2, 3, 0});
  CHECK(run("pad", {x}, {before, after, {"value", -infinity}}) == Numbers{-infinity, -infinity, 1, 2, 3, -infinity});
  CHECK(run("pad", {x}, {before, after, {"mode", "edge"}}) == Numbers{1, 1, 1, 2, 3, 3});
  CHECK(run("pad", {x}, {before, after, {"mode", "reflection"}}) == Numbers{3, 2, 1, 2, 3, 2});
  CHECK(run("pad", {tensor(int8, {1}, {5})}, {before, after, {"value", 1000}}) == Numbers{127, 127, 5, 127});
  CHECK(run("pad", {scalar(float32, 4)}, {{"beginningPadding", IntegerList{}}, {"endingPadding", IntegerList{}}}) ==
        Numbers{4});
  CHECK(run("pad", {counting(int32, {2, 2})},
            {{"beginningPadding", IntegerList{1, 0}}, {"endingPadding", IntegerList{0, 1}}, {"mode", "edge"}}) ==
        Numbers{0, 1, 1, 0, 1, 1, 2, 3, 3});
}

TEST_CASE("reference gather: negative indices count from the end, others are clamped") {
  const TestTensor x = tensor(float32, {3, 2}, {0, 1, 10, 11, 20, 21});
  CHECK(run("gather", {x, tensor(int32, {4}, {-1, -10, 10, 1})}) == Numbers{20, 21, 0, 1, 20, 21, 10, 11});
  CHECK(run("gather", {x, tensor(int64, {1, 2}, {std::numeric_limits<std::int64_t>::min(), -2})}, {{"axis", 1}}) ==
        Numbers{0, 0, 10, 10, 20, 20});
  CHECK(run("gather", {x, scalar(uint32, 4294967295.0)}) == Numbers{20, 21});
  CHECK(run_operator("gather", {x, scalar(int32, 0)})[0].descriptor.shape == Shape{2});
}

TEST_CASE("reference gatherElements and scatterElements along an axis") {
  const TestTensor x = counting(int32, {3, 2});
  const TestTensor indices = tensor(int32, {1, 2}, {-1, 0});
  CHECK(run("gatherElements", {x, indices}) == Numbers{4, 1});
  CHECK(run("gatherElements", {x, tensor(int64, {3, 3}, {0, 1, 9, -9, -1, 0, 1, 1, 1})}, {{"axis", 1}}) ==
        Numbers{0, 1, 1, 2, 3, 2, 5, 5, 5});
  CHECK(run("scatterElements", {x, indices, tensor(int32, {1, 2}, {70, 80})}) == Numbers{0, 80, 2, 3, 70, 5});
  // The last of several updates wins, whichever index form it uses.
  const TestTensor same = tensor(int32, {1, 3}, {0, -2, -100});
  CHECK(run("scatterElements", {tensor(int8, {1, 2}, {1, 2}), same, tensor(int8, {1, 3}, {5, 6, 7})}, {{"axis", 1}}) ==
        Numbers{7, 2});
}

TEST_CASE("reference gatherND and scatterND address slices") {
  const TestTensor x = counting(float16, {2, 2, 2});
  CHECK(run("gatherND", {x, tensor(int32, {2, 2}, {0, 1, -1, 5})}) == Numbers{2, 3, 6, 7});
  CHECK(run("gatherND", {x, tensor(uint32, {3}, {1, 0, 1})}) == Numbers{5});
  CHECK(run_operator("gatherND", {x, tensor(uint32, {3}, {1, 0, 1})})[0].descriptor.shape == Shape{});
  const TestTensor row = tensor(float16, {2, 2}, {-1, -2, -3, -4});
  CHECK(run("scatterND", {x, tensor(int64, {2, 2}, {1, 1, -1, -1}), row}) == Numbers{0, 1, 2, 3, 4, 5, -3, -4});
  CHECK(run("scatterND", {tensor(int32, {2}, {1, 2}), tensor(int32, {1}, {1}), scalar(int32, 9)}) == Numbers{1, 9});
}

TEST_CASE("reference scatter: in place gives the same") {
  const TestTensor x = counting(float32, {3, 2});
  const TestTensor indices = tensor(int32, {1, 2}, {2, 0});
  const TestTensor updates = tensor(float32, {1, 2}, {70, 80});
  CHECK(run_operator("scatterElements", {x, indices, updates}, {}, {.in_place = 0}) ==
        run_operator("scatterElements", {x, indices, updates}));
  CHECK(run_operator("scatterND", {x, tensor(int32, {1, 1}, {1}), updates}, {}, {.in_place = 0}) ==
        run_operator("scatterND", {x, tensor(int32, {1, 1}, {1}), updates}));
}

}  // namespace
}  // namespace webnn::tests::reference_movement_test
