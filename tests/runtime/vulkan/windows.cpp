// Windows of the GPU whose attributes lead far outside of the input: positions that 31 bits do not hold. Valid calls,
// and the results are those of the reference.
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::windows_test {
namespace {

/// A row on the GPU gives what the reference gives.
void compare(runtime::Device& device, std::string_view kernel, std::string_view op, const OptionalTensors& inputs,
             const NamedAttributes& attributes, double ulp = 4) {
  const KernelSpec spec = operator_spec(op, inputs, attributes);
  const KernelId id = *api::find_kernel(kernel);
  REQUIRE(takes(row(id), spec, device.target()));
  if (!device.can_run(id, spec)) return;
  const TestTensor expected = run_operator(op, inputs, attributes).front();
  const TestTensor actual = run_on_device(device, id, spec, inputs).front();
  const Comparison comparison = compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = ulp});
  CHECK(comparison.mismatches == 0);
}

constexpr std::int64_t giga = std::int64_t{1} << 30;

/// Attributes of windows of 1 x 2 (pooling) on 3 rows of 6.
const std::vector<NamedAttributes> far_windows{
    {{"padding", IntegerList{0, 0, giga - 1, giga}}, {"dilations", IntegerList{1, 2 * giga - 2}}},
    {{"padding", IntegerList{0, 0, 20'000, 2 * giga - 1'008}}, {"dilations", IntegerList{1, 2 * giga - 2}}},
    {{"padding", IntegerList{0, 7, 854'532'155, 1'292'951'499}},
     {"strides", IntegerList{4, 4'000'000}},
     {"dilations", IntegerList{4, 2 * giga - 2}}},
    {{"padding", IntegerList{0, 0, 4 * giga - 1, 4 * giga - 1}},
     {"strides", IntegerList{1, 4 * giga - 1}},
     {"dilations", IntegerList{1, 4 * giga - 1}}},
    {{"padding", IntegerList{0, 0, 3 * giga, 7}},
     {"strides", IntegerList{1, 3 * giga / 2}},
     {"dilations", IntegerList{1, 3 * giga}}},
};

}  // namespace

TEST_CASE("vulkan windows: long sums of windows stay exact to the rounding of float32") {
  const auto device = open_test_gpu();
  if (!device) return;
  constexpr std::uint32_t side = 500;
  const TestTensor image = tensor(DataType::float32, {1, 1, side, side}, Numbers(side * side, Number(0.1)));
  for (const char* op : {"averagePool2d", "l2Pool2d"})
    compare(*device, "vulkan.pool2d", op, {image}, {{"windowDimensions", IntegerList{side, side}}}, 32);
}

TEST_CASE("vulkan windows: pooling far outside of the input gives what the reference gives") {
  const auto device = open_test_gpu();
  if (!device) return;
  for (const DataType type : {DataType::float32, DataType::float16, DataType::int8, DataType::uint8})
    for (const char* op : {"maxPool2d", "averagePool2d", "l2Pool2d"}) {
      if (!is_float(type) && std::string_view(op) != "maxPool2d") continue;
      for (NamedAttributes attributes : far_windows) {
        attributes.emplace_back("windowDimensions", IntegerList{1, 2});
        compare(*device, "vulkan.pool2d", op, {counting(type, {2, 1, 3, 6}, 1)}, attributes);
      }
      // A window of which nearly nothing lies inside.
      compare(*device, "vulkan.pool2d", op, {counting(type, {1, 2, 3, 6}, 1)},
              {{"windowDimensions", IntegerList{2, 3 * giga}}, {"padding", IntegerList{0, 0, 3 * giga - 2, 1}}});
    }
}

TEST_CASE("vulkan windows: convolutions far outside of the input give what the reference gives") {
  const auto device = open_test_gpu();
  if (!device) return;
  for (const DataType type : {DataType::float32, DataType::float16})
    for (const NamedAttributes& attributes : far_windows) {
      const OptionalTensors inputs{counting(type, {2, 2, 3, 6}, 1), counting(type, {3, 2, 1, 2}, -2), std::nullopt};
      compare(*device, "vulkan.conv2d", "conv2d", inputs, attributes);
    }
  // Both taps of the second inside, and narrow calls beside.
  compare(*device, "vulkan.conv2d", "conv2d",
          {counting(DataType::float32, {1, 1, 2, 5}), counting(DataType::float32, {1, 1, 2, 2}, 1), std::nullopt},
          {{"padding", IntegerList{3 * giga, 2, 1, 0}}, {"dilations", IntegerList{3 * giga, 2}}});
}

TEST_CASE("vulkan windows: transposed convolutions with padding and dilations beyond 31 bits") {
  const auto device = open_test_gpu();
  if (!device) return;
  // The result is (input - 1) * stride + (window - 1) * dilation + 1 less the padding.
  const std::int64_t stride = 3 * giga, dilation = 5 * giga / 4;
  for (const auto& [input, begin, end] :
       {std::array<std::int64_t, 3>{2, 2 * giga, 9 * giga / 4 - 6}, std::array<std::int64_t, 3>{1, giga, giga / 4 - 4},
        std::array<std::int64_t, 3>{2, 0, 17 * giga / 4 - 8}}) {
    if (end >= 4 * giga) continue;
    compare(*device, "vulkan.convTranspose2d", "convTranspose2d",
            {counting(DataType::float32, {1, 2, 1, std::uint32_t(input)}, 1),
             counting(DataType::float32, {2, 3, 1, 2}, 1), std::nullopt},
            {{"strides", IntegerList{1, stride}},
             {"dilations", IntegerList{1, dilation}},
             {"padding", IntegerList{0, 0, begin, end}}});
  }
}

TEST_CASE("vulkan windows: kernels that count positions in 31 bits take no others") {
  const KernelSpec near = operator_spec("conv2d", {counting(DataType::float32, {1, 32, 40, 40}),
                                                   counting(DataType::float32, {32, 32, 1, 2}), std::nullopt});
  CHECK(runtime::vulkan::positions_are_narrow(near));
  CHECK(runtime::vulkan::takes_tiles(near));
  for (const NamedAttributes& attributes : far_windows) {
    const KernelSpec far = operator_spec(
        "conv2d",
        {counting(DataType::float32, {1, 32, 40, 40}), counting(DataType::float32, {32, 32, 1, 2}), std::nullopt},
        attributes);
    CHECK_FALSE(runtime::vulkan::positions_are_narrow(far));
    CHECK_FALSE(runtime::vulkan::takes_tiles(far));
  }
}

}  // namespace webnn::tests::windows_test
