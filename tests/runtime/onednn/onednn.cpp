// What is special to the kernels that oneDNN computes: packed weights and their names, sums in place, biases from
// post-ops, and that no call falls to oneDNN's own slow reference code.
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/cpu/onednn/onednn_kernels.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/run_operator.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::onednn_test {
namespace {

/// Numbers in [-1, 1) that look random, the same in each run.
TestTensor noise(const Shape& shape, std::uint32_t seed) {
  Numbers elements(element_count(shape));
  for (Number& element : elements) {
    seed = seed * 1664525u + 1013904223u;
    element = Number(double(seed >> 8) / double(1u << 23) - 1.0);
  }
  return tensor(DataType::float32, shape, elements);
}

struct TestPostOp {
  std::string_view op;
  std::optional<TestTensor> other{};
  NamedAttributes attributes{};
};

/// A call of a kernel with post-ops, all operands row-major.
struct TestCall {
  std::string_view kernel;  // row
  std::string_view op;
  OptionalTensors inputs;
  NamedAttributes attributes{};
  std::vector<TestPostOp> post_ops{};
  bool constant_weights = true;
  int in_place = -1;
};

bool is_convolution(const TestCall& call) { return row(*find_any_operator(call.op)).family != Family::contraction; }

TestTensor reference(const TestCall& call) {
  TestTensor result = run_operator(call.op, call.inputs, call.attributes)[0];
  for (const TestPostOp& post_op : call.post_ops) {
    OptionalTensors operands{result};
    if (post_op.other) operands.push_back(post_op.other);
    result = run_operator(post_op.op, operands, post_op.attributes)[0];
  }
  return result;
}

/// The spec and the operands as the kernel gets them: activations channels-last for convolutions.
std::pair<KernelSpec, OptionalTensors> prepared(const TestCall& call) {
  KernelSpec spec = operator_spec(call.op, call.inputs, call.attributes);
  OptionalTensors inputs = call.inputs;
  inputs.resize(spec.inputs.size());
  for (const TestPostOp& post_op : call.post_ops) {
    OptionalTensors operands{tensor(DataType::float32, {}, {0})};
    if (post_op.other) operands.push_back(post_op.other);
    std::vector<NewOperand<KernelSpec>> of_step{running_result(spec)};
    if (post_op.other) {
      of_step.emplace_back(post_op.other->descriptor);
      inputs.push_back(post_op.other);
    }
    append_post_op(spec, *find_operator(post_op.op), operator_spec(post_op.op, operands, post_op.attributes).attributes,
                   of_step);
  }
  if (is_convolution(call)) {
    spec.input_layouts.assign(spec.inputs.size(), Layout::row_major);
    for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
      if (!spec.is_activation(i)) continue;
      spec.input_layouts[i] = Layout::channels_last;
      inputs[i]->data = run_operator("transpose", {*inputs[i]}, {{"permutation", IntegerList{0, 2, 3, 1}}})[0].data;
    }
    spec.output_layouts = {Layout::channels_last};
  }
  return {std::move(spec), std::move(inputs)};
}

TestTensor compute(const TestCall& call, const KernelSpec& spec, const OptionalTensors& inputs) {
  const auto id = api::find_kernel(call.kernel);
  REQUIRE(id);
  REQUIRE(takes(row(*id), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}));
  REQUIRE(takes_layouts(row(*id), spec));
  RunOptions options;
  options.may_allocate = true;
  options.in_place = call.in_place;
  if (call.constant_weights) options.constants = {1};
  TestTensor result =
      run_kernel(runtime::cpu_kernels().find(*api::find_kernel(call.kernel))->prepare, spec, inputs, options)[0];
  if (!is_convolution(call)) return result;
  const Shape& shape = result.descriptor.shape;
  const TestTensor stored{{DataType::float32, Shape{shape[0], shape[2], shape[3], shape[1]}}, result.data};
  return run_operator("transpose", {stored}, {{"permutation", IntegerList{0, 3, 1, 2}}})[0];
}

TestTensor compute(const TestCall& call) {
  const auto [spec, inputs] = prepared(call);
  return compute(call, spec, inputs);
}

double greatest_difference(const TestTensor& a, const TestTensor& b) {
  REQUIRE(a.descriptor == b.descriptor);
  double greatest = 0;
  for (std::size_t i = 0; i < element_count(a.descriptor.shape); ++i) {
    float x, y;
    std::memcpy(&x, a.data.data() + 4 * i, 4);
    std::memcpy(&y, b.data.data() + 4 * i, 4);
    greatest = std::max(greatest, std::abs(double(x) - double(y)) / std::max(1.0, std::abs(double(y))));
  }
  return greatest;
}

TestCall conv2d(const Shape& input, const Shape& filter, NamedAttributes attributes = {}) {
  return {"onednn.conv2d", "conv2d", {noise(input, 1), noise(filter, 2)}, std::move(attributes)};
}
TestCall conv_transpose2d(const Shape& input, const Shape& filter, NamedAttributes attributes = {}) {
  return {"onednn.convTranspose2d", "convTranspose2d", {noise(input, 1), noise(filter, 2)}, std::move(attributes)};
}
TestCall matmul(const Shape& a, const Shape& b) { return {"onednn.matmul", "matmul", {noise(a, 1), noise(b, 2)}}; }
TestCall gemm(const Shape& a, const Shape& b, const std::optional<Shape>& c, NamedAttributes attributes = {}) {
  TestCall call{"onednn.gemm", "gemm", {noise(a, 1), noise(b, 2)}, std::move(attributes)};
  if (c) call.inputs.push_back(noise(*c, 3));
  return call;
}

const std::vector<TestCall>& calls() {
  static const std::vector<TestCall> all = {
      conv2d({1, 3, 9, 11}, {16, 3, 3, 3}, {{"padding", IntegerList{1, 1, 1, 1}}}),
      conv2d({2, 16, 7, 7}, {5, 16, 1, 1}),
      conv2d({1, 64, 8, 8}, {32, 64, 3, 3}, {{"padding", IntegerList{0, 1, 2, 0}}, {"strides", IntegerList{2, 1}}}),
      conv2d({1, 32, 9, 9}, {32, 1, 3, 3}, {{"groups", 32}, {"padding", IntegerList{1, 1, 1, 1}}}),
      conv2d({1, 12, 9, 9}, {24, 1, 3, 3}, {{"groups", 12}}),
      conv2d({1, 12, 9, 9}, {6, 4, 3, 3}, {{"groups", 3}}),
      conv2d({1, 32, 9, 9}, {64, 16, 3, 3}, {{"groups", 2}}),
      conv2d({1, 8, 12, 12}, {8, 8, 3, 3}, {{"dilations", IntegerList{2, 3}}, {"padding", IntegerList{2, 2, 3, 3}}}),
      conv2d({1, 1, 5, 5}, {1, 1, 5, 5}),
      conv2d({2, 16, 45, 1}, {24, 16, 3, 1}, {{"padding", IntegerList{1, 1, 0, 0}}, {"strides", IntegerList{2, 1}}}),
      conv2d({1, 16, 45, 1}, {16, 1, 5, 1}, {{"groups", 16}, {"dilations", IntegerList{2, 1}}}),
      conv2d({1, 16, 9, 1}, {24, 16, 3, 3}, {{"padding", IntegerList{1, 1, 1, 1}}}),
      conv2d({1, 24, 12, 12}, {24, 12, 9, 9}, {{"padding", IntegerList{4, 4, 4, 4}}, {"groups", 2}}),
      conv_transpose2d({1, 16, 5, 5}, {16, 8, 3, 3},
                       {{"strides", IntegerList{2, 2}}, {"outputPadding", IntegerList{1, 1}}}),
      conv_transpose2d({2, 6, 4, 5}, {6, 2, 2, 3}, {{"groups", 3}, {"padding", IntegerList{1, 0, 1, 2}}}),
      conv_transpose2d({1, 4, 4, 4}, {4, 4, 3, 3}, {{"dilations", IntegerList{2, 1}}}),
      conv_transpose2d({1, 8, 4, 4}, {8, 1, 4, 4},
                       {{"groups", 8}, {"strides", IntegerList{2, 2}}, {"padding", IntegerList{1, 1, 1, 1}}}),
      conv_transpose2d({1, 16, 9, 1}, {16, 8, 3, 1},
                       {{"strides", IntegerList{2, 1}}, {"outputPadding", IntegerList{1, 0}}}),
      matmul({7, 33}, {33, 65}),
      matmul({1, 128}, {128, 100}),
      matmul({2, 3, 4, 5}, {5, 6}),
      matmul({2, 3, 4, 5}, {2, 3, 5, 6}),
      matmul({2, 3, 4, 5}, {3, 5, 6}),
      matmul({2, 1, 4, 5}, {2, 3, 5, 6}),
      matmul({4, 5}, {2, 3, 5, 6}),
      matmul({2, 1, 2, 3, 4, 5}, {2, 1, 2, 3, 5, 6}),
      matmul({1, 1}, {1, 1}),
      gemm({5, 7}, {7, 9}, std::nullopt),
      gemm({7, 5}, {9, 7}, Shape{9}, {{"aTranspose", true}, {"bTranspose", true}}),
      gemm({5, 7}, {9, 7}, Shape{1, 9}, {{"bTranspose", true}, {"alpha", 0.5}, {"beta", 2.0}}),
      gemm({5, 7}, {7, 9}, Shape{5, 1}, {{"alpha", 1.5}}),
      gemm({5, 7}, {7, 9}, Shape{5, 9}, {{"beta", -1.0}}),
      gemm({5, 7}, {7, 9}, Shape{}, {}),
      gemm({1, 7}, {7, 9}, Shape{9}, {}),
      gemm({4, 7}, {7, 1}, Shape{1}, {}),
  };
  return all;
}

std::string text_of(const TestCall& call) {
  std::string text(call.op);
  for (const auto& input : call.inputs) text += " " + (input ? input->descriptor.shape.text() : std::string("-"));
  for (const TestPostOp& post_op : call.post_ops) text += " " + std::string(post_op.op);
  return text;
}

/// Post-ops for a result of shape `result`; per-channel operands along its axis `axis`.
std::vector<std::vector<TestPostOp>> chains_for(const Shape& result, unsigned axis) {
  const Shape one = Shape::filled(result.rank(), 1);
  Shape channels = Shape::filled(result.rank() - axis, 1);
  channels[0] = result[axis];
  const TestTensor scale = noise(channels, 4), offset = noise(channels, 5), all = noise(result, 6);
  std::vector<std::vector<TestPostOp>> chains = {
      {{"relu"}},
      {{"add", offset}, {"clamp", {}, {{"minValue", 0.0}, {"maxValue", 0.5}}}},
      {{"add", all}, {"hardSwish"}},
      {{"add", offset}, {"add", all}, {"leakyRelu"}},
      {{"mul", scale}, {"add", offset}, {"hardSwish"}},
      {{"abs"}, {"mul", scale}, {"hardSigmoid"}},
      {{"linear", {}, {{"alpha", 2.0}, {"beta", 0.25}}}, {"leakyRelu"}, {"abs"}},
      {{"neg"}, {"sub", offset}, {"add", noise(one, 7)}},
      {{"linear", {}, {{"alpha", 2.0}}}, {"linear", {}, {{"alpha", 3.0}}}},
  };
  return chains;
}

/// With weights that are not finite.
TestCall not_finite(TestCall call) {
  TestTensor& filter = *call.inputs[1];
  Numbers weights = numbers(filter);
  weights[0] = Number(infinity);
  weights[weights.size() / 3] = Number(not_a_number);
  weights[weights.size() / 2] = Number(-infinity);
  filter = tensor(DataType::float32, filter.descriptor.shape, weights);
  return call;
}

}  // namespace

TEST_CASE("onednn: convolutions and products are those of the reference, with constant weights and without") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (TestCall call : calls()) {
    CAPTURE(text_of(call));
    const TestTensor expected = reference(call);
    CHECK(greatest_difference(compute(call), expected) < 3e-5);
    call.constant_weights = false;
    CHECK(greatest_difference(compute(call), expected) < 3e-5);
    const runtime::Team team(2);
    CHECK(greatest_difference(compute(call), expected) < 3e-5);
  }
}

// A matrix of all windows has zeros for padding, and oneDNN's own code by elements takes hundreds of times as long: plain
// loops compute such calls, and those for which it has no other code.
TEST_CASE("onednn: calls that plain loops compute have every chain of post-ops, and keep what is not finite") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  const NamedAttributes padding{{"padding", IntegerList{4, 4, 4, 4}}, {"groups", 2}};
  TestCall biased = conv2d({1, 16, 20, 20}, {16, 16, 17, 17}, {{"padding", IntegerList{8, 8, 8, 8}}});
  biased.inputs.push_back(noise({16}, 3));
  const TestCall plain_calls[] = {not_finite(conv2d({2, 24, 7, 7}, {24, 12, 9, 9}, padding)), biased};
  for (const TestCall& plain : plain_calls)
    for (auto chains = chains_for(reference(plain).descriptor.shape, 1); const auto& chain : chains)
      for (const bool constant : {true, false}) {
        TestCall call = plain;
        call.post_ops = chain;
        call.constant_weights = constant;
        CAPTURE(text_of(call));
        const auto [spec, inputs] = prepared(call);
        if (!takes(row(*api::find_kernel(call.kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}))
          continue;
        const TestTensor expected = reference(call), actual = compute(call, spec, inputs);
        const Comparison comparison =
            compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = 4, .absolute = 1e-4});
        CHECK(comparison.mismatches == 0);
      }
}

TEST_CASE("onednn: post-ops are applied in their order") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (const TestCall& plain : calls()) {
    const Shape result = reference(plain).descriptor.shape;
    for (auto& chain : chains_for(result, is_convolution(plain) ? 1 : result.rank() - 1)) {
      TestCall call = plain;
      call.post_ops = chain;
      CAPTURE(text_of(call));
      auto [spec, inputs] = prepared(call);
      // Several of these chains are refused: two sums, or a sum beside a c of gemm that is no bias.
      if (!takes(row(*api::find_kernel(call.kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}))
        continue;
      CHECK(greatest_difference(compute(call, spec, inputs), reference(call)) < 3e-5);
    }
  }
}

// Exporters write a convolution along one axis as one of a single column.
TEST_CASE("onednn: a single column is computed as a single row") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  const TestCall calls[] = {
      conv2d({1, 32, 60, 1}, {64, 32, 3, 1}, {{"padding", IntegerList{1, 0, 0, 0}}, {"strides", IntegerList{2, 1}}}),
      conv2d({1, 32, 1, 60}, {64, 32, 1, 3}, {{"padding", IntegerList{0, 0, 1, 0}}, {"strides", IntegerList{1, 2}}})};
  std::vector<std::string> forms;
  std::vector<std::vector<std::byte>> results;
  for (const TestCall& call : calls) {
    const auto [spec, inputs] = prepared(call);
    const auto packed = runtime::cpu_kernels()
                            .find(*api::find_kernel(call.kernel))
                            ->pack(spec, 1, std::span<const std::byte>(inputs[1]->data));
    forms.push_back(packed ? packed->form : "");
    results.push_back(compute(call).data);
  }
  CHECK(forms[0] == forms[1]);
  CHECK(results[0] == results[1]);
}

TEST_CASE("onednn: long lines are divided, and those for which there would be too much code are refused") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (const TestCall& call :
       {conv2d({1, 2, 1, 9'000}, {5, 2, 1, 9}, {{"padding", IntegerList{0, 0, 4, 4}}}),
        conv2d({2, 2, 5'000, 1}, {5, 2, 3, 1}, {{"padding", IntegerList{2, 0, 0, 0}}, {"strides", IntegerList{2, 1}}})})
    CHECK(greatest_difference(compute(call), reference(call)) < 3e-5);
  const auto is_taken = [](const TestCall& call) {
    const auto [spec, inputs] = prepared(call);
    return takes(row(*api::find_kernel(call.kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()});
  };
  const auto padded = [](std::int64_t taps) { return NamedAttributes{{"padding", IntegerList{0, 0, taps, taps}}}; };
  CHECK(is_taken(conv2d({1, 1, 1, 4'000}, {1, 1, 1, 60}, padded(30))));
  CHECK_FALSE(is_taken(conv2d({1, 1, 1, 4'000}, {1, 1, 1, 801}, padded(400))));
  CHECK(is_taken(conv2d({1, 1, 3, 16'000}, {1, 1, 3, 3})));
  CHECK_FALSE(is_taken(conv2d({1, 1, 3, 17'000}, {1, 1, 3, 3})));
}

TEST_CASE("onednn: a residual is added in place, and where it lies elsewhere") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  TestCall call = conv2d({1, 16, 6, 6}, {16, 16, 3, 3}, {{"padding", IntegerList{1, 1, 1, 1}}});
  call.post_ops = {{"add", noise({1, 16, 6, 6}, 8)}, {"leakyRelu"}};
  const TestTensor expected = reference(call);
  CHECK(greatest_difference(compute(call), expected) < 3e-5);
  call.in_place = 3;
  CHECK(greatest_difference(compute(call), expected) < 3e-5);

  call = matmul({4, 6}, {6, 5});
  call.post_ops = {{"add", noise({5}, 9)}, {"add", noise({4, 5}, 8)}, {"leakyRelu"}};
  call.in_place = 3;
  CHECK(greatest_difference(compute(call), reference(call)) < 3e-5);
}

TEST_CASE("onednn: packed weights are used as they are, and repacked when another machine packed them") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  std::size_t packed_calls = 0;
  for (const TestCall& call : calls()) {
    CAPTURE(text_of(call));
    auto [spec, inputs] = prepared(call);
    const auto packed = runtime::cpu_kernels()
                            .find(*api::find_kernel(call.kernel))
                            ->pack(spec, 1, std::span<const std::byte>(inputs[1]->data));
    if (!packed) continue;
    ++packed_calls;
    CAPTURE(packed->form);
    if (spec.input_layouts.empty()) spec.input_layouts.assign(spec.inputs.size(), Layout::row_major);
    spec.input_layouts[1] = Layout::private_form;
    spec.input_forms.assign(spec.inputs.size(), "");
    spec.input_forms[1] = packed->form;
    inputs[1]->data.assign(packed->bytes.view().begin(), packed->bytes.view().end());
    const TestTensor expected = reference(call);
    CHECK(greatest_difference(compute(call, spec, inputs), expected) < 3e-5);

    // The row-major order is a form too, one that this machine did not ask for.
    const std::string start = packed->form.substr(0, packed->form.find('>'));
    spec.input_forms[1] = start + ">" + start.substr(start.rfind(':') + 1);
    inputs[1]->data = call.inputs[1]->data;
    CHECK(greatest_difference(compute(call, spec, inputs), expected) < 3e-5);
  }
  CHECK(packed_calls > 10);
}

TEST_CASE("onednn: no call falls to its slow reference code") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  for (const TestCall& plain : calls()) {
    TestCall call = plain;
    const Shape result = reference(plain).descriptor.shape;
    auto chains = chains_for(result, is_convolution(plain) ? 1 : result.rank() - 1);
    chains.push_back({});
    for (auto& chain : chains) {
      call.post_ops = chain;
      CAPTURE(text_of(call));
      const KernelSpec spec = prepared(call).first;
      if (!takes(row(*api::find_kernel(call.kernel)), spec, {DeviceKind::cpu, runtime::detect_cpu_features()}))
        continue;
      for (const bool constant : {true, false}) {
        const std::string implementation = runtime::onednn_implementation(spec, constant);
        CAPTURE(implementation);
        CHECK_FALSE(implementation.starts_with("ref"));
      }
    }
  }
}

TEST_CASE("onednn: a form that names no order of the weights is refused") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));
  const TestCall call = matmul({4, 6}, {6, 5});
  auto [spec, inputs] = prepared(call);
  spec.input_layouts = {Layout::row_major, Layout::private_form};
  for (const char* form :
       {"", "onednn:", "onednn:6x5:ab>", "onednn:6x5:ab>a", "onednn:6x5:ab>aa", "onednn:6x5:ab>ac", "onednn:6x5:ba>ab",
        "onednn:5x6:ab>ab", "onednn:6x5:ab>Ab16", "onednn:6x5:ab>Ab16c", "onednn:6x5:ab>Ab0a", "onednn:6x5:ab>Ab-4a",
        "onednn:6x5:ab>Ab99999999999999999999a", "onednn:6x5:ab>AB256a256b256a", "onednn:6x5:ab>Ab16a", "other:ab"}) {
    CAPTURE(form);
    spec.input_forms = {"", form[0] ? form : "?"};
    try {
      compute(call, spec, inputs);  // the bytes are those of the row-major matrix
      FAIL_CHECK("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::program);
    }
  }
}

TEST_CASE("onednn: a window of bytes whose rows are apart, with a zero point, stays in its tensors") {
  if (!machine_has(Feature::avx512_vnni)) return skip(machine_lacks(Feature::avx512_vnni));
  const auto bytes = [](const Shape& shape) {
    Numbers elements(element_count(shape));
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = Number(double(i * 37 % 11) - 5);
    return tensor(DataType::int8, shape, elements);
  };
  const auto of_channels = [](double value) { return tensor(DataType::float32, {11}, Numbers(11, Number(value))); };
  const TestCall call{.kernel = "onednn.quantizedConv2d",
                      .op = "@quantizedConv2d",
                      .inputs = {bytes({2, 9, 6, 8}), bytes({11, 9, 4, 3}), of_channels(-5), of_channels(1)},
                      .attributes = {{"dataType", DataType::float32},
                                     {"inputScale", 1.0},
                                     {"inputZeroPoint", 2},
                                     {"outputScale", 1.0},
                                     {"outputZeroPoint", 0},
                                     {"padding", IntegerList{11, 4, 1, 0}},
                                     {"strides", IntegerList{2, 4}},
                                     {"dilations", IntegerList{4, 1}}}};
  CHECK(numbers(compute(call)) == numbers(reference(call)));
}

}  // namespace webnn::tests::onednn_test
