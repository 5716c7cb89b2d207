// Contexts: the order of operations, what is checked, where errors arrive.
#include "runtime/context.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <future>
#include <memory>
#include <stdexcept>
#include <thread>

#include "schema/error.hpp"
#include "tests/runtime/hand_made.hpp"

namespace context_test {

using namespace webnn;
using namespace webnn::runtime;
using namespace webnn::tests;

namespace {

constexpr OperandDescriptor vector4{DataType::float32, Shape{4}};
constexpr TensorDescriptor read_write{vector4, true, true};

/// A context with y = relu(x + bias) * x loaded, and tensors for it.
struct Loaded {
  explicit Loaded(unsigned threads = 1) {
    auto owned = std::make_unique<ScriptedDevice>();
    device = owned.get();
    context = std::make_unique<Context>(std::move(owned), threads);
    graph = context->load(small_program());
    x = context->create_tensor(read_write);
    y = context->create_tensor(read_write);
  }
  void dispatch() {
    const NamedTensor in[] = {{"x", x}}, out[] = {{"y", y}};
    context->dispatch(graph, in, out);
  }
  std::vector<float> read(TensorId tensor) { return floats_of(context->read(tensor).get()); }

  ScriptedDevice* device;
  std::unique_ptr<Context> context;
  ExecutableId graph;
  TensorId x, y;
};

/// The message of the usage error that `call` throws; empty when it throws none.
template <class Call>
std::string usage_error(Call call) {
  try {
    call();
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::usage);
    return error.what();
  }
  return {};
}

/// Holds the timeline inside its next dispatch until it is opened.
class Gate {
 public:
  explicit Gate(ScriptedDevice& device) {
    device.before_submit = [future = open_.get_future().share()] { future.wait(); };
  }
  void open() { open_.set_value(); }

 private:
  std::promise<void> open_;
};

}  // namespace

TEST_CASE("context: write, dispatch and read happen in the order asked for") {
  Loaded loaded;
  Context& context = *loaded.context;
  std::vector<std::future<std::vector<std::byte>>> results;
  for (int i = 0; i < 50; ++i) {
    const float v = float(i);
    context.write(loaded.x, bytes_of({v, v, v, v}));
    loaded.dispatch();
    results.push_back(context.read(loaded.y));
  }
  for (int i = 0; i < 50; ++i) {
    const float v = float(i), low = v > 1 ? (v - 1) * v : 0, high = (v + 1) * v;
    CHECK(floats_of(results[i].get()) == std::vector<float>{low, high, low, high});
  }
}

TEST_CASE("context: tensors begin as zeros, also in memory that was used before") {
  Loaded loaded;
  Context& context = *loaded.context;
  context.write(loaded.x, bytes_of({1, 2, 3, 4}));
  context.destroy(loaded.x);
  context.wait();
  const int before = loaded.device->allocations;
  const TensorId again = context.create_tensor(read_write);
  CHECK(loaded.device->allocations == before);  // its memory came from the pool
  CHECK(loaded.read(again) == std::vector<float>(4, 0.0f));
}

TEST_CASE("context: a dispatch's result feeds the next dispatch, and inputs are not modified") {
  Loaded loaded;
  Context& context = *loaded.context;
  context.write(loaded.x, bytes_of({2, 3, 4, 5}));
  loaded.dispatch();
  const TensorId z = context.create_tensor(read_write);
  const NamedTensor in[] = {{"x", loaded.y}}, out[] = {{"y", z}};
  context.dispatch(loaded.graph, in, out);
  CHECK(loaded.read(z) == std::vector<float>{2, 156, 132, 930});
  CHECK(loaded.read(loaded.y) == std::vector<float>{2, 12, 12, 30});
  CHECK(loaded.read(loaded.x) == std::vector<float>{2, 3, 4, 5});
}

TEST_CASE("context: read into the caller's memory") {
  Loaded loaded;
  loaded.context->write(loaded.x, bytes_of({1, 2, 3, 4}));
  std::vector<std::byte> memory(16), small(15);
  loaded.context->read(loaded.x, memory).get();
  CHECK(floats_of(memory) == std::vector<float>{1, 2, 3, 4});
  CHECK(usage_error([&] { loaded.context->read(loaded.x, small).get(); }) ==
        "the tensor float32[4] holds 16 bytes, not 15");
}

TEST_CASE("context: compute waits, and says when each step ran") {
  Loaded loaded(2);
  Context& context = *loaded.context;
  context.write(loaded.x, bytes_of({2, 3, -4, 5}));
  const NamedTensor in[] = {{"x", loaded.x}}, out[] = {{"y", loaded.y}};
  context.compute(loaded.graph, in, out);
  CHECK(loaded.read(loaded.y) == std::vector<float>{2, 12, 0, 30});

  std::vector<StepTime> times(3);
  context.compute_timed(context.bind(loaded.graph, in, out), times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    CHECK(times[i].end >= times[i].begin);
    if (i != 0) CHECK(times[i].begin == times[i - 1].end);  // one after another
  }
  CHECK(usage_error([&] { context.compute_timed(context.bind(loaded.graph, in, out), std::span(times).first(2)); }) ==
        "the graph has 3 steps, but there is room for the times of 2");
}

TEST_CASE("context: what was dispatched runs on the timeline's thread, unless a compute's caller comes first") {
  Loaded loaded(2);
  std::vector<std::thread::id> ids;
  loaded.device->before_submit = [&] { ids.push_back(std::this_thread::get_id()); };
  loaded.context->write(loaded.x, bytes_of({2, 3, -4, 5}));
  loaded.dispatch();
  CHECK(loaded.read(loaded.y) == std::vector<float>{2, 12, 0, 30});
  REQUIRE(ids.size() == 1);
  CHECK(ids[0] != std::this_thread::get_id());
}

TEST_CASE("context: a compute runs in its caller's thread, with callbacks for what waited before it") {
  unsigned threads = 0;
  SUBCASE("one thread") { threads = 1; }
  SUBCASE("two threads") { threads = 2; }
  Loaded loaded(threads);
  Context& context = *loaded.context;
  const NamedTensor in[] = {{"x", loaded.x}}, out[] = {{"y", loaded.y}};
  const std::thread::id caller = std::this_thread::get_id();
  int runs = 0, here = 0;
  loaded.device->before_submit = [&] {
    ++runs;
    here += std::this_thread::get_id() == caller;
  };
  // The first ones may still meet the timeline's thread, which loaded the graph.
  while (here == 0 && runs < 10'000) context.compute(loaded.graph, in, out);
  CHECK(here == 1);

  // A callback in whichever thread cannot wait, and what it asks for is not lost.
  std::string refusal;
  std::future<std::vector<std::byte>> asked;
  context.read(loaded.y, [&](std::future<std::vector<std::byte>>) {
    refusal = usage_error([&] { context.wait(); });
    asked = context.read(loaded.y);
  });
  context.compute(loaded.graph, in, out);
  CHECK(refusal == "a callback cannot wait for its own context");
  context.wait();
  CHECK(floats_of(asked.get()).size() == 4);
}

TEST_CASE("context: dispatch does not wait for the run") {
  Loaded loaded;
  Gate gate(*loaded.device);
  loaded.dispatch();
  auto result = loaded.context->read(loaded.y);
  CHECK(result.wait_for(std::chrono::milliseconds(5)) == std::future_status::timeout);
  gate.open();
  result.get();
}

TEST_CASE("context: a failed dispatch fails the reads of its outputs and the dispatches that use them") {
  Loaded loaded;
  Context& context = *loaded.context;
  const TensorId z = context.create_tensor(read_write);
  const NamedTensor in[] = {{"x", loaded.x}}, middle[] = {{"y", loaded.y}}, next[] = {{"x", loaded.y}},
                    out[] = {{"y", z}};

  loaded.device->before_submit = [] { throw Error(ExitCode::device, "the device is lost"); };
  context.dispatch(loaded.graph, in, middle);
  context.wait();
  loaded.device->before_submit = nullptr;
  context.dispatch(loaded.graph, next, out);
  CHECK_THROWS_WITH_AS(context.read(loaded.y).get(), "the device is lost", Error);
  CHECK_THROWS_WITH_AS(context.read(z).get(), "the device is lost", Error);
  CHECK_THROWS_WITH_AS(context.compute(loaded.graph, next, out), "the device is lost", Error);
  CHECK(loaded.read(loaded.x) == std::vector<float>(4, 0.0f));  // others are well

  context.write(loaded.y, bytes_of({1, 1, 1, 1}));  // a new content heals
  context.compute(loaded.graph, next, out);
  CHECK(loaded.read(z) == std::vector<float>{0, 2, 0, 2});
}

TEST_CASE("context: a destroyed tensor finishes its dispatches, fails its waiting reads and takes nothing new") {
  Loaded loaded;
  Context& context = *loaded.context;
  Gate gate(*loaded.device);
  context.write(loaded.x, bytes_of({2, 3, 4, 5}));
  loaded.dispatch();
  auto waiting = context.read(loaded.x);
  auto result = context.read(loaded.y);
  context.destroy(loaded.x);
  context.destroy(loaded.x);  // twice is once
  gate.open();
  CHECK(usage_error([&] { waiting.get(); }) == "the tensor was destroyed before its content was taken");
  CHECK(floats_of(result.get()) == std::vector<float>{2, 12, 12, 30});
  CHECK(usage_error([&] { context.write(loaded.x, bytes_of({1, 2, 3, 4})); }) == "the tensor is destroyed");
  CHECK(usage_error([&] { context.read(loaded.x); }) == "the tensor is destroyed");
  CHECK(usage_error([&] { loaded.dispatch(); }) == "the tensor for 'x' is destroyed");
}

TEST_CASE("context: a destroyed graph finishes its dispatches and takes no new ones") {
  Loaded loaded;
  Context& context = *loaded.context;
  context.write(loaded.x, bytes_of({2, 3, 4, 5}));
  loaded.dispatch();
  context.destroy(loaded.graph);
  CHECK(loaded.read(loaded.y) == std::vector<float>{2, 12, 12, 30});
  CHECK(usage_error([&] { loaded.dispatch(); }) == "the graph is destroyed");
  context.destroy(loaded.graph);
}

TEST_CASE("context: usage flags and sizes are checked") {
  Loaded loaded;
  Context& context = *loaded.context;
  const TensorId silent = context.create_tensor({vector4, false, false});
  CHECK(usage_error([&] { context.write(silent, bytes_of({1, 2, 3, 4})); }) == "the tensor is not writable");
  CHECK(usage_error([&] { context.read(silent); }) == "the tensor is not readable");
  CHECK(usage_error([&] {
          context.write(loaded.x, bytes_of({1, 2, 3}));
        }) == "the tensor float32[4] takes 16 bytes, not 12");
  CHECK(!usage_error([&] { context.create_tensor({{DataType::float32, Shape{0}}, true, true}); }).empty());
  CHECK(context.descriptor(silent) == TensorDescriptor{vector4, false, false});
}

TEST_CASE("context: dispatch checks names, descriptors, doubles and contexts") {
  Loaded loaded, other;
  Context& context = *loaded.context;
  const auto error = [&](std::vector<NamedTensor> in, std::vector<NamedTensor> out) {
    return usage_error([&] { context.dispatch(loaded.graph, in, out); });
  };
  const NamedTensor x{"x", loaded.x}, y{"y", loaded.y};
  CHECK(error({}, {y}) == "no tensor is given for input 'x'");
  CHECK(error({x}, {}) == "no tensor is given for output 'y'");
  CHECK(error({x, {"z", loaded.y}}, {}) == "the graph has no input 'z'");
  CHECK(error({x}, {y, {"w", loaded.x}}) == "the graph has no output 'w'");
  CHECK(error({x, x}, {y}) == "input 'x' is given twice");
  CHECK(error({x}, {{"y", loaded.x}}) == "the tensor for 'y' is bound twice");
  CHECK(error({{"x", other.x}}, {y}) == "the tensor for 'x' belongs to another context");
  CHECK(usage_error([&] { context.dispatch(other.graph, {}, {}); }) == "the graph belongs to another context");

  const TensorId wide = context.create_tensor({{DataType::float32, Shape{5}}, true, true});
  const TensorId integers = context.create_tensor({{DataType::int32, Shape{4}}, true, true});
  CHECK(error({{"x", wide}}, {y}) == "input 'x' is float32[4], the tensor for it is float32[5]");
  CHECK(error({x}, {{"y", integers}}) == "output 'y' is float32[4], the tensor for it is int32[4]");
  CHECK(error({x}, {y}) == "");
}

TEST_CASE("context: an input that the graph does not use may be given or left out") {
  Loaded loaded;
  ProgramMaker maker(4);
  maker.unused_input("idle");
  maker.output("y", maker.unary("neg", maker.input("x")));
  const ExecutableId graph = loaded.context->load(std::move(maker.program));
  const TensorId idle = loaded.context->create_tensor(read_write);
  const NamedTensor some[] = {{"x", loaded.x}}, all[] = {{"idle", idle}, {"x", loaded.x}}, out[] = {{"y", loaded.y}};
  loaded.context->write(loaded.x, bytes_of({1, 2, 3, 4}));
  loaded.context->compute(graph, some, out);
  CHECK(loaded.read(loaded.y) == std::vector<float>{-1, -2, -3, -4});
  loaded.context->compute(graph, all, out);
  CHECK(loaded.read(loaded.y) == std::vector<float>{-1, -2, -3, -4});
}

TEST_CASE("context: may be used from several threads at once") {
  Loaded loaded(2);
  Context& context = *loaded.context;
  std::vector<std::thread> users;
  std::atomic<int> right = 0;
  for (int user = 0; user < 4; ++user)
    users.emplace_back([&, user] {
      const TensorId x = context.create_tensor(read_write), y = context.create_tensor(read_write);
      const NamedTensor in[] = {{"x", x}}, out[] = {{"y", y}};
      for (int i = 0; i < 20; ++i) {
        const float v = float(user * 100 + i + 1);
        context.write(x, bytes_of({v, v, v, v}));
        context.dispatch(loaded.graph, in, out);
        if (floats_of(context.read(y).get())[1] == (v + 1) * v) ++right;
      }
      context.destroy(x);
      context.destroy(y);
    });
  for (std::thread& user : users) user.join();
  CHECK(right == 80);
}

TEST_CASE("context: its end finishes what was asked for") {
  std::future<std::vector<std::byte>> result;
  {
    Loaded loaded;
    loaded.context->write(loaded.x, bytes_of({2, 3, 4, 5}));
    loaded.dispatch();
    result = loaded.context->read(loaded.y);
  }
  CHECK(floats_of(result.get()) == std::vector<float>{2, 12, 12, 30});
}

}  // namespace context_test
