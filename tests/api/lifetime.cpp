// Ends: destroyed contexts, what a callback leaves behind, handles that were moved from.
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "tests/api/webnn_support.hpp"

namespace lifetime_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

constexpr auto ready = std::future_status::ready;

}  // namespace

TEST_CASE("lifetime: a destroyed context says so, and nothing works any more") {
  Context context(test_options());
  const auto lost = context.lost();
  CHECK(lost.wait_for(std::chrono::seconds(0)) != ready);
  const Graph increment = increment_graph(context, {1});
  const Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1});
  const Tensor constant = context.createConstantTensor(float32, {1}, bytes_of<float>({1}));
  const Bindings bindings = context.bind(increment, {{"x", x}}, {{"y", y}});
  CommandEncoder encoder = context.createCommandEncoder();
  const CommandBuffer commands = context.createCommandEncoder().finish();
  GraphBuilder builder(context);
  const Operand input = builder.input("x", float32, {1});

  context.destroy();
  context.destroy();
  CHECK(lost.get().message == "destroy() was called");
  const std::function<void()> calls[] = {
      [&] { tensor_of(context, float32, {1}); },
      [&] { context.createConstantTensor(float32, {1}, bytes_of<float>({1})); },
      [&] { context.writeTensor(x, bytes_of<float>({1})); },
      [&] { context.readTensor(x); },
      [&] { context.exportTensor(x); },
      [&] {
        context.dispatch(increment, {{"x", x}}, {{"y", y}});
      },
      [&] { context.dispatch(bindings); },
      [&] { context.compute(bindings); },
      [&] {
        context.bind(increment, {{"x", x}}, {{"y", y}});
      },
      [&] { context.createCommandEncoder(); },
      [&] { encoder.initializeGraph(increment); },
      [&] { context.submit(commands); },
      [&] { GraphBuilder another(context); },
      [&] { builder.relu(input); },
      [&] { builder.constant(constant); },
  };
  for (const auto& call : calls) CHECK(usage_error_of(call) == "the context is destroyed");
  context.wait();
  Tensor(x).destroy();
  Graph(increment).destroy();
  CHECK(x.shape() == Dimensions{1});
}

TEST_CASE("lifetime: destroying a context fails what is pending") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1});
  const Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1});
  std::promise<void> gate;
  context.readTensor(x, [open = gate.get_future().share()](std::future<std::vector<std::byte>>) { open.wait(); });
  context.dispatch(increment, {{"x", x}}, {{"y", y}});
  auto result = context.readTensor(y);
  auto exported = context.createTensor({float32, {1}, true, true, true});
  auto lent = context.exportTensor(exported);
  context.destroy();
  gate.set_value();
  CHECK(usage_error_of([&] { result.get(); }) == "the context is destroyed");
  CHECK(usage_error_of([&] { lent.get(); }) == "the context is destroyed");
}

TEST_CASE("lifetime: memory that is imported is released when its tensor is destroyed and unused") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1});
  float memory = 0;
  std::atomic<bool> released = false;
  Tensor x =
      context.importTensor({float32, {1}}, std::as_writable_bytes(std::span(&memory, 1)), [&] { released = true; });
  Tensor y = tensor_of(context, float32, {1});
  std::promise<void> gate;
  context.readTensor(y, [open = gate.get_future().share()](std::future<std::vector<std::byte>>) { open.wait(); });
  context.dispatch(increment, {{"x", x}}, {{"y", y}});
  auto result = context.readTensor(y);
  x.destroy();
  CHECK(!released);  // a dispatch still uses it
  gate.set_value();
  CHECK(elements_of(result.get())[0] == 1);
  CHECK(released);

  released = false;
  Tensor idle =
      context.importTensor({float32, {1}}, std::as_writable_bytes(std::span(&memory, 1)), [&] { released = true; });
  idle.destroy();
  CHECK(released);  // at once
}

TEST_CASE("lifetime: what was requested of a tensor is done although its last handle ends") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1});
  float memory = 0;
  std::atomic<bool> released = false;
  std::promise<void> gate;
  std::promise<float> called;
  std::future<std::vector<std::byte>> result;
  {
    const Tensor x = tensor_of(context, float32, {1}), middle = tensor_of(context, float32, {1});
    const Tensor y = context.importTensor({float32, {1}, true}, std::as_writable_bytes(std::span(&memory, 1)),
                                          [&] { released = true; });
    context.readTensor(x, [open = gate.get_future().share()](std::future<std::vector<std::byte>>) { open.wait(); });
    context.dispatch(increment, {{"x", x}}, {{"y", middle}});
    context.dispatch(increment, {{"x", middle}}, {{"y", y}});
    result = context.readTensor(y);
    context.readTensor(middle, [&](auto data) { called.set_value(elements_of(data.get())[0]); });
  }
  CHECK(!released);
  gate.set_value();
  CHECK(elements_of(result.get())[0] == 2);
  CHECK(called.get_future().get() == 1);
  context.wait();
  CHECK(released);
}

TEST_CASE("lifetime: a pending read is answered although the last handles of tensor and context end") {
  std::promise<void> gate;
  std::future<std::vector<std::byte>> result;
  std::thread opens;
  {
    Context context(test_options());
    const Tensor x = tensor_of(context, float32, {1});
    context.writeTensor(x, bytes_of<float>({5}));
    context.readTensor(x, [open = gate.get_future().share()](std::future<std::vector<std::byte>>) { open.wait(); });
    result = context.readTensor(x);
    opens = std::thread([&] { gate.set_value(); });
  }
  CHECK(elements_of(result.get())[0] == 5);
  opens.join();
}

TEST_CASE("lifetime: a context that is destroyed fails the reads of tensors without handles, too") {
  Context context(test_options());
  std::promise<void> gate;
  std::future<std::vector<std::byte>> result;
  {
    const Tensor x = tensor_of(context, float32, {1});
    context.readTensor(x, [open = gate.get_future().share()](std::future<std::vector<std::byte>>) { open.wait(); });
    result = context.readTensor(x);
  }
  context.destroy();
  gate.set_value();
  CHECK(usage_error_of([&] { result.get(); }) == "the context is destroyed");
}

TEST_CASE("lifetime: memory that was written is released without another request") {
  Context context(test_options());
  for (int i = 0; i < 20; ++i) {
    float memory = 0;
    std::promise<void> released;
    Tensor x = context.importTensor({float32, {1}, true, true}, std::as_writable_bytes(std::span(&memory, 1)),
                                    [&] { released.set_value(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // the context's thread sleeps
    context.writeTensor(x, bytes_of<float>({2}));
    x.destroy();
    REQUIRE(released.get_future().wait_for(std::chrono::seconds(20)) == ready);
    CHECK(memory == 2);
  }
}

TEST_CASE("lifetime: whoever is told that memory is released may use the context") {
  Context context(test_options());
  float memory = 0;
  std::vector<Tensor> made;
  Tensor x = context.importTensor({float32, {1}}, std::as_writable_bytes(std::span(&memory, 1)),
                                  [&] { made.push_back(tensor_of(context, float32, {1})); });
  x.destroy();
  CHECK(made.size() == 1);
}

TEST_CASE("lifetime: the last handle to a context may end in its own callback") {
  std::promise<float> result;
  std::shared_future<ContextLostInfo> ended;
  {
    auto context = std::make_unique<Context>(test_options());
    ended = context->lost();
    const Tensor x = tensor_of(*context, float32, {1});
    context->writeTensor(x, bytes_of<float>({5}));
    Context& reference = *context;
    reference.readTensor(x, [&result, x, kept = std::shared_ptr<Context>(std::move(context))](auto data) {
      result.set_value(elements_of(data.get())[0]);
    });
  }
  CHECK(result.get_future().get() == 5);
  // Another thread takes it down, with its device.
  CHECK(ended.get().message == "the last handle to the context ended");
}

TEST_CASE("lifetime: a context is lost when its last handle has ended, whichever it is") {
  std::shared_future<ContextLostInfo> lost;
  {
    auto context = std::make_unique<Context>(test_options());
    lost = context->lost();
    const Tensor x = tensor_of(*context, float32, {1});
    context = nullptr;
    CHECK(lost.wait_for(std::chrono::seconds(0)) != ready);  // the tensor needs it
  }
  CHECK(lost.get().message == "the last handle to the context ended");
  {
    Context context(test_options());
    lost = context.lost();
    context.destroy();
  }
  CHECK(lost.get().message == "destroy() was called");
}

TEST_CASE("lifetime: every use of a handle that was moved from is an error") {
  Context context(test_options());
  Graph graph = increment_graph(context, {1});
  Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1});
  Tensor shared = context.createTensor({float32, {1}, true, true, true});
  Bindings bindings = context.bind(graph, {{"x", x}}, {{"y", y}});
  CommandEncoder encoder = context.createCommandEncoder();
  CommandBuffer commands = context.createCommandEncoder().finish();
  ExportedTensor exported = context.exportTensor(shared).get();
  GraphBuilder builder(context);
  Operand operand = builder.input("x", float32, {1});

  Context live = std::move(context);
  const Graph live_graph = std::move(graph);
  const Tensor live_tensor = std::move(x);
  const Bindings live_bindings = std::move(bindings);
  const CommandEncoder live_encoder = std::move(encoder);
  const CommandBuffer live_commands = std::move(commands);
  const ExportedTensor live_exported = std::move(exported);
  const Operand live_operand = std::move(operand);

  struct Case {
    const char* message;
    std::function<void()> call;
  };
  const Case cases[] = {
      {"the tensor is empty", [&] { x.dataType(); }},
      {"the tensor is empty", [&] { x.shape(); }},
      {"the tensor is empty", [&] { x.readable(); }},
      {"the tensor is empty", [&] { x.writable(); }},
      {"the tensor is empty", [&] { x.constant(); }},
      {"the tensor is empty", [&] { x.destroy(); }},
      {"the tensor is empty", [&] { live.writeTensor(x, {}); }},
      {"the tensor is empty", [&] { live.readTensor(x); }},
      {"the tensor is empty", [&] { live.exportTensor(x); }},
      {"the tensor is empty",
       [&] {
         live.dispatch(live_graph, {{"x", x}}, {{"y", y}});
       }},
      {"the tensor is empty",
       [&] {
         live.compute(live_graph, {{"x", x}}, {{"y", y}});
       }},
      {"the tensor is empty",
       [&] {
         live.bind(live_graph, {{"x", x}}, {{"y", y}});
       }},
      {"the tensor is empty", [&] { builder.constant(x); }},
      {"the graph is empty", [&] { graph.destroy(); }},
      {"the graph is empty", [&] { graph.inputs(); }},
      {"the graph is empty", [&] { graph.outputs(); }},
      {"the graph is empty", [&] { live.dispatch(graph, {}, {}); }},
      {"the graph is empty", [&] { live.compute(graph, {}, {}); }},
      {"the graph is empty", [&] { live.bind(graph, {}, {}); }},
      {"the graph is empty", [&] { live.createCommandEncoder().initializeGraph(graph); }},
      {"the bindings are empty", [&] { live.dispatch(bindings); }},
      {"the bindings are empty", [&] { live.compute(bindings); }},
      {"the command buffer is empty", [&] { live.submit(commands); }},
      {"the encoder is finished", [&] { encoder.finish(); }},
      {"the encoder is finished", [&] { encoder.initializeGraph(live_graph); }},
      {"the encoder is finished", [&] { encoder.dispatch(live_graph, {}, {}); }},
      {"the exported tensor is closed", [&] { exported.memory(); }},
      {"the exported tensor is closed", [&] { exported.fileDescriptor(); }},
      {"the context is empty", [&] { context.createTensor({}); }},
      {"the context is empty", [&] { context.createConstantTensor(float32, {}, {}); }},
      {"the context is empty", [&] { context.importTensor({}, std::span<std::byte>()); }},
      {"the context is empty", [&] { context.importTensor({}, 0); }},
      {"the context is empty", [&] { context.exportTensor(shared); }},
      {"the context is empty", [&] { context.writeTensor(y, {}); }},
      {"the context is empty", [&] { context.readTensor(y); }},
      {"the context is empty", [&] { context.dispatch(live_graph, {}, {}); }},
      {"the context is empty", [&] { context.dispatch(live_bindings); }},
      {"the context is empty", [&] { context.compute(live_graph, {}, {}); }},
      {"the context is empty", [&] { context.compute(live_bindings); }},
      {"the context is empty", [&] { context.bind(live_graph, {}, {}); }},
      {"the context is empty", [&] { context.createCommandEncoder(); }},
      {"the context is empty", [&] { context.submit(live_commands); }},
      {"the context is empty", [&] { context.wait(); }},
      {"the context is empty", [&] { context.destroy(); }},
      {"the context is empty", [&] { context.lost(); }},
      {"the context is empty", [&] { context.opSupportLimits(); }},
      {"the context is empty", [&] { GraphBuilder another(context); }},
  };
  for (const Case& wrong : cases) CHECK(usage_error_of(wrong.call) == wrong.message);
  exported.close();
  CHECK(!usage_error_of([&] { builder.relu(operand); }).empty());
  CHECK(!usage_error_of([&] { builder.build({{"y", operand}}); }).empty());
}

}  // namespace lifetime_test
