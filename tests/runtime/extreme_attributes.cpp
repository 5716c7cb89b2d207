// Calls whose attributes are far from ordinary: paddings, strides, dilations and windows up to 2^32 - 1, sizes and
// axes that just fit. Whatever the shape rules accept, each row of the CPU that takes the call must end soon, touch no
// memory but its own, and give what the reference gives.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <variant>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "schema/operators/sliding_window.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/random/random_elements.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::extreme_attributes_test {
namespace {

constexpr std::int64_t most = 0xffffffff;

class Extremes {
 public:
  explicit Extremes(std::mt19937& engine) : engine_(engine) {}

  /// Changes attributes of the call; false when the result is no correct call, or too large to compute here.
  bool change(RandomCall& call) {
    KernelSpec& spec = call.spec;
    if (!slides(spec) || below(4) == 0 || !stretch_windows(spec)) change_some(spec);
    const Inference inference = check_operator(SpecCall(spec));
    if (!inference.ok() || inference.outputs().empty()) return false;
    spec.outputs = inference.outputs();
    return std::ranges::all_of(
        spec.outputs, [](const OperandDescriptor& output) { return element_count(output.shape) <= most_elements; });
  }

 private:
  static constexpr std::uint64_t most_elements = 100'000;

  std::uint32_t below(std::uint32_t count) { return engine_() % count; }

  std::int64_t extreme(std::int64_t old) {
    switch (below(4)) {
      case 0:
        return old + below(5) - 2;
      case 1:
        return std::int64_t(engine_());
      case 2:
        return most - below(3);
      default:
        return (std::int64_t{1} << below(32)) + below(5) - 2;
    }
  }

  static bool slides(const KernelSpec& spec) { return row(spec.op).attribute_index("dilations") >= 0; }
  static IntegerList* list(KernelSpec& spec, std::string_view name, std::size_t size) {
    auto& value = spec.attributes[std::size_t(row(spec.op).attribute_index(name))];
    if (!value) value.emplace(IntegerList(size, 1));
    return std::get_if<IntegerList>(&*value);
  }

  /// Strides and dilations of any size, and paddings with which a few windows fit.
  bool stretch_windows(KernelSpec& spec) {
    const bool transposed = spec.op == "convTranspose2d"_op;
    auto windows = sliding_windows(SpecCall(spec));
    IntegerList &strides = *list(spec, "strides", 2), &dilations = *list(spec, "dilations", 2);
    IntegerList& padding = *list(spec, "padding", 4);
    for (std::size_t i = 0; i < 2; ++i) {
      SlidingWindow& axis = windows[i];
      axis.stride = std::clamp<std::int64_t>(below(2) ? 1 + below(4) : extreme(2), 1, most);
      axis.dilation = std::clamp<std::int64_t>(below(2) ? 1 + below(4) : extreme(2), 1, most);
      const std::int64_t wanted = 1 + below(6);  // positions
      std::int64_t total = transposed ? (axis.input - 1) * axis.stride + axis.extent() - wanted
                                      : (wanted - 1) * axis.stride + axis.extent() - axis.input + below(3) - 1;
      total = std::clamp<std::int64_t>(total, 0, 2 * most);
      const std::int64_t begin = below(3) == 0 ? total / 2 : below(2) ? 0 : std::int64_t(engine_()) % (total + 1);
      padding[2 * i] = std::min(begin, most);
      padding[2 * i + 1] = std::min(total - padding[2 * i], most);
      strides[i] = axis.stride;
      dilations[i] = axis.dilation;
    }
    for (const char* name : {"outputSizes", "outputPadding"})
      if (const int index = row(spec.op).attribute_index(name); index >= 0) spec.attributes[std::size_t(index)].reset();
    return true;
  }

  void change_some(KernelSpec& spec) {
    const Operator& op = row(spec.op);
    for (unsigned changes = 1 + below(3); changes > 0 && op.attributes.size() != 0; --changes) {
      const std::size_t index = below(std::uint32_t(op.attributes.size()));
      auto& value = spec.attributes[index];
      if (!value || op.attributes[index].name.ends_with("ZeroPoint")) continue;  // a byte, as passes write it
      if (auto* integers = std::get_if<IntegerList>(&*value)) {
        if (!integers->empty())
          if (std::int64_t& item = (*integers)[below(std::uint32_t(integers->size()))]; true)
            item = std::clamp<std::int64_t>(extreme(item), 0, most);
      } else if (auto* integer = std::get_if<std::int64_t>(&*value)) {
        *integer = extreme(*integer);
      } else if (auto* reals = std::get_if<RealList>(&*value)) {
        constexpr double factors[] = {1e-30, 0.1, 0.33333, 7.5, 1.0000001, 0.9999999, 123456, 1e9};
        if (!reals->empty()) (*reals)[below(std::uint32_t(reals->size()))] = factors[below(std::size(factors))];
      }
    }
  }

  std::mt19937& engine_;
};

std::vector<TestTensor> run_row(const KernelRow& kernel, RandomCall call) {
  const bool channels_last = kernel.layouts == LayoutRule::channels_last;
  RunOptions options;
  options.may_allocate = true;
  options.overreads = kernel.overreads;
  call.spec.input_layouts.assign(call.inputs.size(), Layout::row_major);
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (channels_last && call.spec.is_activation(i)) {
      call.spec.input_layouts[i] = Layout::channels_last;
      call.inputs[i] = in_layout(*call.inputs[i], Layout::row_major, Layout::channels_last);
    }
    if (call.inputs[i] && i < 8 && ((call.spec.constants >> i) & 1u)) options.constants.push_back(i);
  }
  for (const OperandDescriptor& output : call.spec.outputs)
    call.spec.output_layouts.push_back(channels_last && output.shape.rank() == 4 ? Layout::channels_last
                                                                                 : Layout::row_major);
  auto results = run_kernel(runtime::cpu_kernels().find({&kernel})->prepare, call.spec, call.inputs, options);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = in_layout(results[i], call.spec.output_layouts[i], Layout::row_major);
  return results;
}

bool alike(const TestTensor& actual, const TestTensor& expected) {
  const Numbers a = numbers(actual), b = numbers(expected);
  double peak = 1;
  for (const Number& number : b)
    if (number.is_finite()) peak = std::max(peak, std::abs(number.as_double()));
  const double allowed = is_float(expected.descriptor.type) ? 0.01 * peak : 1;  // a value on the edge of two roundings
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i].as_double(), y = b[i].as_double();
    if (std::isnan(x) != std::isnan(y) || std::isinf(x) != std::isinf(y)) return false;
    if (std::isinf(y) ? x != y : std::abs(x - y) > allowed) return false;
  }
  return a.size() == b.size();
}

std::string text_of(const KernelSpec& spec) {
  std::string text(row(spec.op).name);
  for (const auto& input : spec.inputs) text += " " + (input ? input->text() : std::string("-"));
  for (std::size_t i = 0; i < spec.attributes.size(); ++i) {
    if (!spec.attributes[i]) continue;
    text += " " + std::string(row(spec.op).attributes[i].name) + "=";
    if (const auto* integers = std::get_if<IntegerList>(&*spec.attributes[i]))
      for (const std::int64_t item : *integers) text += std::to_string(item) + ",";
    else if (const auto* integer = std::get_if<std::int64_t>(&*spec.attributes[i]))
      text += std::to_string(*integer);
    else
      text += "...";
  }
  return text;
}

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
    const std::vector<TestTensor> actual = run_row(kernel, call);
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) CHECK(alike(actual[i], expected[i]));
    ++runs;
  }
  return runs;
}

}  // namespace

TEST_CASE("extreme attributes: every row of the CPU ends, stays in its memory and agrees with the reference") {
  const runtime::CpuDevice device;
  const Target& target = device.target();
  std::mt19937 engine(18);
  Extremes extremes(engine);
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

}  // namespace webnn::tests::extreme_attributes_test
