// Winograd's convolution: which tiles are chosen, and how far the results are from double precision.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "runtime/cpu/kernel_list.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/providers.hpp"
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

Errors errors_of(const std::string& row, std::uint32_t channels, std::uint32_t size) {
  constexpr std::uint32_t output_channels = 32;
  const KernelSpec spec = convolution(channels, output_channels, size);
  std::mt19937 engine(7);
  std::normal_distribution<float> numbers;
  std::vector<float> x(std::size_t{size} * size * channels), w(std::size_t{output_channels} * channels * 9);
  for (float& item : x) item = std::max(numbers(engine), 0.0f);
  for (float& item : w) item = numbers(engine);
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

TEST_CASE("winograd: large images take tiles of 4x4, small ones tiles of 2x2, and the smallest no transform") {
  const std::string kernel = all_simd_rows("conv2d.winograd").back();
  const auto packed_for = [&](const KernelSpec& spec) {
    const std::vector<std::byte> filter(byte_length(*spec.inputs[1]));
    return runtime::pack_constant(*api::find_kernel(kernel), spec, 1, filter)->form.substr(0, 10);
  };
  const auto pays = [&](const KernelSpec& spec) {
    const Target target{DeviceKind::cpu, kernel_row(kernel).features};
    return cost(kernel_row(kernel), spec, target) < cost(kernel_row("onednn.conv2d"), spec, target);
  };
  CHECK(packed_for(convolution(64, 64, 56)) == "winograd4:");
  CHECK(packed_for(convolution(128, 128, 28)) == "winograd4:");
  CHECK(packed_for(convolution(256, 256, 14)) == "winograd2:");
  CHECK(packed_for(convolution(512, 512, 7)) == "winograd2:");
  if (has_provider("onednn")) {
    CHECK(pays(convolution(512, 512, 7)));
    CHECK_FALSE(pays(convolution(512, 512, 4)));
  } else {
    skip_part("what pays", no_provider("onednn"));
  }
  CHECK(can(kernel, convolution(512, 512, 4)));
  CHECK_FALSE(can(kernel, convolution(3, 64, 56)));
}

TEST_CASE("winograd: tiles of 2x2 round less than plain sums, tiles of 4x4 little more") {
  for (const std::string& row : simd_rows("conv2d.winograd")) {
    CAPTURE(row);
    const Errors small = errors_of(row, 128, 12), large = errors_of(row, 64, 24);
    CHECK(small.of_row < small.of_plain_sums);
    CHECK(large.of_row < 3 * large.of_plain_sums);
  }
}

}  // namespace webnn::tests::conv2d_winograd_test
