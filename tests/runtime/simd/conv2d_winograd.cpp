// Winograd's convolution: when it pays, and how far the results are from double precision.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::conv2d_winograd_test {
namespace {

/// conv2d with 3x3 windows on a padded square image.
KernelSpec convolution(std::uint32_t channels, std::uint32_t output_channels, std::uint32_t size) {
  const TestTensor x{{DataType::float32, {1, channels, size, size}}, {}};
  const TestTensor filter{{DataType::float32, {output_channels, channels, 3, 3}}, {}};
  KernelSpec spec = operator_spec("conv2d", {x, filter}, {{"padding", IntegerList{1, 1, 1, 1}}});
  spec.input_layouts = {Layout::channels_last, Layout::row_major, Layout::row_major};
  spec.output_layouts = {Layout::channels_last};
  return spec;
}

/// The greatest difference to the convolution in double precision, for chance images [size][size][channels].
struct Errors {
  double of_row = 0, of_plain_sums = 0;
};

/// `number` gives the elements of images and filters.
template <class Number>
Errors errors_of(const std::string& row, std::uint32_t channels, std::uint32_t output_channels, std::uint32_t size,
                 Number number) {
  const KernelSpec spec = convolution(channels, output_channels, size);
  std::vector<float> x(std::size_t{size} * size * channels), w(std::size_t{output_channels} * channels * 9);
  for (float& item : x) item = std::max(number(), 0.0f);
  for (float& item : w) item = number();
  const TestTensor actual = run_row(row, spec,
                                    {tensor_of(DataType::float32, spec.inputs[0]->shape, x),
                                     tensor_of(DataType::float32, spec.inputs[1]->shape, w), std::nullopt},
                                    {.constants = {1}})[0];
  const auto* const results = reinterpret_cast<const float*>(actual.data.data());
  Errors errors;
  for (std::uint32_t row_index = 0; row_index < size; ++row_index)
    for (std::uint32_t column = 0; column < size; ++column)
      for (std::uint32_t output = 0; output < output_channels; ++output) {
        double exact = 0;
        float plain = 0;
        for (std::uint32_t i = 0; i < 9; ++i) {
          const std::uint32_t y = row_index + i / 3 - 1, from = column + i % 3 - 1;
          if (y >= size || from >= size) continue;
          for (std::uint32_t channel = 0; channel < channels; ++channel) {
            const float a = x[(std::size_t{y} * size + from) * channels + channel];
            const float b = w[(std::size_t{output} * channels + channel) * 9 + i];
            exact += double(a) * double(b);
            plain += a * b;
          }
        }
        const float result = results[(std::size_t{row_index} * size + column) * output_channels + output];
        errors.of_row = std::max(errors.of_row, std::fabs(double(result) - exact));
        errors.of_plain_sums = std::max(errors.of_plain_sums, std::fabs(double(plain) - exact));
      }
  return errors;
}

}  // namespace

TEST_CASE("winograd: pays for all but the smallest images, and takes channels that fill vectors") {
  const std::string kernel = all_simd_rows("conv2d.winograd").back();
  const auto pays = [&](const KernelSpec& spec) {
    const Target target{DeviceKind::cpu, kernel_row(kernel).features};
    const std::string direct = all_simd_rows("conv2d.direct").back();
    return cost(kernel_row(kernel), spec, target) < cost(kernel_row(direct), spec, target);
  };
  CHECK(pays(convolution(64, 64, 56)));
  CHECK(pays(convolution(512, 512, 7)));
  CHECK_FALSE(pays(convolution(512, 512, 2)));
  CHECK(can(kernel, convolution(512, 512, 4)));
  CHECK_FALSE(can(kernel, convolution(3, 64, 56)));
}

TEST_CASE("winograd: rounds less than plain sums") {
  for (const std::string& row : simd_rows("conv2d.winograd")) {
    CAPTURE(row);
    std::mt19937 engine(7);
    std::normal_distribution<float> numbers;
    const auto number = [&] { return numbers(engine); };
    const Errors few = errors_of(row, 64, 32, 24, number), many = errors_of(row, 256, 32, 12, number);
    CHECK(few.of_row < 0.8 * few.of_plain_sums);
    CHECK(many.of_row < 0.5 * many.of_plain_sums);
  }
}

TEST_CASE("winograd: full panels and half ones, sums in several blocks, any number of tiles") {
  std::mt19937 engine(8);
  const auto whole = [&] { return float(engine() % 9) - 4; };
  const auto is_exact = [&](const std::string& row, std::uint32_t channels, std::uint32_t outputs, std::uint32_t size) {
    CAPTURE(row);
    CAPTURE(channels);
    CAPTURE(outputs);
    CAPTURE(size);
    CHECK(errors_of(row, channels, outputs, size, whole).of_row == 0);
  };
  for (const std::string& row : simd_rows("conv2d.winograd")) {
    for (const std::uint32_t outputs : {16u, 32u, 48u, 80u}) {
      for (const std::uint32_t channels : {16u, 64u, 112u, 208u}) is_exact(row, channels, outputs, 7);
      for (const std::uint32_t size : {1u, 2u, 3u, 14u, 25u}) is_exact(row, 16, outputs, size);
    }
    const runtime::Team team(3);
    is_exact(row, 48, 112, 5);
    is_exact(row, 16, 48, 40);
  }
}

}  // namespace webnn::tests::conv2d_winograd_test
