// Counts of operations and bytes: they agree with formulas in wider numbers, whatever the sizes, and never wrap around.
#include <doctest/doctest.h>
#include <random>

#include "schema/kernels/cost.hpp"
#include "tests/harness/random/extremes.hpp"

namespace webnn::tests::cost_test {
namespace {

using Wide = long double;

constexpr std::uint64_t most = Saturating::most;

Wide elements(const OperandDescriptor& descriptor) { return Wide(element_count(descriptor.shape)); }

/// The operations of a call with a large count, in numbers that do not wrap around.
Wide wide_flops(const KernelSpec& spec) {
  const SpecCall call(spec);
  const OperandDescriptor& output = spec.outputs[0];
  switch (call.op().family) {
    case Family::window: {
      const auto window = call.u32_list("windowDimensions");
      return elements(output) * window[0] * window[1];
    }
    case Family::convolution: {
      const bool transposed = spec.op == "convTranspose2d"_op;
      const Wide channels = call.shape(transposed ? 0 : 1)[transposed ? 1 : 0];  // of nchw and oihw
      const Wide pixels = elements(transposed ? call.operand(0) : output) / channels;
      return 2 * pixels * elements(call.operand(1)) + (call.has_operand(2) ? elements(output) : 0);
    }
    case Family::contraction:
      return 2 * elements(output) * call.shape(0)[call.shape(0).rank() - 1];
    case Family::recurrent: {
      const Wide rows = elements(call.operand(0)) / call.shape(0)[call.shape(0).rank() - 1];
      return rows * (2 * (elements(call.operand(1)) + elements(call.operand(2))) +
                     10 * elements(call.operand(2)) / call.u32("hiddenSize"));
    }
    default:
      return -1;
  }
}

void check_count(const KernelSpec& spec) {
  const Wide wide = wide_flops(spec);
  if (wide < 0) return;
  const std::uint64_t flops = cost_of(spec).flops;
  CAPTURE(row(spec.op).name);
  CAPTURE(spec.outputs[0].text());
  if (wide >= Wide(most))
    CHECK(flops == most);
  else
    CHECK(Wide(flops) == doctest::Approx(double(wide)));
}

/// A call with these descriptors; nullopt when it is no correct one.
std::optional<KernelSpec> call_of(OperatorId op, std::vector<std::optional<OperandDescriptor>> inputs,
                                  std::vector<std::pair<const char*, AttributeValue>> attributes) {
  KernelSpec spec;
  spec.op = op;
  spec.inputs = std::move(inputs);
  spec.inputs.resize(row(op).operands.size());
  spec.attributes = Attributes(row(op).attributes.size());
  for (auto& [name, value] : attributes) spec.attributes[std::size_t(row(op).attribute_index(name))] = std::move(value);
  const Inference inference = check_operator(SpecCall(spec));
  if (!inference.ok()) return std::nullopt;
  spec.outputs = inference.outputs();
  return spec;
}

class HugeCalls {
 public:
  explicit HugeCalls(std::mt19937& engine) : engine_(engine) {}

  std::optional<KernelSpec> window() {
    const auto image = descriptor(4);
    const std::int64_t height = size(32), width = size(32);
    return call_of("averagePool2d"_op, {image},
                   {{"windowDimensions", IntegerList{height, width}},
                    {"padding", IntegerList{height - 1, size(2), width - 1, size(2)}}});
  }
  std::optional<KernelSpec> convolution() {
    const std::uint32_t channels = size(10);
    const OperandDescriptor image{type(), {size(10), channels, size(10), size(10)}};
    const std::uint32_t height = size(12), width = size(12);
    return call_of("conv2d"_op, {image, OperandDescriptor{image.type, {size(16), channels, height, width}}},
                   {{"padding", IntegerList{height, height, width, width}}});
  }
  std::optional<KernelSpec> product() {
    const std::uint32_t depth = size(30);
    const DataType of = type();
    return call_of("matmul"_op, {OperandDescriptor{of, {size(20), depth}}, OperandDescriptor{of, {depth, size(20)}}},
                   {});
  }
  std::optional<KernelSpec> network() {
    const std::uint32_t steps = size(28), hidden = size(14), features = size(14);
    const DataType of = type();
    return call_of("gru"_op,
                   {OperandDescriptor{of, {steps, size(6), features}}, OperandDescriptor{of, {1, 3 * hidden, features}},
                    OperandDescriptor{of, {1, 3 * hidden, hidden}}},
                   {{"steps", std::int64_t{steps}}, {"hiddenSize", std::int64_t{hidden}}});
  }

 private:
  /// Up to a power of two.
  std::uint32_t size(unsigned bits) {
    return 1 + std::uint32_t(engine_() & ((std::uint64_t{1} << engine_() % bits) - 1));
  }
  DataType type() { return engine_() % 2 ? DataType::float32 : DataType::float16; }
  OperandDescriptor descriptor(unsigned rank) {
    Shape shape;
    for (unsigned axis = 0; axis < rank; ++axis) shape.push_back(size(8));
    return {type(), shape};
  }

  std::mt19937& engine_;
};

}  // namespace

TEST_CASE("cost: counts saturate") {
  static_assert((Saturating(most) + 1).value() == most);
  static_assert((Saturating(most - 1) + 1).value() == most);
  static_assert((Saturating(std::uint64_t{1} << 32) * (std::uint64_t{1} << 32)).value() == most);
  static_assert((Saturating(std::uint64_t{1} << 32) * 7).value() == std::uint64_t{7} << 32);
  CHECK(Saturating(most).share(1) == most);
  CHECK(Saturating(most).share(0.5) == std::uint64_t{1} << 63);
  CHECK(Saturating(1000).share(0) == 0);

  Cost cost{std::uint64_t{1} << 63, 5};
  CHECK_FALSE(cost.exceeds(0));
  CHECK(cost.exceeds(std::uint64_t{1} << 63));
  CHECK_FALSE(cost.exceeds((std::uint64_t{1} << 63) + 5));
  cost += {std::uint64_t{1} << 63, most};
  CHECK(cost.flops == most);
  CHECK(cost.bytes == most);
  CHECK(cost.exceeds(1));
}

TEST_CASE("cost: counts of calls with extreme attributes do not wrap around") {
  std::mt19937 engine(7);
  Extremes<std::mt19937> extremes(engine);
  std::size_t calls = 0;
  for (std::uint16_t index = 0; index < all_operators().size(); ++index) {
    const OperatorId op{index};
    if (!row(op).operands[0].types.contains(DataType::float32) || row(op).name.starts_with('@')) continue;
    for (int attempt = 0; attempt < 200; ++attempt) {
      RandomCall call = random_call(op, DataType::float32, engine);
      const bool usual = op == "gemm"_op || row(op).family == Family::convolution;  // layouts and transposition
      if (usual || !extremes.change(call)) continue;
      ++calls;
      check_count(call.spec);
    }
  }
  CHECK(calls > 1000);
}

TEST_CASE("cost: counts of calls with the largest sizes do not wrap around") {
  std::mt19937 engine(8);
  HugeCalls calls(engine);
  std::size_t correct = 0, saturated = 0;
  for (int i = 0; i < 20000; ++i)
    for (const auto& call : {calls.window(), calls.convolution(), calls.product(), calls.network()}) {
      if (!call) continue;
      ++correct;
      saturated += cost_of(*call).flops == most;
      check_count(*call);
    }
  CHECK(correct > 10000);
  CHECK(saturated > 0);
}

}  // namespace webnn::tests::cost_test
