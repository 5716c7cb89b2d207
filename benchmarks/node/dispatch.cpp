// What a dispatch of a tiny graph costs in C++, for dispatch.mjs: prints the microseconds of a call, and those until its
// work has ended, as JSON.
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "api/webnn.hpp"

int main() {
  using Clock = std::chrono::steady_clock;
  constexpr int dispatches = 500, rounds = 200;
  webnn::Context context({.threads = 1});
  webnn::GraphBuilder builder(context);
  const webnn::Operand x = builder.input("x", webnn::DataType::float32, {4});
  const webnn::Graph graph = builder.build({{"y", builder.relu(x)}});
  const webnn::Tensor input = context.createTensor({.shape = {4}, .writable = true});
  const webnn::Tensor output = context.createTensor({.shape = {4}, .readable = true});
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / dispatches;
  };
  double call = 1e300, end = 1e300;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < dispatches; ++i) context.dispatch(graph, {{"x", input}}, {{"y", output}});
    call = std::min(call, since(begin));
    context.readTensor(output).get();
    end = std::min(end, since(begin));
  }
  std::printf("{\"call\": %.3f, \"end\": %.3f}\n", call, end);
}
