// Shape rules: what the specification says where it is easily got wrong, and this project's decisions. The bulk of
// cases is in the validation vectors.
#include <doctest/doctest.h>

#include "schema/infer/infer.hpp"
#include "tests/schema/inferred.hpp"

namespace infer_test {

using namespace webnn::tests;

TEST_CASE("infer: elementwise operators broadcast in both directions") {
  CHECK(inferred("add", {f32({2, 1}), f32({3})}) == "float32[2, 3]");
  CHECK(inferred("equal", {f32({2, 1}), f32({3})}) == "uint8[2, 3]");
  CHECK(inferred("prelu", {f32({3}), f32({2, 1})}) == "float32[2, 3]");
  CHECK(inferred("where", {u8({4, 1, 1}), f16({2, 1}), f16({3})}) == "float16[4, 2, 3]");
  CHECK(inferred("isNaN", {f16({2})}) == "uint8[2]");
  CHECK(inferred("sub", {f32({2, 4}), f32({3})}) ==
        "operand 1: 'b' has shape [3], which does not broadcast with [2, 4] of 'a'");
  CHECK(inferred("where", {u8({2, 1}), f32({3}), f32({4})}) ==
        "operand 2: 'falseValue' has shape [4], which does not broadcast with [2, 3], the broadcast of the operands "
        "before it");
}

TEST_CASE("infer: clamp compares its limits as values of the input's type") {
  CHECK(inferred("clamp", {f32({2})}, {{"minValue", Number(2)}, {"maxValue", Number(1.5)}}) ==
        "minValue: 'minValue' is 2, which is greater than 'maxValue' 1.5");
  CHECK(inferred("clamp", {i32({2})}, {{"minValue", Number(2)}, {"maxValue", Number(1.5)}}) == "int32[2]");
  CHECK(inferred("clamp", {u8({2})}, {{"minValue", Number(300)}, {"maxValue", Number(255)}}) == "uint8[2]");
  const OperandDescriptor i64{DataType::int64, {2}};
  CHECK(inferred("clamp", {i64},
                 {{"minValue", Number(std::int64_t{9007199254740993})},
                  {"maxValue", Number(std::int64_t{9007199254740992})}}) ==
        "minValue: 'minValue' is 9007199254740993, which is greater than 'maxValue' 9007199254740992");
}

TEST_CASE("infer: reshape keeps the number of elements") {
  CHECK(inferred("reshape", {f32({2, 3})}, {{"newShape", IntegerList{3, 1, 2}}}) == "float32[3, 1, 2]");
  CHECK(inferred("reshape", {f32({1})}, {{"newShape", IntegerList{}}}) == "float32[]");
  CHECK(inferred("reshape", {f32({2, 3})}, {{"newShape", IntegerList{4}}}) ==
        "newShape: 'newShape' holds 4 elements, but the input [2, 3] has 6");
  // The product is 2^96, which is 0 in 64 bits.
  CHECK(inferred("reshape", {f32({2})}, {{"newShape", IntegerList{0x80000000, 0x80000000, 0x80000000, 8}}}) ==
        "newShape: 'newShape' holds over 2^64 elements, but the input [2] has 2");
}

TEST_CASE("infer: expand goes one way only") {
  CHECK(inferred("expand", {f32({3, 1})}, {{"newShape", IntegerList{2, 3, 4}}}) == "float32[2, 3, 4]");
  CHECK(inferred("expand", {f32({})}, {{"newShape", IntegerList{2}}}) == "float32[2]");
  CHECK(inferred("expand", {f32({2, 3})}, {{"newShape", IntegerList{1, 3}}}) ==
        "newShape: 'newShape' is [1, 3], to which the input [2, 3] does not expand");
  CHECK(inferred("expand", {f32({2, 3})}, {{"newShape", IntegerList{3}}}).starts_with("newShape:"));
}

TEST_CASE("infer: concat adds up one axis") {
  CHECK(inferred("concat", {f32({2, 3}), f32({4, 3})}, {{"axis", 0}}) == "float32[6, 3]");
  CHECK(inferred("concat", {f32({2, 3}), f32({4, 2})}, {{"axis", 0}}) ==
        "operand 1: 'inputs[1]' has shape [4, 2], but 'inputs[0]' has [2, 3] and only axis 0 may differ");
  CHECK(inferred("concat", {f32({2, 3}), f32({2})}, {{"axis", 0}}).starts_with("operand 1:"));
  const OperandDescriptor large{DataType::uint8, {2147483647}};
  CHECK(inferred("concat", {large, large}, {{"axis", 0}}) ==
        "the output would have shape [4294967294], but a dimension is 1 to 2147483647");
}

TEST_CASE("infer: split takes a number that divides, or sizes that add up") {
  CHECK(inferred("split", {f32({6, 2})}, {{"splits", 3}}) == "float32[2, 2], float32[2, 2], float32[2, 2]");
  CHECK(inferred("split", {f32({2, 6})}, {{"splits", IntegerList{1, 5}}, {"axis", 1}}) ==
        "float32[2, 1], float32[2, 5]");
  CHECK(inferred("split", {f32({6})}, {{"splits", IntegerList{6}}}) == "float32[6]");
  CHECK(inferred("split", {f32({6})}, {{"splits", 4}}) ==
        "splits: 'splits' is 4, which does not divide the size 6 of axis 0");
  CHECK(inferred("split", {f32({6})}, {{"splits", IntegerList{2, 3}}}) ==
        "splits: 'splits' adds up to 5, but axis 0 has size 6");
  CHECK(inferred("split", {f32({6})}, {{"splits", IntegerList{}}}) ==
        "splits: 'splits' asks for 0 outputs, but 1 to 8192 are possible");
  CHECK(inferred("split", {f32({16384})}, {{"splits", 16384}}) ==
        "splits: 'splits' asks for 16384 outputs, but 1 to 8192 are possible");
  // The sum is 6 in 32 bits.
  CHECK(inferred("split", {f32({6})}, {{"splits", IntegerList{4294967295, 7}}}) ==
        "splits: 'splits' adds up to 4294967302, but axis 0 has size 6");
}

TEST_CASE("infer: slice stays inside and rounds strides up") {
  CHECK(inferred("slice", {f32({5})}, {{"starts", IntegerList{1}}, {"sizes", IntegerList{4}}}) == "float32[4]");
  CHECK(inferred("slice", {f32({})}, {{"starts", IntegerList{}}, {"sizes", IntegerList{}}}) == "float32[]");
  CHECK(inferred("slice", {f32({5})},
                 {{"starts", IntegerList{0}}, {"sizes", IntegerList{5}}, {"strides", IntegerList{2}}}) == "float32[3]");
  CHECK(inferred("slice", {f32({5})}, {{"starts", IntegerList{4294967295}}, {"sizes", IntegerList{2}}}) ==
        "sizes[0]: the slice takes 2 elements from 4294967295 on axis 0, but the input's size is 5");
}

TEST_CASE("infer: pad by reflection needs elements to reflect") {
  const NamedAttributes one_and_two{{"beginningPadding", IntegerList{1}}, {"endingPadding", IntegerList{2}}};
  CHECK(inferred("pad", {f32({2})}, one_and_two) == "float32[5]");
  NamedAttributes reflected = one_and_two;
  reflected.emplace_back("mode", "reflection");
  CHECK(inferred("pad", {f32({3})}, reflected) == "float32[6]");
  CHECK(inferred("pad", {f32({2})}, reflected) ==
        "endingPadding[0]: 'endingPadding' is 2 on axis 0, but reflection needs less than the input's size of 2");
}

TEST_CASE("infer: transpose reverses by default and takes permutations only") {
  CHECK(inferred("transpose", {f32({2, 3, 4})}) == "float32[4, 3, 2]");
  CHECK(inferred("transpose", {f32({})}) == "float32[]");
  CHECK(inferred("transpose", {f32({2, 3, 4})}, {{"permutation", IntegerList{1, 2, 0}}}) == "float32[3, 4, 2]");
  CHECK(inferred("transpose", {f32({2, 3})}, {{"permutation", IntegerList{0, 0}}}) ==
        "permutation[1]: 'permutation' names axis 0 twice");
  CHECK(inferred("transpose", {f32({2, 3})}, {{"permutation", IntegerList{0}}}) ==
        "permutation: 'permutation' has 1 element, but the input has rank 2");
}

TEST_CASE("infer: gathering puts the indices' shape in the place of the axis") {
  CHECK(inferred("gather", {f32({2, 3, 4}), i32({5, 6})}, {{"axis", 1}}) == "float32[2, 5, 6, 4]");
  CHECK(inferred("gather", {f32({2, 3}), i32({})}) == "float32[3]");
  CHECK(inferred("gather", {f32(Shape::filled(5, 1)), i32(Shape::filled(5, 1))}) ==
        "the output would have rank 9, but the highest rank is 8");
  CHECK(inferred("gatherElements", {f32({2, 3}), i32({7, 3})}) == "float32[7, 3]");
  CHECK(inferred("gatherND", {f32({2, 3, 4}), i32({5, 2})}) == "float32[5, 4]");
  CHECK(inferred("gatherND", {f32({2, 3}), i32({2})}) == "float32[]");
  CHECK(inferred("gatherND", {f32({2, 3}), i32({5, 3})}) ==
        "operand 1: 'indices' has 3 coordinates in its last axis, but the input has rank 2");
}

TEST_CASE("infer: scattering keeps the input's shape") {
  CHECK(inferred("scatterElements", {f32({3, 3}), i32({1, 3}), f32({1, 3})}) == "float32[3, 3]");
  CHECK(inferred("scatterND", {f32({4, 3}), i32({2, 1}), f32({2, 3})}) == "float32[4, 3]");
  CHECK(inferred("scatterND", {f32({4, 3}), i32({2, 1}), f32({2})}) ==
        "operand 2: 'updates' has shape [2], but needs [2, 3]: one element or block of the input for each row of "
        "'indices'");
}

TEST_CASE("infer: reductions drop axes or keep them with size 1") {
  CHECK(inferred("reduceSum", {f32({2, 3, 4})}) == "float32[]");
  CHECK(inferred("reduceSum", {f32({2, 3, 4})}, {{"axes", IntegerList{2, 0}}}) == "float32[3]");
  CHECK(inferred("reduceSum", {f32({2, 3, 4})}, {{"axes", IntegerList{}}}) == "float32[2, 3, 4]");
  CHECK(inferred("reduceSum", {f32({2, 3})}, {{"keepDimensions", true}}) == "float32[1, 1]");
  CHECK(inferred("argMax", {f32({2, 3})}, {{"axis", 1}}) == "int32[2]");
  CHECK(inferred("argMin", {f32({2, 3})},
                 {{"axis", 0}, {"outputDataType", DataType::int64}, {"keepDimensions", true}}) == "int64[1, 3]");
}

TEST_CASE("infer: layer normalisation takes scale and bias in the order of its axes") {
  CHECK(inferred("layerNormalization", {f32({2, 3, 4}), f32({3, 4})}) == "float32[2, 3, 4]");
  CHECK(inferred("layerNormalization", {f32({2, 3, 4}), f32({4, 2}), f32({4, 2})}, {{"axes", IntegerList{2, 0}}}) ==
        "float32[2, 3, 4]");
  CHECK(inferred("layerNormalization", {f32({2, 3, 4}), f32({2, 4})}, {{"axes", IntegerList{2, 0}}}) ==
        "operand 1: 'scale' has shape [2, 4], but needs [4, 2]: the input's sizes on 'axes', in their order");
  CHECK(inferred("layerNormalization", {f32({}), f32({})}) == "float32[]");
  CHECK(inferred("instanceNormalization", {f32({1, 4, 5, 3}), f32({3})}, {{"layout", "nhwc"}}) ==
        "float32[1, 4, 5, 3]");
}

TEST_CASE("infer: conv2d in all layouts") {
  const NamedAttributes same{{"padding", IntegerList{1, 1, 1, 1}}};
  CHECK(inferred("conv2d", {f32({1, 3, 5, 6}), f32({8, 3, 3, 3})}, same) == "float32[1, 8, 5, 6]");
  const Shape filters[] = {{8, 3, 3, 2}, {3, 2, 3, 8}, {8, 3, 2, 3}, {3, 3, 2, 8}};
  const char* layouts[] = {"oihw", "hwio", "ohwi", "ihwo"};
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(inferred("conv2d", {f32({1, 5, 6, 3}), f32(filters[i])},
                   {{"inputLayout", "nhwc"}, {"filterLayout", layouts[i]}, {"strides", IntegerList{2, 1}}}) ==
          "float32[1, 2, 5, 8]");
  CHECK(inferred("conv2d", {f32({1, 8, 5, 5}), f32({4, 3, 3, 3})}, {{"groups", 2}}) ==
        "operand 1: 'filter' [4, 3, 3, 3] (oihw) has 3 input channels per group, but the input has 8 channels in 2 "
        "groups");
  CHECK(inferred("conv2d", {f32({1, 4, 5, 5}), f32({3, 2, 3, 3})}, {{"groups", 2}}) ==
        "operand 1: 'filter' [3, 2, 3, 3] (oihw) has 3 output channels, which 'groups' 2 does not divide");
  CHECK(inferred("conv2d", {f32({1, 1, 2, 5}), f32({1, 1, 3, 3})}) ==
        "the filter covers 3 elements of height, but the padded input has only 2");
}

TEST_CASE("infer: conv2d does not overflow on the largest options") {
  const IntegerList largest{4294967295, 4294967295};
  CHECK(inferred("conv2d", {f32({1, 1, 9, 9}), f32({1, 1, 9, 9})}, {{"dilations", largest}}) ==
        "the filter covers 34359738361 elements of height, but the padded input has only 9");
  const OperandDescriptor tall = f16({1, 1, 1073741823, 1});
  CHECK(inferred("conv2d", {tall, tall}, {{"dilations", largest}}) ==
        "the filter covers 4611686008763711491 elements of height, but the padded input has only 1073741823");
  CHECK(inferred("convTranspose2d", {tall, tall}, {{"dilations", largest}, {"strides", largest}}) ==
        "the output's height would exceed 2147483647");
  CHECK(inferred("maxPool2d", {f32({1, 1, 2, 2})},
                 {{"windowDimensions", largest}, {"dilations", largest}, {"strides", largest}})
            .find("but the padded input has only 2") != std::string::npos);
}

TEST_CASE("infer: convTranspose2d") {
  const OperandDescriptor input = f32({1, 2, 3, 3}), filter = f32({2, 4, 3, 3});
  CHECK(inferred("convTranspose2d", {input, filter}) == "float32[1, 4, 5, 5]");
  CHECK(inferred("convTranspose2d", {input, filter}, {{"groups", 2}}) == "float32[1, 8, 5, 5]");
  CHECK(inferred("convTranspose2d", {input, filter}, {{"strides", IntegerList{3, 2}}}) == "float32[1, 4, 9, 7]");
  CHECK(inferred("convTranspose2d", {input, filter},
                 {{"strides", IntegerList{3, 2}}, {"outputPadding", IntegerList{2, 1}}}) == "float32[1, 4, 11, 8]");
  CHECK(inferred("convTranspose2d", {input, filter},
                 {{"strides", IntegerList{3, 2}}, {"outputPadding", IntegerList{2, 2}}}) ==
        "outputPadding[1]: 'outputPadding' is 2 for the width, but must be below the stride of 2");
  // With sizes the output padding is ignored, even one that would be too large.
  CHECK(inferred("convTranspose2d", {input, filter},
                 {{"strides", IntegerList{3, 2}},
                  {"outputPadding", IntegerList{9, 9}},
                  {"outputSizes", IntegerList{10, 8}}}) == "float32[1, 4, 10, 8]");
  CHECK(inferred("convTranspose2d", {input, filter},
                 {{"strides", IntegerList{3, 2}}, {"outputSizes", IntegerList{12, 8}}}) ==
        "outputSizes[0]: 'outputSizes' asks for a height of 12, but the other options allow 9 to 11");
  CHECK(inferred("convTranspose2d", {input, filter}, {{"groups", 3}}) ==
        "groups: 'groups' is 3, which does not divide the 2 channels of the input");
  CHECK(inferred("convTranspose2d", {input, filter}, {{"padding", IntegerList{3, 2, 0, 0}}}) ==
        "padding: 'padding' removes 5 elements of height, but the output has only 5");
}

TEST_CASE("infer: pooling rounds as asked, and keeps the padding when sizes are given") {
  const OperandDescriptor input = f32({1, 3, 5, 5});
  CHECK(inferred("averagePool2d", {input}) == "float32[1, 3, 1, 1]");
  const NamedAttributes window{
      {"windowDimensions", IntegerList{3, 3}}, {"strides", IntegerList{2, 2}}, {"padding", IntegerList{1, 0, 0, 1}}};
  CHECK(inferred("maxPool2d", {input}, window) == "float32[1, 3, 2, 2]");
  NamedAttributes up = window;
  up.emplace_back("outputShapeRounding", "ceil");
  CHECK(inferred("maxPool2d", {input}, up) == "float32[1, 3, 3, 3]");
  for (const char* rounding : {"floor", "ceil"}) {
    NamedAttributes sized = window;
    sized.emplace_back("outputShapeRounding", rounding);
    sized.emplace_back("outputSizes", IntegerList{3, 3});
    CHECK(inferred("maxPool2d", {input}, sized) == "float32[1, 3, 3, 3]");
    sized.back() = {"outputSizes", IntegerList{2, 2}};
    CHECK(inferred("maxPool2d", {input}, sized) == "float32[1, 3, 2, 2]");
    sized.back() = {"outputSizes", IntegerList{2, 3}};
    CHECK(inferred("maxPool2d", {input}, sized) ==
          "outputSizes: 'outputSizes' is [2, 3], but the other options give [2, 2] rounded down and [3, 3] rounded up");
  }
  CHECK(inferred("maxPool2d", {f32({1, 5, 4, 3})}, {{"layout", "nhwc"}}) == "float32[1, 1, 1, 3]");
  CHECK(inferred("l2Pool2d", {input}, {{"windowDimensions", IntegerList{6, 5}}}) ==
        "the window covers 6 elements of height, but the padded input has only 5");
}

TEST_CASE("infer: resample2d rounds sizes down; sizes win over scales; axes in any order") {
  const OperandDescriptor input = f32({2, 3, 5, 7});
  CHECK(inferred("resample2d", {input}) == "float32[2, 3, 5, 7]");
  CHECK(inferred("resample2d", {input}, {{"scales", RealList{0.5, 2}}}) == "float32[2, 3, 2, 14]");
  CHECK(inferred("resample2d", {input}, {{"scales", RealList{2, 3}}, {"axes", IntegerList{3, 1}}}) ==
        "float32[2, 9, 5, 14]");
  CHECK(inferred("resample2d", {input}, {{"scales", RealList{2, 3}}, {"sizes", IntegerList{1, 2}}}) ==
        "float32[2, 3, 1, 2]");
  CHECK(inferred("resample2d", {input}, {{"scales", RealList{0, 1}}}) ==
        "scales[0]: 'scales[0]' is 0, but must be above 0");
  CHECK(inferred("resample2d", {input}, {{"scales", RealList{1e300, 1}}}).starts_with("scales[0]: "));
}

TEST_CASE("infer: matrix products") {
  CHECK(inferred("gemm", {f32({3, 2}), f32({4, 3}), f32({4})}, {{"aTranspose", true}, {"bTranspose", true}}) ==
        "float32[2, 4]");
  CHECK(inferred("gemm", {f32({2, 3}), f32({3, 4}), f32({})}) == "float32[2, 4]");
  CHECK(inferred("gemm", {f32({1, 3}), f32({3, 4}), f32({2, 4})}) ==
        "operand 2: 'c' has shape [2, 4], which does not broadcast to the product's [1, 4]");
  CHECK(inferred("matmul", {f32({5, 1, 2, 3}), f32({6, 3, 4})}) == "float32[5, 6, 2, 4]");
  CHECK(inferred("matmul", {f32({2, 3}), f32({4, 5})}) == "'a' [2, 3] has 3 columns, but 'b' [4, 5] has 4 rows");
}

TEST_CASE("infer: quantisation is per block of equal size") {
  CHECK(inferred("quantizeLinear", {f32({4, 6}), f32({2, 3}), u8({2, 3})}) == "uint8[4, 6]");
  CHECK(inferred("dequantizeLinear", {u8({4, 6}), f16({1, 6}), u8({1, 6})}) == "float16[4, 6]");
  const OperandDescriptor int4{DataType::int4, {4}};
  CHECK(inferred("dequantizeLinear", {int4, f32({4}), int4}) == "float32[4]");
  CHECK(inferred("quantizeLinear", {f32({4, 6}), f32({3, 3}), u8({3, 3})}) ==
        "operand 1: 'scale' has shape [3, 3], which does not divide the input's [4, 6]");
  CHECK(inferred("quantizeLinear", {f32({4, 6}), f32({6}), u8({6})}).starts_with("operand 1: "));
  CHECK(inferred("quantizeLinear", {f32({4, 6}), f32({1, 6}), u8({1, 1})}) ==
        "operand 2: 'zeroPoint' has shape [1, 1], but 'scale' has [1, 6]");
}

TEST_CASE("infer: recurrent networks give their states, then the sequence") {
  // 3 steps, batch 2, 4 features, hidden size 5.
  CHECK(inferred("gru", {f32({3, 2, 4}), f32({1, 15, 4}), f32({1, 15, 5})}, {{"steps", 3}, {"hiddenSize", 5}}) ==
        "float32[1, 2, 5]");
  CHECK(inferred("gru", {f32({3, 2, 4}), f32({2, 15, 4}), f32({2, 15, 5}), f32({2, 15})},
                 {{"steps", 3}, {"hiddenSize", 5}, {"direction", "both"}, {"returnSequence", true}}) ==
        "float32[2, 2, 5], float32[3, 2, 2, 5]");
  CHECK(inferred("lstm", {f32({3, 2, 4}), f32({1, 20, 4}), f32({1, 20, 5})},
                 {{"steps", 3}, {"hiddenSize", 5}, {"returnSequence", true}}) ==
        "float32[1, 2, 5], float32[1, 2, 5], float32[3, 1, 2, 5]");
  CHECK(inferred("gruCell", {f32({2, 4}), f32({15, 4}), f32({15, 5}), f32({2, 5})}, {{"hiddenSize", 5}}) ==
        "float32[2, 5]");
  CHECK(inferred("lstmCell",
                 {f32({2, 4}), f32({20, 4}), f32({20, 5}), f32({2, 5}), f32({2, 5}), f32({20}), f32({20}), f32({15})},
                 {{"hiddenSize", 5}}) == "float32[2, 5], float32[2, 5]");
  CHECK(inferred("lstm", {f32({3, 2, 4}), f32({1, 15, 4}), f32({1, 20, 5})}, {{"steps", 3}, {"hiddenSize", 5}}) ==
        "operand 1: 'weight' has shape [1, 15, 4], but needs [1, 20, 4]: directions, 4 * hiddenSize, input size");
  CHECK(inferred("gru", {f32({3, 2, 4}), f32({1, 15, 4}), f32({1, 15, 5})}, {{"steps", 4}, {"hiddenSize", 5}}) ==
        "steps: 'steps' is 4, but the input [3, 2, 4] has 3 steps");
}

TEST_CASE("infer: computed defaults follow the operand") {
  const auto attributes = Attributes(row("layerNormalization"_op).attributes.size());
  const OperandDescriptor matrix = f32({2, 3}), scalar_input = f32({});
  const OperandDescriptor* one[] = {&matrix};
  const OperandDescriptor* none[] = {&scalar_input};
  CHECK(OperatorCall("layerNormalization"_op, one, attributes).u32_list("axes") == std::vector<std::uint32_t>{1});
  CHECK(OperatorCall("layerNormalization"_op, none, attributes).u32_list("axes").empty());
  CHECK(OperatorCall("reduceSum"_op, one, attributes).u32_list("axes") == std::vector<std::uint32_t>{0, 1});
  CHECK(OperatorCall("layerNormalization"_op, one, attributes).real("epsilon") == 1e-5);
}

}  // namespace infer_test
