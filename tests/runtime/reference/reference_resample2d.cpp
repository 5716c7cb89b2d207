// The reference kernel of resample2d.
#include "tests/harness/run_operator.hpp"

namespace reference_resample2d_test {

using namespace webnn::tests;

namespace {

Numbers resample(const TestTensor& input, const NamedAttributes& attributes) {
  return numbers(run_operator("resample2d", {input}, attributes)[0]);
}
Numbers resample_row(const TestTensor& input, int size, const char* mode) {
  return resample(input, {{"sizes", IntegerList{1, size}}, {"mode", mode}});
}

}  // namespace

TEST_CASE("reference resample2d: the nearest of two equally near pixels is the first") {
  CHECK(resample_row(counting(DataType::float32, {1, 1, 1, 8}), 4, "nearest-neighbor") == Numbers{0.0, 2.0, 4.0, 6.0});
  CHECK(resample_row(counting(DataType::float32, {1, 1, 1, 3}), 6, "nearest-neighbor") ==
        Numbers{0.0, 0.0, 1.0, 1.0, 2.0, 2.0});
  CHECK(resample_row(counting(DataType::float32, {1, 1, 1, 3}), 5, "nearest-neighbor") ==
        Numbers{0.0, 0.0, 1.0, 2.0, 2.0});
}

TEST_CASE("reference resample2d: linear interpolation between half-pixel centres, the specification's example") {
  const TestTensor input =
      tensor(DataType::float32, {1, 1, 4, 4}, {0, 1, 2, 3, 0, 1, 2, 3, 12, 13, 14, 15, 12, 13, 14, 15});
  const Numbers row{0.0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3.0};
  Numbers expected;
  for (const double height : {0, 0, 0, 3, 9, 12, 12, 12})
    for (const Number& column : row) expected.push_back(Number(height + column.as_double()));
  CHECK(resample(input, {{"scales", RealList{2, 2}}, {"mode", "linear"}}) == expected);
}

TEST_CASE("reference resample2d: the output's size decides the scale") {
  // floor(3 * 1.5) is 4, so the scale is 4/3 and not 1.5.
  const TestTensor input = tensor(DataType::float32, {1, 1, 1, 3}, {0, 8, 16});
  CHECK(resample(input, {{"scales", RealList{1, 1.5}}, {"mode", "linear"}}) == Numbers{0.0, 5.0, 11.0, 16.0});
}

TEST_CASE("reference resample2d: any two axes in any order") {
  const TestTensor image = counting(DataType::float32, {1, 1, 2, 3});
  const NamedAttributes usual{{"sizes", IntegerList{4, 5}}, {"mode", "linear"}};
  const TestTensor expected = run_operator("resample2d", {image}, usual)[0];
  CHECK(run_operator("resample2d", {image},
                     {{"sizes", IntegerList{5, 4}}, {"axes", IntegerList{3, 2}}, {"mode", "linear"}})[0] == expected);
  const IntegerList moved{2, 0, 1, 3};  // height first
  const TestTensor turned = run_operator("transpose", {image}, {{"permutation", moved}})[0];
  CHECK(run_operator("resample2d", {turned},
                     {{"sizes", IntegerList{4, 5}}, {"axes", IntegerList{0, 3}}, {"mode", "linear"}})[0] ==
        run_operator("transpose", {expected}, {{"permutation", moved}})[0]);
}

TEST_CASE("reference resample2d: bytes are rounded half to even") {
  const auto middle = [](DataType type, int a, int b) {
    return resample_row(tensor(type, {1, 1, 1, 2}, {a, b}), 1, "linear");
  };
  CHECK(middle(DataType::uint8, 200, 255) == Numbers{228});
  CHECK(middle(DataType::uint8, 0, 1) == Numbers{0});
  CHECK(middle(DataType::int8, -4, -1) == Numbers{-2});
  CHECK(resample_row(tensor(DataType::int8, {1, 1, 1, 2}, {-128, 127}), 4, "nearest-neighbor") ==
        Numbers{-128, -128, 127, 127});
}

}  // namespace reference_resample2d_test
