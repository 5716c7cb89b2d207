// What a table of measured preferences does to the choice of kernels and layouts.
#include <doctest/doctest.h>

#include "api/kernels.hpp"
#include "api/runner/compile_program.hpp"
#include "cli/tuning/trial.hpp"
#include "compiler/ir/call_text.hpp"
#include "compiler/ir/parse.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/run_operator.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::tuning_test {
namespace {

using namespace webnn::compiler;

// A convolution that works channels-last, and a reduction that takes both layouts.
constexpr std::string_view graph_text = R"(graph "tuned" {
  %x = input float32[1, 16, 24, 24]
  %w = constant float32[16, 16, 3, 3] {0.125...}
  %a = conv2d(%x, %w) {padding=[1, 1, 1, 1]} : float32[1, 16, 24, 24]
  %b = reduceMax(%a) {axes=[2, 3], keepDimensions=true} : float32[1, 16, 1, 1]
  %c = reduceSum(%x) {axes=[1], keepDimensions=true} : float32[1, 1, 24, 24]
  output "b" = %b
  output "c" = %c
}
)";

Program compiled(const Tuning& tuning, std::string_view text = graph_text) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  REQUIRE(graph);
  const runtime::CpuDevice device(runtime::detect_cpu_features());
  Options options = options_of_tests();
  options.tuning = tuning;
  auto program = api::compile_program(std::move(*graph), options, device, {}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(program);
  return std::move(*program);
}

/// How the step runs whose call begins with this operator.
cli::Way way_of(const Program& program, std::string_view op) {
  for (const cli::Way& way : cli::ways_of(program))
    if (way.call.starts_with(std::string(op) + "(")) return way;
  FAIL("no step is a " << op);
  return {};
}

std::string_view kernel_of(const Program& program, std::string_view op) { return row(way_of(program, op).kernel).name; }

Tuning preferring(std::string call, const CallPreference& preference) {
  Tuning tuning;
  tuning.calls.emplace(std::move(call), preference);
  return tuning;
}

TEST_CASE("tuning: calls of a class are about equally large, of one operator and type") {
  const auto class_of = [](std::string_view op, const Shape& a, const Shape& b, const NamedAttributes& attributes) {
    OptionalTensors inputs{TestTensor{{DataType::float32, a}, {}}, TestTensor{{DataType::float32, b}, {}}};
    if (op == "gemm" || op == "conv2d") inputs.emplace_back();  // no bias
    return call_class(operator_spec(op, inputs, attributes));
  };
  CHECK(class_of("matmul", {1000, 60}, {60, 33}, {}) == "matmul float32 m10 n5 k6 b0");
  CHECK(class_of("matmul", {12, 384, 64}, {12, 64, 384}, {}) == "matmul float32 m9 n9 k6 b4");
  CHECK(class_of("matmul", {1, 90}, {90, 91}, {}) == "matmul float32 m0 n7 k6 b0");  // 90.5 is the middle of 64 and 128
  CHECK(class_of("gemm", {8, 2048}, {1000, 2048}, {{"bTranspose", true}}) == "gemm float32 m3 n10 k11 b0 t");
  CHECK(class_of("conv2d", {2, 64, 56, 56}, {128, 64, 3, 3}, {}) == "conv2d float32 m7 n13 k9 b0");
  CHECK(class_of("add", {8}, {8}, {}).empty());
}

TEST_CASE("tuning: a call's text says what its time depends on, and no layout") {
  const Program program = compiled({});
  CHECK(way_of(program, "conv2d").call ==
        "conv2d(float32[1, 16, 24, 24], const float32[16, 16, 3, 3], _) {padding=[1, 1, 1, 1]} : "
        "float32[1, 16, 24, 24]");
}

TEST_CASE("tuning: a preferred row is taken where it takes the call, and only there") {
  const Program usual = compiled({});
  const cli::Way convolution = way_of(usual, "conv2d"), reduction = way_of(usual, "reduceSum");
  const KernelId reference_conv = *api::find_kernel("reference.conv2d"),
                 reference_reduction = *api::find_kernel("reference.reduction");

  const Program other = compiled(preferring(reduction.call, {reference_reduction, reference_reduction, 0}));
  CHECK(kernel_of(other, "reduceSum") == "reference.reduction");
  CHECK(way_of(other, "conv2d") == convolution);  // what the table does not name stays

  // A row of another operator, and a row in a layout that it does not take, count as absent.
  CHECK(cli::ways_of(compiled(preferring(reduction.call, {reference_conv, reference_conv, 0}))) == cli::ways_of(usual));
  if (machine_has(Feature::avx2))
    CHECK(cli::ways_of(compiled(preferring(reduction.call, {std::nullopt, reference_reduction, 0}))) !=
          cli::ways_of(compiled(preferring(reduction.call, {reference_reduction, reference_reduction, 0}))));
  else
    skip_part("another row for one layout", machine_lacks(Feature::avx2));
  CHECK(cli::ways_of(compiled(preferring("conv2d of nobody", {reference_conv, {}, 0}))) == cli::ways_of(usual));

  // A class serves the calls that are not there themselves.
  Tuning tuning = preferring("conv2d float32 m4 n9 k7 b0", {reference_conv, reference_conv, 0});
  CHECK(kernel_of(compiled(tuning), "conv2d") == "reference.conv2d");
  tuning.calls.emplace(convolution.call, CallPreference{convolution.kernel, convolution.kernel, 0});
  CHECK(kernel_of(compiled(tuning), "conv2d") == row(convolution.kernel).name);
}

TEST_CASE("tuning: what a layout is worth moves a call against the bytes of its reorders") {
  if (!machine_has(Feature::avx2)) return skip(machine_lacks(Feature::avx2));  // the others' rows are row-major only
  const Program usual = compiled({});
  const cli::Way reduction = way_of(usual, "reduceMax");
  const auto layout_when_worth = [&](std::int64_t bytes) {
    return way_of(compiled(preferring(reduction.call, {{}, {}, bytes})), "reduceMax").layout;
  };
  CHECK(layout_when_worth(most_layout_bytes) == Layout::channels_last);
  CHECK(layout_when_worth(-most_layout_bytes) == Layout::row_major);
  CHECK(layout_when_worth(0) == reduction.layout);
  const std::int64_t tensor_bytes = 16 * 24 * 24 * 4;
  CHECK(layout_when_worth(-tensor_bytes / 2) == reduction.layout);  // less than one reorder
}

TEST_CASE("tuning: a preferred row stays where another one would save the reorder of its operand") {
  if (!machine_has(Feature::avx512)) return skip(machine_lacks(Feature::avx512));  // the other row is slow
  constexpr std::string_view image = R"(graph "image" {
  %x = input float32[1, 3, 24, 24]
  %w = constant float32[16, 3, 3, 3] {0.125...}
  %y = conv2d(%x, %w) {padding=[1, 1, 1, 1]} : float32[1, 16, 24, 24]
  output "y" = %y
}
)";
  const cli::Way usual = way_of(compiled({}, image), "conv2d");
  CHECK(row(usual.kernel).name == "simd.conv2d.planar.avx512");
  const KernelId library = *api::find_kernel("onednn.conv2d");
  CHECK(kernel_of(compiled(preferring(usual.call, {{}, library, 0}), image), "conv2d") == "onednn.conv2d");
  CHECK(kernel_of(compiled(preferring(usual.call, {{}, usual.kernel, 0}), image), "conv2d") == row(usual.kernel).name);
}

TEST_CASE("tuning: equal tables give equal programs, and an empty one the usual program") {
  const Program usual = compiled({});
  const Tuning tuning = preferring(way_of(usual, "reduceMax").call, {{}, {}, -most_layout_bytes});
  CHECK(cli::ways_of(compiled(tuning)) == cli::ways_of(compiled(tuning)));
  CHECK(cli::ways_of(compiled({})) == cli::ways_of(usual));
}

}  // namespace
}  // namespace webnn::tests::tuning_test
