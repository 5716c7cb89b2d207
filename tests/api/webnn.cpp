// The public C++ interface, used as a program outside the project would use it.
#include <limits>

#include "tests/api/webnn_support.hpp"

namespace webnn_test {

namespace {

using webnn::DataType;
using namespace webnn::tests;
using Floats = std::vector<float>;

/// Builds `y`, runs it with x = `input` and gives y's elements.
Floats compute(webnn::Context& context, webnn::GraphBuilder& builder, const webnn::Operand& y, const Floats& input) {
  const webnn::Graph graph = builder.build({{"y", y}});
  const auto x = context.createTensor({float32, {std::uint32_t(input.size())}, false, true});
  const auto out = context.createTensor({y.dataType(), y.shape(), true, false});
  context.writeTensor(x, bytes_of(input));
  context.dispatch(graph, {{"x", x}}, {{"y", out}});
  return elements_of(context.readTensor(out).get());
}

}  // namespace

TEST_CASE("webnn.hpp: the specification's example, C = 0.2 * A + B") {
  webnn::Context context(test_options());
  webnn::GraphBuilder builder(context);
  const auto constant = builder.constant(float32, {2, 2}, bytes_of(Floats(4, 0.2f)));
  const auto a = builder.input("A", float32, {2, 2}), b = builder.input("B", float32, {2, 2});
  const webnn::Graph graph = builder.build({{"C", builder.add(builder.mul(a, constant), b)}});

  const auto in_a = context.createTensor({.dataType = float32, .shape = {2, 2}, .writable = true});
  const auto in_b = context.createTensor({.dataType = float32, .shape = {2, 2}, .writable = true});
  const auto out_c = context.createTensor({.dataType = float32, .shape = {2, 2}, .readable = true});
  context.writeTensor(in_a, bytes_of(Floats(4, 1.0f)));
  context.writeTensor(in_b, bytes_of(Floats(4, 0.8f)));
  context.dispatch(graph, {{"A", in_a}, {"B", in_b}}, {{"C", out_c}});
  CHECK(elements_of(context.readTensor(out_c).get()) == Floats(4, 1.0f));
}

TEST_CASE("webnn.hpp: options, lists and operators of several results") {
  webnn::Context context(test_options(1));
  webnn::GraphBuilder builder(context);
  const auto x = builder.input("x", float32, {6});
  const auto parts = builder.split(x, {2, 4}, {.axis = 0});
  REQUIRE(parts.size() == 2);
  CHECK(parts[1].shape() == webnn::Dimensions{4});
  CHECK(builder.split(x, 3).size() == 3);
  const auto low = builder.clamp(parts[1], {.minValue = 0, .maxValue = 4.5});
  const auto joined = builder.concat({low, parts[0]}, 0, {.label = "join"});
  const auto sum = builder.reduceSum(builder.reshape(joined, {2, 3}), {.axes = {{1}}});
  CHECK(sum.shape() == webnn::Dimensions{2});
  CHECK(compute(context, builder, sum, {1, 2, -3, 4, 5, 6}) == Floats{8.5f, 7.5f});
}

TEST_CASE("webnn.hpp: optional operands") {
  webnn::Context context(test_options());
  for (const bool with_bias : {false, true}) {
    webnn::GraphBuilder builder(context);
    const auto image = builder.reshape(builder.input("x", float32, {4}), {1, 1, 2, 2});
    const auto filter = builder.constant(float32, {1, 1, 2, 2}, bytes_of({1, 10, 100, 1000}));
    webnn::Conv2dOptions options;
    if (with_bias) options.bias = builder.constant(float32, {1}, bytes_of({0.5f}));
    const auto y = builder.conv2d(image, filter, options);
    CHECK(compute(context, builder, y, {1, 2, 3, 4}) == Floats{with_bias ? 4321.5f : 4321.0f});
  }
}

TEST_CASE("webnn.hpp: a recurrent cell gives hidden and cell state") {
  webnn::Context context(test_options());
  webnn::GraphBuilder builder(context);
  const auto x = builder.reshape(builder.input("x", float32, {2}), {1, 2});
  const auto zeros = [&](const webnn::Dimensions& shape) {
    return builder.expand(builder.constant(float32, 0), shape);
  };
  const auto state = builder.lstmCell(x, zeros({4, 2}), zeros({4, 1}), zeros({1, 1}),
                                      builder.reshape(builder.constant(float32, 2), {1, 1}), 1);
  REQUIRE(state.size() == 2);
  CHECK(compute(context, builder, state[1], {1, 1}) == Floats{1});  // sigmoid(0) * 2
}

TEST_CASE("webnn.hpp: a constant tensor lives on in the graph") {
  webnn::Context context(test_options());
  webnn::GraphBuilder builder(context);
  auto tensor = context.createConstantTensor(float32, {2}, bytes_of({10, 20}));
  CHECK(tensor.constant());
  const auto y = builder.add(builder.input("x", float32, {2}), builder.constant(tensor));
  tensor.destroy();
  CHECK(usage_error_of([&] { builder.constant(tensor); }) == "the tensor is destroyed");
  CHECK(usage_error_of([&] { context.readTensor(tensor); }) == "the tensor is constant");
  CHECK(compute(context, builder, y, {1, 2}) == Floats{11, 22});
}

TEST_CASE("webnn.hpp: wrong calls say what is wrong and add nothing") {
  webnn::Context context(test_options());
  webnn::GraphBuilder builder(context), other(context);
  const auto x = builder.input("x", float32, {2});
  const auto foreign = other.input("x", float32, {2});
  CHECK(usage_error_of([&] { builder.input("x", float32, {2}); }) == "there is already an input 'x'");
  CHECK(usage_error_of([&] { builder.input("", float32, {2}); }) == "an input needs a name");
  CHECK(!usage_error_of([&] { builder.input("zero", float32, {0}); }).empty());
  CHECK(usage_error_of([&] { builder.input("deep", float32, webnn::Dimensions(9, 1)); }) ==
        "a tensor has at most 8 dimensions, not 9");
  CHECK(usage_error_of([&] { builder.constant(float32, {2}, bytes_of({1})); }) == "float32[2] takes 8 bytes, not 4");
  CHECK(usage_error_of([&] { builder.add(x, foreign); }) == "add: an operand belongs to another builder");
  CHECK(usage_error_of([&] { builder.add(x, {}); }).starts_with("add: "));
  CHECK(usage_error_of([&] { builder.softmax(x, 1); }).starts_with("softmax: "));
  CHECK(usage_error_of([&] { builder.matmul(x, x); }).starts_with("matmul: "));
  CHECK(usage_error_of([&] {
          builder.elu(x, {.alpha = std::numeric_limits<double>::quiet_NaN()});
        }).starts_with("elu: "));
  CHECK(usage_error_of([&] { builder.pad(x, {1}, {1}, {.mode = "mirror"}); }).starts_with("pad: "));

  CHECK(usage_error_of([&] { builder.build({}); }) == "a graph needs an output");
  CHECK(usage_error_of([&] { builder.build({{"y", x}}); }) == "output 'y' is an input or a constant");
  CHECK(usage_error_of([&] { builder.build({{"y", foreign}}); }) == "output 'y' belongs to another builder");
  const auto y = builder.neg(x);
  CHECK(compute(context, builder, y, {1, 2}) == Floats{-1, -2});
  CHECK(usage_error_of([&] { builder.neg(x); }) == "the builder has built its graph");
  CHECK(usage_error_of([&] { builder.build({{"y", y}}); }) == "the builder has built its graph");
}

TEST_CASE("webnn.hpp: names of inputs are the caller's, whatever the graph calls its other values") {
  webnn::Context context(test_options());
  webnn::GraphBuilder builder(context);
  const auto one = builder.constant(float32, 1);
  const auto sum = builder.add(one, one);
  const auto constant = builder.input("constant", float32, {1}), add = builder.input("add", float32, {1}),
             x = builder.input("x", float32, {1});
  const webnn::Graph graph = builder.build({{"y", builder.add(builder.add(constant, add), builder.add(sum, x))}});
  const webnn::TensorDescriptor descriptor{float32, {1}, true, true};
  const auto a = context.createTensor(descriptor), b = context.createTensor(descriptor),
             c = context.createTensor(descriptor), y = context.createTensor(descriptor);
  context.writeTensor(a, bytes_of({10}));
  context.writeTensor(b, bytes_of({100}));
  context.writeTensor(c, bytes_of({1000}));
  context.dispatch(graph, {{"constant", a}, {"add", b}, {"x", c}}, {{"y", y}});
  CHECK(elements_of(context.readTensor(y).get()) == Floats{1112});
}

TEST_CASE("webnn.hpp: handles outlive each other in any order") {
  std::future<std::vector<std::byte>> result;
  {
    webnn::Context context(test_options());
    webnn::GraphBuilder builder(context);
    const auto x = context.createTensor({float32, {1}, true, true});
    auto y = std::make_unique<webnn::Tensor>(context.createTensor({float32, {1}, true, false}));
    auto graph = std::make_unique<webnn::Graph>(builder.build({{"y", builder.exp(builder.input("x", float32, {1}))}}));
    context.dispatch(*graph, {{"x", x}}, {{"y", *y}});
    graph.reset();
    result = context.readTensor(*y);
    result.wait();
    y.reset();
  }
  CHECK(elements_of(result.get()) == Floats{1});
}

}  // namespace webnn_test
