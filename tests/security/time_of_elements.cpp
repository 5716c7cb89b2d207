// Elements that made kernels take up to hundreds of times as long: large angles, infinities and NaN, among the weights too.
//
// The bound is generous, because it holds for times: most of what was found was above it, and what is measured now is below
// half of it.
#include <algorithm>
#include <ctime>
#include <doctest/doctest.h>
#include <limits>
#include <random>

#include "api/webnn.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::time_of_elements_test {
namespace {

constexpr double most_times = 60;  // as SECURITY.md says

using Floats = std::vector<float>;

Floats ordinary(std::size_t count) {
  std::mt19937 engine(3);
  Floats values(count);
  for (float& value : values) value = float(engine() % 1000) / 500 - 1;
  return values;
}

/// A graph with the input x and the output y.
struct Case {
  const char* name;
  const char* provider;
  Dimensions shape;
  Operand (*build)(GraphBuilder& builder, const Operand& x);
  float element;
};

Operand constant(GraphBuilder& builder, const Dimensions& shape) {
  std::size_t count = 1;
  for (const std::uint32_t size : shape) count *= size;
  const Floats values = ordinary(count);
  return builder.constant(DataType::float32, shape, std::as_bytes(std::span(values)));
}

constexpr float huge = 1e30f, infinite = std::numeric_limits<float>::infinity();

const Case cases[] = {
    {"sine", "simd", {1u << 18}, [](auto& b, const auto& x) { return b.sin(x); }, huge},
    {"cosine", "simd", {1u << 18}, [](auto& b, const auto& x) { return b.cos(x); }, huge},
    {"tangent", "simd", {1u << 18}, [](auto& b, const auto& x) { return b.tan(x); }, huge},
    {"product",
     "xnnpack",
     {64, 512},
     [](auto& b, const auto& x) {
       return b.matmul(x, constant(b, {512, 512}));
     },
     infinite},
    {"transposed",
     "xnnpack",
     {64, 512},
     [](auto& b, const auto& x) {
       return b.gemm(x, constant(b, {512, 512}), {.bTranspose = true});
     },
     infinite},
    {"convolution",
     "xnnpack",
     {1, 64, 28, 28},
     [](auto& b, const auto& x) {
       return b.relu(b.conv2d(x, constant(b, {64, 64, 3, 3}), {.padding = {{1, 1, 1, 1}}}));
     },
     infinite},
    {"depthwise",
     "xnnpack",
     {1, 64, 28, 28},
     [](auto& b, const auto& x) {
       return b.conv2d(x, constant(b, {64, 1, 3, 3}), {.padding = {{1, 1, 1, 1}}, .groups = 64});
     },
     infinite},
    {"transposed convolution",
     "xnnpack",
     {1, 32, 28, 28},
     [](auto& b, const auto& x) {
       return b.convTranspose2d(x, constant(b, {32, 32, 3, 3}), {.strides = {{2, 2}}});
     },
     infinite},
    {"resampling",
     "xnnpack",
     {1, 16, 56, 56},
     [](auto& b, const auto& x) {
       return b.resample2d(x, {.mode = "linear", .scales = {{2, 2}}});
     },
     infinite},
    {"filter around padding",
     "onednn",
     {24, 12, 9, 9},
     [](auto& b, const auto& filter) {
       return b.relu(b.conv2d(constant(b, {1, 24, 40, 40}), filter, {.padding = {{4, 4, 4, 4}}, .groups = 2}));
     },
     infinite},
    {"first layer",
     "onednn",
     {1, 3, 112, 112},
     [](auto& b, const auto& x) {
       return b.relu(b.conv2d(x, constant(b, {32, 3, 3, 3}), {.padding = {{1, 1, 1, 1}}}));
     },
     infinite},
};

/// Of the processor, with which no other process interferes.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) / 1e9;
}

/// The shortest time of a run with these elements. The first runs prepare what only some elements need.
double seconds(Context& context, const Graph& graph, const Dimensions& shape, const Floats& elements) {
  const NamedDescriptor& result = graph.outputs().front();
  const Tensor x = context.createTensor({.shape = shape, .writable = true});
  const Tensor y = context.createTensor({.shape = result.shape});
  context.writeTensor(x, std::as_bytes(std::span(elements)));
  double least = infinite;
  for (int run = 0; run < 12; ++run) {
    const double begin = processor_seconds();
    context.compute(graph, {{"x", x}}, {{"y", y}});
    if (run >= 2) least = std::min(least, processor_seconds() - begin);
  }
  return least;
}

}  // namespace

TEST_CASE("security: no elements make a kernel take many times as long as others do") {
  if (under_sanitizer) return skip("a sanitizer slows down our code, but not that of libraries");
  for (const Case& each : cases) {
    const std::string name = each.name;
    CAPTURE(name);
    if (!has_provider(each.provider)) {
      skip_part(name, no_provider(each.provider));
      continue;
    }
    Context context({.device = std::string("cpu:") + each.provider, .threads = 1});
    GraphBuilder builder(context);
    const Graph graph = builder.build({{"y", each.build(builder, builder.input("x", DataType::float32, each.shape))}});
    std::size_t count = 1;
    for (const std::uint32_t size : each.shape) count *= size;
    const double usual = seconds(context, graph, each.shape, ordinary(count));
    const double with = seconds(context, graph, each.shape, Floats(count, each.element));
    const double times = with / usual;
    CHECK_MESSAGE(times < most_times, (usual * 1e3) << " ms, " << (with * 1e3) << " ms, " << times << " times");
  }
}

}  // namespace webnn::tests::time_of_elements_test
