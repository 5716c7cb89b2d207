// The checks that all operators share, and how complaints read.
#include <doctest/doctest.h>

#include "tests/schema/inferred.hpp"

namespace check_operator_test {

using namespace webnn::tests;

TEST_CASE("check: required operands must be there, and not too many") {
  CHECK(inferred("add", {f32({2})}) == "operand 1: operand 'b' is missing");
  CHECK(inferred("add", {std::nullopt, f32({2})}) == "operand 0: operand 'a' is missing");
  CHECK(inferred("relu", {f32({2}), f32({2})}) == "relu has 2 operands, but takes at most 1");
  CHECK(inferred("concat", {}, {{"axis", 0}}) == "concat takes at least one operand");
  CHECK(inferred("concat", {f32({2}), std::nullopt}, {{"axis", 0}}) == "operand 1: operand 'inputs[1]' is missing");
  CHECK(inferred("concat", OptionalDescriptors(8192, f32({1})), {{"axis", 0}}) == "float32[8192]");
  CHECK(inferred("concat", OptionalDescriptors(8193, f32({1})), {{"axis", 0}}) ==
        "concat has 8193 operands, but takes at most 8192");
  CHECK(inferred("gemm", {f32({2, 3}), f32({3, 4}), std::nullopt}) == "float32[2, 4]");
}

TEST_CASE("check: types, type variables and ranks") {
  CHECK(inferred("sin", {i32({2})}) == "operand 0: 'input' is int32, but sin takes float32 or float16");
  CHECK(inferred("add", {f32({2}), f16({2})}) ==
        "operand 1: 'b' is float16, but 'a' is float32 and both need the same type");
  CHECK(inferred("where", {u8({2}), f32({2}), f16({2})}) ==
        "operand 2: 'falseValue' is float16, but 'trueValue' is float32 and both need the same type");
  CHECK(inferred("conv2d", {f32({1, 1, 3, 3}), f32({1, 1, 3, 3}), f16({1})}) ==
        "operand 2: 'bias' is float16, but 'input' is float32 and both need the same type");
  CHECK(inferred("gemm", {f32({2}), f32({2, 2})}) == "operand 0: 'a' has rank 1, but gemm takes rank 2");
  CHECK(inferred("matmul", {f32({2}), f32({2, 2})}) == "operand 0: 'a' has rank 1, but matmul takes rank 2 to 8");
}

TEST_CASE("check: required attributes must be there") {
  CHECK(inferred("softmax", {f32({2})}) == "axis: 'axis' is missing");
  CHECK(inferred("cast", {f32({2})}) == "dataType: 'dataType' is missing");
}

TEST_CASE("check: attributes have their row's kind") {
  CHECK(inferred("softmax", {f32({2})}, {{"axis", true}}) == "axis: 'axis' must be an integer");
  CHECK(inferred("softmax", {f32({2})}, {{"axis", IntegerList{0}}}) == "axis: 'axis' must be an integer");
  CHECK(inferred("elu", {f32({2})}, {{"alpha", "one"}}) == "alpha: 'alpha' must be a number");
  CHECK(inferred("reduceSum", {f32({2})}, {{"keepDimensions", 1}}) ==
        "keepDimensions: 'keepDimensions' must be true or false");
  CHECK(inferred("reshape", {f32({2})}, {{"newShape", 2}}) == "newShape: 'newShape' must be a list of integers");
  CHECK(inferred("split", {f32({2})}, {{"splits", "two"}}) ==
        "splits: 'splits' must be an integer or a list of integers");
  CHECK(inferred("resample2d", {f32({1, 1, 2, 2})}, {{"scales", IntegerList{2, 2}}}) ==
        "scales: 'scales' must be a list of numbers");
  CHECK(inferred("cast", {f32({2})}, {{"dataType", "int8"}}) == "dataType: 'dataType' must be a data type");
}

TEST_CASE("check: integers lie between the row's minimum and the end of 32 bits") {
  CHECK(inferred("softmax", {f32({2})}, {{"axis", -1}}) == "axis: 'axis' is -1, but must be at least 0");
  CHECK(inferred("conv2d", {f32({1, 1, 3, 3}), f32({1, 1, 3, 3})}, {{"groups", 0}}) ==
        "groups: 'groups' is 0, but must be at least 1");
  CHECK(inferred("tile", {f32({2, 2})}, {{"repetitions", IntegerList{1, 0x100000000}}}) ==
        "repetitions[1]: 'repetitions[1]' is 4294967296, but must be at most 4294967295");
  CHECK(inferred("triangular", {f32({2, 2})}, {{"diagonal", -2147483647 - 1}}) == "float32[2, 2]");
  CHECK(inferred("triangular", {f32({2, 2})}, {{"diagonal", IntegerList{}}}) ==
        "diagonal: 'diagonal' must be an integer");
  CHECK(inferred("conv2d", {f32({1, 1, 3, 3}), f32({1, 1, 3, 3})}, {{"strides", IntegerList{1}}}) ==
        "strides: 'strides' has 1 element, but needs 2");
}

TEST_CASE("check: reals are finite; numbers may be infinite, never NaN") {
  CHECK(inferred("linear", {f32({2})}, {{"alpha", not_a_number}}) == "alpha: 'alpha' is NaN, but must be finite");
  CHECK(inferred("linear", {f32({2})}, {{"beta", -infinity}}) == "beta: 'beta' is -Infinity, but must be finite");
  CHECK(inferred("resample2d", {f32({1, 1, 2, 2})}, {{"scales", RealList{1, infinity}}}) ==
        "scales[1]: 'scales[1]' is Infinity, but must be finite");
  CHECK(inferred("clamp", {f32({2})}, {{"minValue", Number(-infinity)}}) == "float32[2]");
  CHECK(inferred("clamp", {f32({2})}, {{"maxValue", Number(not_a_number)}}) == "maxValue: 'maxValue' is NaN");
}

TEST_CASE("check: words are the row's, with a hint when one is near") {
  const auto errors =
      complaints("pad", {f32({2})},
                 {{"beginningPadding", IntegerList{1}}, {"endingPadding", IntegerList{1}}, {"mode", "reflect"}});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].message == "'mode' is 'reflect', but must be constant, edge or reflection");
  CHECK(errors[0].hint == "did you mean 'reflection'?");
  CHECK(inferred("gruCell", {f32({1, 1}), f32({3, 1}), f32({3, 1}), f32({1, 1})},
                 {{"hiddenSize", 1}, {"activations", TextList{"tanh", "elu"}}}) ==
        "activations[1]: 'activations[1]' is 'elu', but must be relu, sigmoid or tanh");
  CHECK(inferred("argMax", {f32({2})}, {{"axis", 0}, {"outputDataType", DataType::int8}}) ==
        "outputDataType: 'outputDataType' is int8, but must be int32 or int64");
}

TEST_CASE("check: independent mistakes are reported together") {
  const auto errors = complaints("conv2d", {i32({1, 1, 3}), f32({1, 1, 3, 3})},
                                 {{"groups", 0}, {"inputLayout", "nchv"}, {"strides", IntegerList{0, 1}}});
  CHECK(errors.size() == 6);  // type and rank of input, filter's other type, groups, layout, strides
}

TEST_CASE("check: an output beyond the limits of a tensor is refused") {
  CHECK(inferred("expand", {f32({1})}, {{"newShape", IntegerList{536870912}}}) ==
        "the output of expand cannot exist: float32[536870912] takes 2147483648 bytes, but the limit of a tensor is "
        "2147483647");
  CHECK(inferred("expand", {f32({1})}, {{"newShape", IntegerList{1, 1, 1, 1, 1, 1, 1, 1, 1}}}) ==
        "the output would have rank 9, but the highest rank is 8");
}

}  // namespace check_operator_test
