// Two graphs that share a tensor: the first computes it, the second uses it. The intermediate numbers never leave the
// context, and nothing waits for them.
#include <cstdio>
#include <span>
#include <vector>
#include <webnn/webnn.hpp>

namespace {

constexpr webnn::DataType float32 = webnn::DataType::float32;
const webnn::Dimensions shape = {4};

/// y = x * x
webnn::Graph square(const webnn::Context& context) {
  webnn::GraphBuilder builder(context);
  const webnn::Operand x = builder.input("x", float32, shape);
  return builder.build({{"y", builder.mul(x, x)}});
}

/// share = x / sum of x
webnn::Graph shares(const webnn::Context& context) {
  webnn::GraphBuilder builder(context);
  const webnn::Operand x = builder.input("x", float32, shape);
  return builder.build({{"share", builder.div(x, builder.reduceSum(x, {.keepDimensions = true}))}});
}

}  // namespace

int main() {
  webnn::Context context;
  const webnn::Graph first = square(context), second = shares(context);

  const webnn::Tensor input = context.createTensor({.dataType = float32, .shape = shape, .writable = true});
  const webnn::Tensor between = context.createTensor({.dataType = float32, .shape = shape});
  const webnn::Tensor output = context.createTensor({.dataType = float32, .shape = shape, .readable = true});

  const std::vector<float> numbers = {1, 2, 3, 4};
  context.writeTensor(input, std::as_bytes(std::span(numbers)));
  context.dispatch(first, {{"x", input}}, {{"y", between}});
  context.dispatch(second, {{"x", between}}, {{"share", output}});

  std::vector<float> result(numbers.size());
  context.readTensor(output, std::as_writable_bytes(std::span(result))).get();
  for (const float share : result) std::printf("%.4f\n", share);
}
