// What random calls do not show of our pooling kernels: NaN, infinities and windows that see nothing.
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::simd_pool2d_test {
namespace {

/// The pooling of a channels-last image by both kernels of ours and by the reference: at most so many units in the last
/// place apart, and NaN is NaN.
void check_pooling(std::string_view op, TestTensor image, const NamedAttributes& attributes, double ulp = 0) {
  KernelSpec spec = operator_spec(op, {image}, attributes);
  const TestTensor expected = run_operator(op, {image}, attributes)[0];
  image.data = run_operator("transpose", {image}, {{"permutation", IntegerList{0, 2, 3, 1}}})[0].data;
  spec.input_layouts = {Layout::channels_last};
  spec.output_layouts = {Layout::channels_last};
  for (const std::string& kernel : simd_rows("pool2d")) {
    if (!takes(row(*api::find_kernel(kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()})) continue;
    TestTensor result = run_row(kernel, spec, {image})[0];
    const Shape& shape = result.descriptor.shape;
    result.descriptor.shape = {shape[0], shape[2], shape[3], shape[1]};
    const TestTensor actual = run_operator("transpose", {result}, {{"permutation", IntegerList{0, 3, 1, 2}}})[0];
    CAPTURE(kernel);
    const Comparison comparison = compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = ulp});
    CAPTURE(comparison.max_absolute);
    CHECK(comparison.mismatches == 0);
  }
}

/// 67 channels: whole groups of vectors, whole vectors and a rest.
constexpr std::uint32_t channels = 67;

TestTensor image_with(double special) {
  Numbers elements;
  for (std::uint32_t i = 0; i < channels * 5 * 5; ++i) elements.emplace_back(i % 7 == 3 ? special : double(i % 11) - 5);
  return tensor(DataType::float32, {1, channels, 5, 5}, elements);
}

}  // namespace

TEST_CASE("simd pool2d: NaN and infinities are those of the reference") {
  for (const double special : {not_a_number, infinity, -infinity}) {
    CAPTURE(special);
    for (const std::string_view op : {"maxPool2d", "averagePool2d"}) {
      check_pooling(op, image_with(special), {{"windowDimensions", IntegerList{2, 2}}});
      check_pooling(op, image_with(special), {{"windowDimensions", IntegerList{1, 1}}, {"strides", IntegerList{2, 3}}});
    }
  }
  TestTensor lowest = image_with(0);
  lowest = tensor(DataType::float32, lowest.descriptor.shape, Numbers(channels * 25, Number(-infinity)));
  check_pooling("maxPool2d", lowest, {{"windowDimensions", IntegerList{2, 2}}});
}

TEST_CASE("simd pool2d: a window that sees only padding has no elements") {
  for (const std::string_view op : {"maxPool2d", "averagePool2d", "l2Pool2d"})
    check_pooling(op, image_with(1), {{"windowDimensions", IntegerList{2, 2}}, {"padding", IntegerList{3, 3, 2, 2}}});
}

TEST_CASE("simd pool2d: a root of squares is right where the squares are too large or too small") {
  for (const double scale : {1e-44, 1e-38, 3e-30, 1e-20, 1e-12, 1e18, 1e30, 1e37}) {
    CAPTURE(scale);
    Numbers elements;
    for (std::uint32_t i = 0; i < channels * 5 * 5; ++i) elements.emplace_back(scale * (int(i % 11) - 5));
    check_pooling("l2Pool2d", tensor(DataType::float32, {1, channels, 5, 5}, elements),
                  {{"windowDimensions", IntegerList{3, 2}}}, 4);
  }
}

TEST_CASE("simd pool2d: long sums of windows stay exact to the rounding of float32") {
  constexpr std::uint32_t taps = 400'000, few = 3;
  for (const Shape& plane : {Shape{1, few, 1, taps}, Shape{1, few, taps, 1}, Shape{1, few, 500, taps / 500}})
    for (const std::string_view op : {"averagePool2d", "l2Pool2d"}) {
      CAPTURE(plane.text());
      const TestTensor image = tensor(DataType::float32, plane, Numbers(few * taps, Number(0.1)));
      check_pooling(op, image, {{"windowDimensions", IntegerList{plane[2], plane[3]}}}, 16);
    }
}

}  // namespace webnn::tests::simd_pool2d_test
