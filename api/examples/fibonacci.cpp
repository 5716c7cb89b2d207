// One graph that adds two tensors, run repeatedly on its own results. Each sum overwrites the older summand, so nothing
// is copied, and nothing waits until the end.
#include <array>
#include <cstdint>
#include <cstdio>
#include <span>
#include <webnn/webnn.hpp>

int main() {
  constexpr webnn::DataType type = webnn::DataType::uint64;
  webnn::Context context;

  webnn::GraphBuilder builder(context);
  const webnn::Operand older = builder.input("older", type, {});
  const webnn::Operand newer = builder.input("newer", type, {});
  const webnn::Graph graph = builder.build({{"sum", builder.add(older, newer)}});

  // Three tensors rotate: two summands and their sum.
  const webnn::TensorDescriptor scalar{.dataType = type, .readable = true, .writable = true};
  std::array<webnn::Tensor, 3> tensors{context.createTensor(scalar), context.createTensor(scalar),
                                       context.createTensor(scalar)};
  const std::uint64_t one = 1;  // tensors begin as zero: 0, 1
  context.writeTensor(tensors[1], std::as_bytes(std::span(&one, 1)));

  // All dispatches for F(2) to F(90) are submitted at once; the context runs them in order.
  constexpr int last = 90;
  for (int i = 2; i <= last; ++i)
    context.dispatch(graph, {{"older", tensors[(i - 2) % 3]}, {"newer", tensors[(i - 1) % 3]}},
                     {{"sum", tensors[i % 3]}});

  std::uint64_t result = 0;
  context.readTensor(tensors[last % 3], std::as_writable_bytes(std::span(&result, 1))).get();
  std::printf("F(%d) = %llu\n", last, static_cast<unsigned long long>(result));
}
