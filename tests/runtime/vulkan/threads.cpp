// Several threads at one GPU: graphs end while others are recorded for the first time.
#include <doctest/doctest.h>
#include <span>
#include <thread>
#include <vector>

#include "api/webnn.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace webnn::tests::threads_test {
namespace {

namespace w = ::webnn;

/// Some dispatches, the more the longer the recording takes.
w::Graph chain(const w::Context& context, int length) {
  w::GraphBuilder builder(context);
  const w::Operand x = builder.input("x", w::DataType::float32, {4});
  w::Operand y = builder.mul(x, x);
  for (int i = 0; i < length; ++i) {
    y = builder.reduceSum(builder.mul(y, x), {.keepDimensions = true});
    y = builder.add(y, x);
  }
  return builder.build({{"y", y}});
}

}  // namespace

TEST_CASE("vulkan threads: a graph is destroyed while another one is recorded") {
  if (!open_test_gpu()) return;
  w::Context context({.device = "gpu", .threads = 1, .gpuValidation = true});
  const w::Tensor in = context.createTensor({.dataType = w::DataType::float32, .shape = {4}, .writable = true});
  const w::Tensor out = context.createTensor({.dataType = w::DataType::float32, .shape = {4}, .readable = true});
  const std::vector<float> values{1, 2, 3, 4};
  std::vector<float> result(4);
  context.writeTensor(in, std::as_bytes(std::span(values)));
  const auto read = [&] { context.readTensor(out, std::as_writable_bytes(std::span(result))).get(); };
  for (int round = 0; round < 6; ++round) {
    std::vector<w::Graph> old, fresh;
    for (int i = 0; i < 8; ++i) old.push_back(chain(context, 3));
    for (w::Graph& graph : old) context.dispatch(graph, {{"x", in}}, {{"y", out}});
    read();
    for (int i = 0; i < 8; ++i) fresh.push_back(chain(context, 20));
    for (w::Graph& graph : fresh) context.dispatch(graph, {{"x", in}}, {{"y", out}});  // another thread records these
    for (w::Graph& graph : old) graph.destroy();
    CHECK_NOTHROW(read());
  }
}

}  // namespace webnn::tests::threads_test
