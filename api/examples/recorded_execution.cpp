// Work recorded once and submitted many times: each submission is a hundred iterations of Newton's method for square
// roots, which were checked only while they were recorded.
#include <cstdio>
#include <span>
#include <vector>
#include <webnn/webnn.hpp>

namespace {

constexpr webnn::DataType float32 = webnn::DataType::float32;
const webnn::Dimensions shape = {4};

/// next = (root + square / root) / 2
webnn::Graph newton_step(const webnn::Context& context) {
  webnn::GraphBuilder builder(context);
  const webnn::Operand square = builder.input("square", float32, shape);
  const webnn::Operand root = builder.input("root", float32, shape);
  const webnn::Operand sum = builder.add(root, builder.div(square, root));
  return builder.build({{"next", builder.mul(sum, builder.constant(float32, 0.5))}});
}

}  // namespace

int main() {
  webnn::Context context;
  const webnn::Graph step = newton_step(context);
  const webnn::TensorDescriptor descriptor{.dataType = float32, .shape = shape, .readable = true, .writable = true};
  const webnn::Tensor square = context.createTensor(descriptor), root = context.createTensor(descriptor),
                      next = context.createTensor(descriptor);

  webnn::CommandEncoder encoder = context.createCommandEncoder();
  encoder.initializeGraph(step);
  for (int i = 0; i < 50; ++i) {  // the result of a pair of iterations is in `root` again
    encoder.dispatch(step, {{"square", square}, {"root", root}}, {{"next", next}});
    encoder.dispatch(step, {{"square", square}, {"root", next}}, {{"next", root}});
  }
  const webnn::CommandBuffer hundred_steps = encoder.finish();

  const std::vector<float> ones(4, 1);
  for (const std::vector<float>& numbers : {std::vector<float>{1, 4, 9, 16}, std::vector<float>{2, 3, 5, 10000}}) {
    context.writeTensor(square, std::as_bytes(std::span(numbers)));
    context.writeTensor(root, std::as_bytes(std::span(ones)));
    context.submit(hundred_steps);
    std::vector<float> roots(4);
    context.readTensor(root, std::as_writable_bytes(std::span(roots))).get();
    for (const float value : roots) std::printf("%g ", value);
    std::printf("\n");
  }
}
