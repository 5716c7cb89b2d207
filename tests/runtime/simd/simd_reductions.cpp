// SIMD kernels that fold elements: reductions, softmax, normalisations and pooling, where random calls do not go: long
// runs, many rows, NaN and infinities, odd sizes around a vector's, several threads.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "runtime/threads/parallel.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::simd_reductions_test {
namespace {

using enum DataType;

TestTensor noise(DataType type, const Shape& shape, double from = -1, double to = 1) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> element(from, to);
  Numbers elements(element_count(shape));
  for (Number& number : elements) number = Number(element(engine));
  return tensor(type, shape, elements);
}

/// Runs both rows of SIMD kernel `name` with one and with three threads and compares with the reference kernel; `close`
/// is the absolute error that rounding may make.
void check(const std::string& name, std::string_view op, const OptionalTensors& inputs,
           const NamedAttributes& attributes, double close, const RunOptions& options = {}) {
  const KernelSpec spec = operator_spec(op, inputs, attributes);
  CAPTURE(op);
  CAPTURE(inputs[0]->descriptor.text());
  const std::vector<TestTensor> expected = run_operator(op, inputs, attributes);
  for (const std::string& kernel : simd_rows(name)) {
    CAPTURE(kernel);
    for (const unsigned threads : {1u, 3u}) {
      const runtime::Team team(threads);
      const auto actual = run_row(kernel, spec, inputs, options);
      const Comparison comparison = compare_tensors(expected[0].descriptor, actual[0].data, expected[0].data,
                                                    Tolerance{.ulp = 4, .absolute = close});
      CAPTURE(comparison.max_absolute);
      CHECK(comparison.mismatches == 0);
    }
  }
}

TEST_CASE("simd reduction: sizes around a vector's, along memory and across rows") {
  for (const std::uint32_t size : {1u, 2u, 7u, 8u, 15u, 16u, 17u, 31u, 33u, 63u, 64u, 65u, 127u, 130u}) {
    for (const char* op : {"reduceSum", "reduceMean", "reduceMax", "reduceMin", "reduceL1", "reduceL2",
                           "reduceSumSquare", "reduceLogSumExp"})
      for (const int axis : {0, 1, 2}) {
        check("reduction", op, {noise(float32, {3, size, 5})}, {{"axes", IntegerList{axis}}}, 2e-5);
        check("reduction", op, {noise(float16, {size, 3, 5})}, {{"axes", IntegerList{axis}}}, 1e-2);
      }
    check("reduction", "reduceProduct", {noise(float32, {3, size, 5}, 0.9, 1.1)}, {{"axes", IntegerList{1}}}, 1e-3);
    check("reduction", "reduceLogSum", {noise(float32, {3, size, 5}, 0.5, 1)}, {{"axes", IntegerList{2}}}, 1e-5);
  }
}

TEST_CASE("simd reduction: long sums stay exact to the rounding of float32") {
  // A chain of a million additions of 0.1 would be 1 % off.
  const TestTensor x = tensor(float32, {1'000'000}, Numbers(1'000'000, Number(0.1)));
  check("reduction", "reduceSum", {x}, {}, 0.05);
  check("reduction", "reduceMean", {x}, {}, 1e-7);
  const TestTensor rows = tensor(float32, {100'000, 7}, Numbers(700'000, Number(0.1)));
  check("reduction", "reduceSum", {rows}, {{"axes", IntegerList{0}}}, 0.01);
}

TEST_CASE("simd reduction: any axes, kept dimensions, no axes") {
  const TestTensor x = noise(float32, {3, 4, 5, 6, 7});
  for (const auto& axes : {IntegerList{}, IntegerList{0, 2, 4}, IntegerList{1, 3}, IntegerList{0, 1, 2, 3, 4},
                           IntegerList{3, 1, 4}, IntegerList{0, 4}})
    for (const bool keep : {false, true})
      for (const char* op : {"reduceSum", "reduceL2", "reduceLogSumExp"})
        check("reduction", op, {x}, {{"axes", axes}, {"keepDimensions", keep}}, 1e-4);
  check("reduction", "reduceSumSquare", {scalar(float32, 3)}, {}, 0);
}

TEST_CASE("simd reduction: NaN and infinities") {
  for (const int place : {0, 3, 16, 40, 66})
    for (const double special : {not_a_number, infinity, -infinity}) {
      Numbers elements(67, Number(1));
      elements[std::size_t(place)] = Number(special);
      for (const char* op : {"reduceMax", "reduceMin", "reduceSum", "reduceLogSumExp", "reduceProduct"}) {
        check("reduction", op, {tensor(float32, {67}, elements)}, {}, 0);
        check("reduction", op, {tensor(float32, {67, 1}, elements)}, {{"axes", IntegerList{1}}}, 0);
      }
    }
  check("reduction", "reduceLogSumExp", {tensor(float32, {2}, {-infinity, -infinity})}, {}, 0);
  check("reduction", "reduceLogSumExp", {tensor(float32, {2}, {1000, 999})}, {}, 0);
}

TEST_CASE("simd reduction: sums of -0 alone keep the sign") {
  const auto is_negative_zero = [](const Number& number) {
    return number.as_double() == 0 && std::signbit(number.as_double());
  };
  for (const Shape& shape : {Shape{1}, Shape{5, 1}, Shape{70, 3}, Shape{3, 200}})
    for (const int axis : {-1, 0, int(shape.rank()) - 1})  // -1: none
      for (const char* op : {"reduceSum", "reduceMean"})
        for (const std::string& kernel : simd_rows("reduction")) {
          const OptionalTensors inputs{tensor(float32, shape, Numbers(element_count(shape), Number(-0.0)))};
          const IntegerList axes = axis < 0 ? IntegerList{} : IntegerList{axis};
          const auto sums = run_row(kernel, operator_spec(op, inputs, {{"axes", axes}}), inputs);
          CAPTURE(kernel);
          CAPTURE(shape.text());
          CHECK(std::ranges::all_of(numbers(sums[0]), is_negative_zero));
        }
}

TEST_CASE("simd softmax: sizes around a vector's, every axis, in place") {
  for (const DataType type : {float32, float16})
    for (const std::uint32_t size : {1u, 5u, 8u, 16u, 17u, 33u, 65u, 100u, 1000u})
      for (const int axis : {0, 1, 2})
        for (const int in_place : {-1, 0}) {
          const double close = type == float32 ? 1e-6 : 1e-3;
          check("softmax", "softmax", {noise(type, {2, size, 3}, -9, 9)}, {{"axis", axis}}, close,
                {.in_place = in_place});
          check("softmax", "softmax", {noise(type, {size, 2, 67}, -9, 9)}, {{"axis", axis}}, close,
                {.in_place = in_place});
        }
}

TEST_CASE("simd softmax: sizes around the chunks of a sum, of 64 vectors") {
  for (const std::uint32_t lanes : {4u, 8u, 16u})
    for (const std::uint32_t chunks : {1u, 2u})
      for (const std::uint32_t more : {0u, 1u, lanes - 1, lanes, lanes + 1, 2 * lanes - 1, 2 * lanes, 2 * lanes + 1}) {
        const std::uint32_t size = 64 * lanes * chunks + more;
        check("softmax", "softmax", {noise(float32, {2, size})}, {{"axis", 1}}, 1e-7);
        check("softmax", "softmax", {noise(float32, {size, 2})}, {{"axis", 0}}, 1e-7);
      }
}

TEST_CASE("simd softmax: long sums stay exact to the rounding of float32") {
  // A chain of additions would be 570 units in the last place off.
  constexpr double close = 3e-12;
  check("softmax", "softmax", {noise(float32, {1'000'000, 2})}, {{"axis", 0}}, close);
  check("softmax", "softmax", {noise(float32, {1, 1'000'000})}, {{"axis", 1}}, close);
}

TEST_CASE("simd softmax: large numbers, NaN and infinities") {
  for (const auto& elements :
       {Numbers{1000, 1001, 999}, Numbers{-1000, -1200, -1001}, Numbers{1, not_a_number, 2}, Numbers{infinity, 1, 2},
        Numbers{-infinity, 1, 2}, Numbers{-infinity, -infinity, -infinity}, Numbers{88, -88, 0}})
    for (const int axis : {0, 1}) {
      check("softmax", "softmax", {tensor(float32, {1, 3}, elements)}, {{"axis", axis}}, 1e-7);
      check("softmax", "softmax", {tensor(float32, {3, 1}, elements)}, {{"axis", axis}}, 1e-7);
    }
}

TEST_CASE("simd layerNormalization: orders of axes, scale and bias or none, in place") {
  for (const DataType type : {float32, float16})
    for (const auto& axes : {IntegerList{2}, IntegerList{1, 2}, IntegerList{2, 1}, IntegerList{0}, IntegerList{1},
                             IntegerList{0, 1}, IntegerList{2, 0, 1}}) {
      const Shape shape{5, 9, 70};
      Shape own;
      for (const std::int64_t axis : axes) own.push_back(shape[unsigned(axis)]);
      const TestTensor x = noise(type, shape, 3, 5);
      const double close = type == float32 ? 1e-5 : 2e-2;
      const auto scale = noise(type, own), bias = noise(type, own, 0, 1);
      check("layerNormalization", "layerNormalization", {x, scale, bias}, {{"axes", axes}}, close, {.in_place = 0});
      check("layerNormalization", "layerNormalization", {x, std::nullopt, bias}, {{"axes", axes}}, close);
      check("layerNormalization", "layerNormalization", {x, scale}, {{"axes", axes}}, close);
      check("layerNormalization", "layerNormalization", {x}, {{"axes", axes}, {"epsilon", 0.1}}, close);
    }
  check("layerNormalization", "layerNormalization", {noise(float32, {128, 768}, -3, 5)}, {}, 1e-5);
}

TEST_CASE("simd layerNormalization and instanceNormalization: the variance is about the mean, not about its float32") {
  // The mean's float32 is 0.02 off, nearly as much as the deviation.
  const Numbers far{1'000'000, 1'000'000, 1'000'000.0625};
  const double close = 1e-5;
  check("layerNormalization", "layerNormalization", {tensor(float32, {1, 3}, far)}, {}, close);
  check("layerNormalization", "layerNormalization", {tensor(float32, {3, 1}, far)}, {{"axes", IntegerList{0}}}, close);
  check("instanceNormalization", "instanceNormalization", {tensor(float32, {1, 1, 1, 3}, far)}, {}, close);
}

TEST_CASE("simd rmsNormalization: orders of axes, scale or none, in place") {
  for (const DataType type : {float32, float16})
    for (const auto& axes : {IntegerList{2}, IntegerList{1, 2}, IntegerList{2, 1}, IntegerList{0}, IntegerList{1}}) {
      const Shape shape{5, 9, 70};
      Shape own;
      for (const std::int64_t axis : axes) own.push_back(shape[unsigned(axis)]);
      const TestTensor x = noise(type, shape, -3, 5);
      const double close = type == float32 ? 1e-6 : 4e-3;
      check("rmsNormalization", "@rmsNormalization", {x, noise(type, own)}, {{"axes", axes}}, close, {.in_place = 0});
      check("rmsNormalization", "@rmsNormalization", {x}, {{"axes", axes}, {"epsilon", 0.1}}, close);
    }
  check("rmsNormalization", "@rmsNormalization", {noise(float32, {128, 576}, -3, 5)}, {}, 1e-6);
}

/// Its elements; a NaN is like another, and 0 not like -0.
std::vector<std::string> texts(const TestTensor& tensor) {
  std::vector<std::string> result;
  for (const Number& number : numbers(tensor)) result.push_back(number.text());
  return result;
}

TEST_CASE("simd rmsNormalization: special numbers and squares beyond the range give what they do spelled out") {
  const double large = 1e20;
  for (const auto& [elements, expected] :
       {std::pair{Numbers{1, infinity, 2}, Numbers{0, not_a_number, 0}},
        {Numbers{-infinity, 0, infinity}, Numbers{not_a_number, 0, not_a_number}},
        {Numbers{1, not_a_number, 2}, Numbers{not_a_number, not_a_number, not_a_number}},
        {Numbers{0, -0.0, 0}, Numbers{not_a_number, not_a_number, not_a_number}},
        {Numbers{large, -large, 1}, Numbers{0, -0.0, 0}}})
    for (const Shape& shape : {Shape{1, 3}, Shape{3, 1}}) {
      const TestTensor x = tensor(float32, shape, elements);
      const NamedAttributes axes{{"axes", IntegerList{shape[0] == 1 ? 1 : 0}}}, kept{axes[0], {"keepDimensions", true}};
      const TestTensor mean = run_operator("reduceMean", {run_operator("mul", {x, x})[0]}, kept)[0];
      const TestTensor spelled_out = run_operator("div", {x, run_operator("sqrt", {mean})[0]})[0];
      CHECK(texts(spelled_out) == texts(tensor(float32, shape, expected)));
      const NamedAttributes attributes{axes[0], {"epsilon", 0}};
      CHECK(texts(run_operator("@rmsNormalization", {x}, attributes)[0]) == texts(spelled_out));
      for (const std::string& kernel : simd_rows("rmsNormalization"))
        CHECK(texts(run_row(kernel, operator_spec("@rmsNormalization", {x}, attributes), {x})[0]) ==
              texts(spelled_out));
    }
}

TEST_CASE("simd instanceNormalization and batchNormalization") {
  for (const DataType type : {float32, float16}) {
    const double close = type == float32 ? 1e-5 : 2e-2;
    const TestTensor x = noise(type, {2, 37, 9, 11}, 1, 4), scale = noise(type, {37}), bias = noise(type, {37}),
                     variance = noise(type, {37}, 0.5, 2);
    check("instanceNormalization", "instanceNormalization", {x, scale, bias}, {}, close);
    check("instanceNormalization", "instanceNormalization", {x}, {}, close, {.in_place = 0});
    check("batchNormalization", "batchNormalization", {x, bias, variance, scale, bias}, {}, close);
    check("batchNormalization", "batchNormalization", {x, bias, variance}, {}, close, {.in_place = 0});
    check("batchNormalization", "batchNormalization", {noise(type, {5, 37}), bias, variance, scale}, {{"axis", 1}},
          close);
  }
}

TEST_CASE("simd global pooling: the window is the plane") {
  for (const char* op : {"averagePool2d", "l2Pool2d", "maxPool2d"})
    for (const DataType type : {float32, float16})
      check("globalPool2d", op, {noise(type, {2, 65, 7, 9})}, {}, type == float32 ? 1e-5 : 1e-2);
}

TEST_CASE("simd argMin and argMax: the first of equals, NaN, both output types") {
  for (const char* op : {"argMin", "argMax"})
    for (const DataType output : {int32, int64}) {
      for (const std::uint32_t size : {1u, 3u, 16u, 17u, 33u, 500u})
        for (const int axis : {0, 1, 2})
          for (const DataType type : {float32, float16}) {
            const NamedAttributes attributes{{"axis", axis}, {"outputDataType", output}};
            check("argReduction.rowMajor", op, {noise(type, {5, size, 70})}, attributes, 0);
            check("argReduction.rowMajor", op, {noise(type, {2, 70, size})}, attributes, 0);
          }
      for (const auto& elements :
           {Numbers{1, 3, 3, 0, 0}, Numbers{not_a_number, 1, not_a_number, 2, 2}, Numbers(5, Number(not_a_number)),
            Numbers(5, Number(infinity)), Numbers(5, Number(-infinity)), Numbers{-infinity, not_a_number, 0, 0, 0}})
        for (const Shape& shape : {Shape{5, 1}, Shape{1, 5}})
          for (const int axis : {0, 1})
            check("argReduction.rowMajor", op, {tensor(float32, shape, elements)},
                  {{"axis", axis}, {"outputDataType", output}}, 0);
    }
}

TEST_CASE("simd resample2d: up and down, both modes, pixels of one channel and of many") {
  for (const char* mode : {"linear", "nearest-neighbor"})
    for (const auto& sizes : {IntegerList{14, 18}, IntegerList{4, 5}, IntegerList{7, 9}, IntegerList{20, 3}}) {
      check("resample2d", "resample2d", {noise(float32, {2, 3, 7, 9})}, {{"mode", mode}, {"sizes", sizes}}, 1e-6);
      check("resample2d.rowMajor", "resample2d", {noise(float32, {2, 7, 9, 37})},
            {{"mode", mode}, {"sizes", sizes}, {"axes", IntegerList{1, 2}}}, 1e-6);
    }
  const TestTensor spike = tensor(float32, {1, 1, 1, 4}, {1, infinity, 2, 3});
  check("resample2d", "resample2d", {spike}, {{"mode", "linear"}, {"sizes", IntegerList{3, 4}}}, 0);
}

}  // namespace
}  // namespace webnn::tests::simd_reductions_test
