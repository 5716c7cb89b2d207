// The caller's memory as tensors: the graph reads a camera frame in place and writes its result where it is wanted, so
// nothing is copied. Then the same through shared memory, as another process would use it.
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>
#include <webnn/webnn.hpp>

namespace {

constexpr webnn::DataType uint8 = webnn::DataType::uint8, float32 = webnn::DataType::float32;
const webnn::Dimensions shape = {8};

/// result = frame / 255, in float32
webnn::Graph normalization(const webnn::Context& context) {
  webnn::GraphBuilder builder(context);
  const webnn::Operand pixels = builder.cast(builder.input("frame", uint8, shape), float32);
  return builder.build({{"result", builder.div(pixels, builder.constant(float32, 255))}});
}

void print(std::span<const float> numbers) {
  for (const float number : numbers) std::printf("%.2f ", number);
  std::printf("\n");
}

}  // namespace

int main() {
  webnn::Context context;
  const webnn::Graph graph = normalization(context);

  std::vector<std::uint8_t> frame = {0, 51, 102, 153, 204, 255, 0, 255};
  std::vector<float> result(8);
  {
    const webnn::Tensor input =
        context.importTensor({.dataType = uint8, .shape = shape}, std::as_writable_bytes(std::span(frame)));
    const webnn::Tensor output =
        context.importTensor({.dataType = float32, .shape = shape}, std::as_writable_bytes(std::span(result)),
                             [] { std::printf("the result's memory is free\n"); });
    context.compute(graph, {{"frame", input}}, {{"result", output}});
    print(result);

    frame[0] = 255;  // the next frame, in place
    context.compute(graph, {{"frame", input}}, {{"result", output}});
    print(result);
  }
  context.wait();

  // An exportable tensor is in shared memory: other processes map its file descriptor, which they can receive through a
  // socket.
  const webnn::Tensor shared = context.createTensor({.dataType = uint8, .shape = shape, .exportable = true});
  const webnn::Tensor output = context.createTensor({.dataType = float32, .shape = shape, .readable = true});
  {
    const webnn::ExportedTensor lent = context.exportTensor(shared).get();
    for (std::byte& pixel : lent.memory()) pixel = std::byte{51};
  }  // given back: work on the tensor continues
  context.dispatch(graph, {{"frame", shared}}, {{"result", output}});
  context.readTensor(output, std::as_writable_bytes(std::span(result))).get();
  print(result);
}
