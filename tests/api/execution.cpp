// The ways to run a graph: dispatch and read, compute, callbacks, bindings, recorded commands.
#include <cstdint>
#include <future>
#include <utility>

#include "tests/api/webnn_support.hpp"
#include "tests/harness/machine/allocation_counter.hpp"
#include "tests/harness/skip.hpp"

namespace execution_test {

using namespace webnn;
using namespace webnn::tests;

TEST_CASE("execution: forty dispatches that feed each other, then one read") {
  Context context(test_options());
  const Graph add = add_graph(context, DataType::int32, {1});
  Tensor a = tensor_of(context, DataType::int32, {1}), b = tensor_of(context, DataType::int32, {1}),
         c = tensor_of(context, DataType::int32, {1});
  context.writeTensor(b, bytes_of<std::int32_t>({1}));
  for (int i = 0; i < 40; ++i) {  // Fibonacci numbers
    context.dispatch(add, {{"a", a}, {"b", b}}, {{"c", c}});
    std::swap(a, b);
    std::swap(b, c);
  }
  CHECK(elements_of<std::int32_t>(context.readTensor(b).get())[0] == 165580141);
}

TEST_CASE("execution: several graphs on the same tensors need no wait") {
  Context context(test_options());
  const Graph add = add_graph(context, float32, {2}), increment = increment_graph(context, {2});
  const Tensor x = tensor_of(context, float32, {2}), y = tensor_of(context, float32, {2}),
               z = tensor_of(context, float32, {2});
  context.writeTensor(x, bytes_of<float>({1, 2}));
  context.dispatch(increment, {{"x", x}}, {{"y", y}});      // y = x + 1
  context.dispatch(add, {{"a", x}, {"b", y}}, {{"c", z}});  // z = 2x + 1
  context.dispatch(increment, {{"x", z}}, {{"y", x}});      // x = 2x + 2
  context.dispatch(add, {{"a", x}, {"b", z}}, {{"c", y}});  // y = 4x + 3
  CHECK(elements_of(context.readTensor(y).get()) == std::vector<float>{7, 11});
  CHECK(elements_of(context.readTensor(x).get()) == std::vector<float>{4, 6});
}

TEST_CASE("execution: compute returns when the outputs are there") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1});
  const Tensor x = tensor_of(context, float32, {1});
  std::vector<float> y(1);
  const Tensor out = context.importTensor({float32, {1}}, std::as_writable_bytes(std::span(y)));
  context.writeTensor(x, bytes_of<float>({41}));
  context.compute(increment, {{"x", x}}, {{"y", out}});
  CHECK(y[0] == 42);
}

TEST_CASE("execution: a read calls back") {
  Context context(test_options());
  const Tensor x = tensor_of(context, float32, {1});
  context.writeTensor(x, bytes_of<float>({3}));
  std::promise<float> first;
  context.readTensor(x, [&](std::future<std::vector<std::byte>> data) { first.set_value(elements_of(data.get())[0]); });
  CHECK(first.get_future().get() == 3);

  std::promise<bool> second;
  float memory = 0;
  context.readTensor(x, std::as_writable_bytes(std::span(&memory, 1)), [&](std::future<void> done) {
    done.get();
    second.set_value(true);
  });
  CHECK(second.get_future().get());
  CHECK(memory == 3);
  CHECK(usage_error_of([&] { context.readTensor(x, nullptr); }) == "the callback is empty");
}

TEST_CASE("execution: a callback may ask for more but not wait") {
  Context context(test_options());
  const Tensor x = tensor_of(context, float32, {1});
  const Graph increment = increment_graph(context, {1});
  const Tensor y = tensor_of(context, float32, {1});
  std::promise<std::pair<std::string, std::string>> errors;
  std::promise<float> result;
  context.readTensor(x, [&](std::future<std::vector<std::byte>>) {
    errors.set_value({usage_error_of([&] { context.wait(); }), usage_error_of([&] {
                        context.compute(increment, {{"x", x}}, {{"y", y}});
                      })});
    context.dispatch(increment, {{"x", x}}, {{"y", y}});
    context.readTensor(y,
                       [&](std::future<std::vector<std::byte>> data) { result.set_value(elements_of(data.get())[0]); });
  });
  const auto [wait, compute] = errors.get_future().get();
  CHECK(wait == "a callback cannot wait for its own context");
  CHECK(compute == wait);
  CHECK(result.get_future().get() == 1);
}

TEST_CASE("execution: a failing read calls back with the error") {
  Context context(test_options());
  const Tensor held = context.createTensor({float32, {1}, true, true, true});
  const Tensor x = tensor_of(context, float32, {1});
  const Graph increment = increment_graph(context, {1});
  ExportedTensor exported = context.exportTensor(held).get();
  context.dispatch(increment, {{"x", held}}, {{"y", x}});  // waits for the exported tensor
  std::promise<std::string> message;
  context.readTensor(
      x, [&](std::future<std::vector<std::byte>> data) { message.set_value(usage_error_of([&] { data.get(); })); });
  Tensor(x).destroy();
  exported.close();
  CHECK(message.get_future().get() == "the tensor was destroyed before its content was taken");
}

TEST_CASE("execution: every wrong binding is an error") {
  Context context(test_options()), other(test_options());
  const Graph add = add_graph(context, float32, {2});
  const Tensor a = tensor_of(context, float32, {2}), b = tensor_of(context, float32, {2}),
               c = tensor_of(context, float32, {2}), foreign = tensor_of(other, float32, {2}),
               wide = tensor_of(context, float32, {3}), integers = tensor_of(context, DataType::int32, {2});
  Tensor dead = tensor_of(context, float32, {2});
  dead.destroy();
  const Tensor constant = context.createConstantTensor(float32, {2}, bytes_of<float>({1, 2}));
  struct Case {
    const char* message;
    NamedTensors inputs, outputs;
  };
  const Case cases[] = {
      {"no tensor is given for input 'b'", {{"a", a}}, {{"c", c}}},
      {"no tensor is given for output 'c'", {{"a", a}, {"b", b}}, {}},
      {"the graph has no input 'd'", {{"a", a}, {"b", b}, {"d", c}}, {{"c", c}}},
      {"the graph has no output 'd'", {{"a", a}, {"b", b}}, {{"c", c}, {"d", wide}}},
      {"input 'b' is float32[2], the tensor for it is float32[3]", {{"a", a}, {"b", wide}}, {{"c", c}}},
      {"input 'b' is float32[2], the tensor for it is int32[2]", {{"a", a}, {"b", integers}}, {{"c", c}}},
      {"output 'c' is float32[2], the tensor for it is float32[3]", {{"a", a}, {"b", b}}, {{"c", wide}}},
      {"the tensor for 'a' belongs to another context", {{"a", foreign}, {"b", b}}, {{"c", c}}},
      {"the tensor for 'c' belongs to another context", {{"a", a}, {"b", b}}, {{"c", foreign}}},
      {"the tensor for 'b' is bound twice", {{"a", a}, {"b", a}}, {{"c", c}}},
      {"the tensor for 'c' is bound twice", {{"a", a}, {"b", b}}, {{"c", b}}},
      {"the tensor for 'a' is destroyed", {{"a", dead}, {"b", b}}, {{"c", c}}},
      {"the tensor for 'c' is destroyed", {{"a", a}, {"b", b}}, {{"c", dead}}},
      {"the tensor is constant", {{"a", constant}, {"b", b}}, {{"c", c}}},
      {"the tensor is constant", {{"a", a}, {"b", b}}, {{"c", constant}}},
  };
  for (const Case& wrong : cases) {
    CHECK(usage_error_of([&] { context.dispatch(add, wrong.inputs, wrong.outputs); }) == wrong.message);
    CHECK(usage_error_of([&] { context.compute(add, wrong.inputs, wrong.outputs); }) == wrong.message);
    CHECK(usage_error_of([&] { context.bind(add, wrong.inputs, wrong.outputs); }) == wrong.message);
  }
  CHECK(usage_error_of([&] { other.dispatch(add, {}, {}); }) == "the graph belongs to another context");

  GraphBuilder builder(context);
  const Operand x = builder.input("x", float32, {2});
  const Graph two = builder.build({{"y", builder.neg(x)}, {"z", builder.exp(x)}});
  CHECK(usage_error_of([&] {
          context.dispatch(two, {{"x", a}}, {{"y", b}, {"z", b}});
        }) == "the tensor for 'z' is bound twice");
}

TEST_CASE("execution: a remembered dispatch is not taken for another") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1}), longer = increment_graph(context, {2});
  const Tensor x = tensor_of(context, float32, {1});
  for (int i = 0; i < 600; ++i) {  // more than are remembered
    Tensor y = tensor_of(context, float32, {1});
    const NamedTensors inputs{{"x", x}}, outputs{{"y", y}};
    context.dispatch(increment, inputs, outputs);
    CHECK(!usage_error_of([&] { context.dispatch(longer, inputs, outputs); }).empty());
    CHECK(!usage_error_of([&] { context.dispatch(increment, outputs, inputs); }).empty());
    CHECK(elements_of(context.readTensor(y).get())[0] == 1);
    y.destroy();
    CHECK(usage_error_of([&] { context.dispatch(increment, inputs, outputs); }) == "the tensor for 'y' is destroyed");
  }
}

TEST_CASE("execution: bindings are checked once and dispatched often") {
  Context context(test_options());
  Graph increment = increment_graph(context, {1});
  Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1});
  CHECK(usage_error_of([&] { context.bind(increment, {{"x", x}}, {}); }) == "no tensor is given for output 'y'");
  CHECK(usage_error_of([&] {
          context.bind(increment, {{"x", x}}, {{"y", x}});
        }) == "the tensor for 'y' is bound twice");
  const Bindings forward = context.bind(increment, {{"x", x}}, {{"y", y}});
  const Bindings back = context.bind(increment, {{"x", y}}, {{"y", x}});
  for (int i = 0; i < 10; ++i) {
    context.dispatch(forward);
    context.dispatch(back);
  }
  context.compute(forward);
  CHECK(elements_of(context.readTensor(y).get())[0] == 21);

  Context other(test_options());
  CHECK(usage_error_of([&] { other.dispatch(forward); }) == "the graph belongs to another context");
  y.destroy();
  CHECK(usage_error_of([&] { context.dispatch(forward); }) == "the tensor for 'y' is destroyed");
  CHECK(usage_error_of([&] { context.dispatch(back); }) == "the tensor for 'x' is destroyed");
  increment.destroy();
  CHECK(usage_error_of([&] { context.dispatch(forward); }) == "the graph is destroyed");
}

TEST_CASE("execution: bindings keep their tensors and their graph") {
  Context context(test_options());
  const Tensor y = tensor_of(context, float32, {1});
  const Bindings bindings =
      context.bind(increment_graph(context, {1}), {{"x", tensor_of(context, float32, {1})}}, {{"y", y}});
  context.dispatch(bindings);
  CHECK(elements_of(context.readTensor(y).get())[0] == 1);
}

TEST_CASE("execution: recorded commands are submitted as often as wanted") {
  Context context(test_options());
  const Graph increment = increment_graph(context, {1}), add = add_graph(context, float32, {1});
  const Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1}),
               z = tensor_of(context, float32, {1});
  CommandEncoder encoder = context.createCommandEncoder();
  encoder.initializeGraph(increment);
  encoder.initializeGraph(add);
  encoder.dispatch(increment, {{"x", x}}, {{"y", y}});
  encoder.dispatch(add, {{"a", x}, {"b", y}}, {{"c", z}});
  encoder.dispatch(increment, {{"x", z}}, {{"y", x}});  // x = 2x + 2
  const CommandBuffer commands = encoder.finish();
  CHECK(elements_of(context.readTensor(x).get())[0] == 0);  // recording runs nothing
  for (int i = 0; i < 4; ++i) context.submit(commands);
  CHECK(elements_of(context.readTensor(x).get())[0] == 30);
  context.writeTensor(x, bytes_of<float>({10}));
  context.submit(commands);
  CHECK(elements_of(context.readTensor(x).get())[0] == 22);
}

TEST_CASE("execution: recording is checked") {
  Context context(test_options()), other(test_options());
  Graph increment = increment_graph(context, {1});
  const Tensor x = tensor_of(context, float32, {1}), foreign = tensor_of(other, float32, {1});
  Tensor y = tensor_of(context, float32, {1});
  CommandEncoder encoder = context.createCommandEncoder();
  const auto record = [&](const NamedTensors& inputs, const NamedTensors& outputs) {
    return usage_error_of([&] { encoder.dispatch(increment, inputs, outputs); });
  };
  CHECK(record({{"x", x}}, {{"y", y}}) == "the graph is not initialized");
  encoder.initializeGraph(increment);
  CHECK(usage_error_of([&] { encoder.initializeGraph(increment); }) == "the graph is initialized already");
  CHECK(usage_error_of([&] { other.createCommandEncoder().initializeGraph(increment); }) ==
        "the graph belongs to another context");
  CHECK(record({{"x", foreign}}, {{"y", y}}) == "the tensor for 'x' belongs to another context");
  CHECK(record({{"x", x}}, {{"y", x}}) == "the tensor for 'y' is bound twice");
  CHECK(record({{"x", x}}, {{"y", y}}) == "");
  const CommandBuffer commands = encoder.finish();
  CHECK(usage_error_of([&] { encoder.finish(); }) == "the encoder is finished");
  CHECK(record({{"x", x}}, {{"y", y}}) == "the encoder is finished");
  CHECK(usage_error_of([&] { other.submit(commands); }) == "the command buffer belongs to another context");
  context.submit(commands);
  CHECK(elements_of(context.readTensor(y).get())[0] == 1);
  y.destroy();
  CHECK(usage_error_of([&] { context.submit(commands); }) == "the tensor for 'y' is destroyed");
  increment.destroy();
  CHECK(usage_error_of([&] { context.submit(commands); }) == "the graph is destroyed");
}

TEST_CASE("execution: graphs of one operator agree, whether their tensors keep the kernels' layouts or not") {
  Context context(test_options());
  const Dimensions shape{1, 16, 10, 12};
  std::vector<float> weights(16 * 16 * 9), image(16 * 10 * 12);  // small whole numbers: every order of sums is exact
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = float(int(i * 7 % 5) - 2);
  for (std::size_t i = 0; i < image.size(); ++i) image[i] = float(int(i * 5 % 7) - 3);
  std::vector<std::vector<std::byte>> results[2];
  for (const bool keep_layouts : {false, true}) {
    const BuildOptions options{.keepLayouts = keep_layouts};
    GraphBuilder conv_builder(context), pool_builder(context);
    const Operand filter = conv_builder.constant(float32, {16, 16, 3, 3}, bytes_of(weights));
    const Operand y = conv_builder.conv2d(conv_builder.input("x", float32, shape), filter, {.padding = {{1, 1, 1, 1}}});
    const Graph conv = conv_builder.build({{"y", y}}, options);
    const Graph pool = pool_builder.build(
        {{"y", pool_builder.maxPool2d(pool_builder.input("x", float32, shape), {.windowDimensions = {{2, 2}}})}},
        options);
    std::vector<float> memory(16 * 10 * 12);
    const Tensor x = tensor_of(context, float32, shape), a = tensor_of(context, float32, shape),
                 b = context.importTensor({float32, shape, true, true}, std::as_writable_bytes(std::span(memory))),
                 c = tensor_of(context, float32, {1, 16, 9, 11});
    context.writeTensor(x, bytes_of(image));
    context.dispatch(conv, {{"x", x}}, {{"y", a}});
    context.dispatch(conv, {{"x", a}}, {{"y", b}});
    context.dispatch(pool, {{"x", b}}, {{"y", c}});
    for (const Tensor& tensor : {x, a, b, c}) results[keep_layouts].push_back(context.readTensor(tensor).get());
    CHECK(elements_of(results[keep_layouts][2]) == memory);
  }
  CHECK(results[0] == results[1]);
}

TEST_CASE("execution: repeated dispatches allocate nothing") {
  if (!allocations_are_counted()) return skip("a sanitizer has its own operator new");
  Context context(test_options(1));
  const Graph increment = increment_graph(context, {1});
  const Tensor x = tensor_of(context, float32, {1}), y = tensor_of(context, float32, {1});
  const Bindings bindings = context.bind(increment, {{"x", x}}, {{"y", y}});
  const NamedTensors inputs{{"x", x}}, outputs{{"y", y}};
  CommandEncoder encoder = context.createCommandEncoder();
  encoder.initializeGraph(increment);
  for (int i = 0; i < 100; ++i) encoder.dispatch(increment, inputs, outputs);
  const CommandBuffer commands = encoder.finish();
  const auto work = [&](int times) {
    for (int i = 0; i < times; ++i) context.dispatch(bindings);
    for (int i = 0; i < times; ++i) context.dispatch(increment, inputs, outputs);
    for (int i = 0; i < times; ++i) context.submit(commands);
  };
  // The queue grows to its longest while the context's thread is held up; from then on nothing is new. When it is held
  // up, it has given back what the earlier work took, which it need not have done when wait returns: the first two
  // times there is more work, so that enough is left for what follows the thread's release.
  for (const int times : {1100, 1100, 1000}) {
    const bool is_measured = times == 1000;
    std::promise<void> reached, gate;
    context.readTensor(x, [&reached, open = gate.get_future().share()](std::future<std::vector<std::byte>>) {
      reached.set_value();
      open.wait();
    });
    reached.get_future().wait();  // or the thread would take a part of the work along
    const AllocationCounter counter;
    work(times);
    gate.set_value();
    for (int i = 0; i < 10; ++i) context.compute(bindings);
    context.wait();
    if (is_measured) CHECK(counter.everywhere() == 0);
  }
}

}  // namespace execution_test
