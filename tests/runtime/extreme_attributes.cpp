// Calls whose attributes are far from ordinary: paddings, strides, dilations and windows up to 2^32 - 1, sizes and
// axes that just fit. Whatever the shape rules accept, each row of the CPU that takes the call must end soon, touch no
// memory but its own, and give what the reference gives.
#include <algorithm>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/random/extremes.hpp"
#include "tests/harness/random/random_elements.hpp"
#include "tests/harness/random/row_call.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::extreme_attributes_test {
namespace {

/// Runs each row of the CPU that takes the call and compares it with the reference; how many there were.
std::size_t check_rows(RandomCall call, const Target& target) {
  const std::string text = text_of(call.spec);
  CAPTURE(text);
  call.spec.input_layouts.clear();
  const std::vector<TestTensor> expected = run_steps(call.spec, call.inputs);
  std::size_t runs = 0;
  for (const KernelRow& kernel : api::kernel_table()) {
    call.spec.constants = 0xff;
    if (kernel.device != DeviceKind::cpu || kernel.provider() == "reference" || !takes(kernel, call.spec, target))
      continue;
    call.spec.constants = kernel.constants;
    const std::string name(kernel.name);
    CAPTURE(name);
    const std::vector<TestTensor> actual = run_cpu_row(kernel, call);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) CHECK(nearly_alike(actual[i], expected[i]));
    ++runs;
  }
  return runs;
}

}  // namespace

TEST_CASE("extreme attributes: every row of the CPU ends, stays in its memory and agrees with the reference") {
  const runtime::CpuDevice device;
  const Target& target = device.target();
  std::mt19937 engine(18);
  Extremes<std::mt19937> extremes(engine);
  std::size_t calls = 0, runs = 0;
  for (std::uint16_t index = 0; index < all_operators().size(); ++index) {
    const OperatorId op{index};
    const Operator& of = row(op);
    const bool has_numbers = std::ranges::any_of(of.attributes, [](const AttributeRow& attribute) {
      return attribute.kind == AttributeKind::u32 || attribute.kind == AttributeKind::u32_list ||
             attribute.kind == AttributeKind::u32_or_list || attribute.kind == AttributeKind::i32;
    });
    if (!has_numbers || of.family == Family::recurrent) continue;
    const int wanted = of.attribute_index("padding") >= 0 ? 120 : 25;
    for (const DataType type : {DataType::float32, DataType::float16, DataType::int8}) {
      if (!of.operands[0].types.contains(type)) continue;
      int found = 0;
      for (int attempt = 0; attempt < 20 * wanted && found < wanted; ++attempt) {
        RandomCall call = random_call(op, type, engine);
        if (!extremes.change(call)) continue;
        ++found;
        ++calls;
        runs += check_rows(std::move(call), target);
      }
    }
  }
  MESSAGE(calls << " calls, " << runs << " runs of rows");
  CHECK(runs > 1000);
}

TEST_CASE("extreme attributes: transposed convolutions whose result is shorter than a stride") {
  if (!has_convolution_library()) return skip(no_convolution_library());
  const runtime::CpuDevice device;
  std::size_t runs = 0;
  for (const std::uint32_t stride : {2u, 3u, 5u})
    for (std::uint32_t height = 1; height <= stride; ++height)
      for (const std::uint32_t channels : {1u, 2u, 5u}) {
        // Of one row stride rows are made, and all but `height` of them are cut off as padding.
        const IntegerList padding{0, stride - height, 2, 1}, strides{stride, 1};
        const OptionalTensors inputs{counting(DataType::float32, {1, 1, 1, 32}),
                                     counting(DataType::float32, {1, channels, stride, 1}, -3),
                                     counting(DataType::float32, {channels})};
        runs +=
            check_rows({operator_spec("convTranspose2d", inputs, {{"padding", padding}, {"strides", strides}}), inputs},
                       device.target());
      }
  CHECK(runs > 0);
}

TEST_CASE("extreme attributes: the text of a call has all that makes it") {
  const OptionalTensors images{counting(DataType::float32, {1, 2, 3, 4})};
  KernelSpec resample = operator_spec("resample2d", images, {{"mode", "linear"}, {"scales", RealList{0.5, 2}}});
  resample.input_layouts = resample.output_layouts = {Layout::channels_last};
  CHECK(text_of(resample) ==
        "resample2d(float32[1, 2, 3, 4]/channels_last) {mode=\"linear\", scales=[0.5, 2]} : "
        "float32[1, 2, 1, 8]/channels_last");

  const OptionalTensors matrices{counting(DataType::float32, {2, 3}), counting(DataType::float32, {4, 3}),
                                 std::nullopt};
  KernelSpec product = operator_spec("gemm", matrices, {{"alpha", 0.1}, {"bTranspose", true}});
  product.constants = 2;
  product.input_layouts = {Layout::row_major, Layout::private_form, Layout::row_major};
  product.input_forms = {"", "panels", ""};
  CHECK(text_of(product) ==
        "gemm(float32[2, 3], const float32[4, 3]/panels, _) {alpha=0.1, bTranspose=true} : float32[2, 4]");
}

}  // namespace webnn::tests::extreme_attributes_test
