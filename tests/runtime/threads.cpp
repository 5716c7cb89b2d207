// One context, several threads: nothing is lost, and each tensor's operations happen in the order asked for. Meant for
// the thread sanitizer, too.
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <thread>

#include "runtime/context.hpp"
#include "schema/error.hpp"
#include "tests/runtime/hand_made.hpp"

namespace threads_test {

using namespace webnn;
using namespace webnn::runtime;
using namespace webnn::tests;

namespace {

constexpr TensorDescriptor scalar_tensor{{DataType::float32, Shape{1}}, true, true};

/// y = x + 1 of one element.
Program increment() {
  ProgramMaker maker(1);
  maker.output("y", maker.binary("add", maker.input("x"), maker.constant({1})));
  return std::move(maker.program);
}

/// Counts to 5,000 by dispatches between two tensors that it replaces now and then, and reads what it has counted.
/// Every dispatch is an operation; returns how many reads were right.
int count(Context& context, ExecutableId graph, int user) {
  constexpr int dispatches = 5000, every_read = 50, every_new = 70;
  int right = 0;
  TensorId from = context.create_tensor(scalar_tensor), to = context.create_tensor(scalar_tensor);
  std::vector<std::pair<int, std::future<std::vector<std::byte>>>> reads;
  const auto collect = [&] {
    for (auto& [expected, data] : reads) right += floats_of(data.get()) == std::vector<float>{float(expected)};
    reads.clear();
  };
  for (int i = 1; i <= dispatches; ++i) {
    const NamedTensor in[] = {{"x", from}}, out[] = {{"y", to}};
    context.dispatch(graph, in, out);
    std::swap(from, to);
    if (i % every_read == 0) reads.emplace_back(i, context.read(from));
    if (i % every_new == user) {
      collect();  // a pending read would fail
      context.destroy(to);
      to = context.create_tensor(scalar_tensor);
    }
  }
  collect();
  context.destroy(from);
  context.destroy(to);
  return right;
}

}  // namespace

TEST_CASE("threads: two threads dispatch, read and destroy on one context, 10,000 dispatches") {
  Context context(std::make_unique<CpuDevice>(Feature::none), 2);
  const ExecutableId graph = context.load(increment());
  int right[2] = {};
  std::thread other([&] { right[1] = count(context, graph, 1); });
  right[0] = count(context, graph, 0);
  other.join();
  CHECK(right[0] == 100);
  CHECK(right[1] == 100);
}

TEST_CASE("threads: two threads compute while a third dispatches, on a context of one thread") {
  Context context(std::make_unique<CpuDevice>(Feature::none), 1);
  const ExecutableId graph = context.load(increment());
  const auto compute = [&](int& right) {
    TensorId from = context.create_tensor(scalar_tensor), to = context.create_tensor(scalar_tensor);
    for (int i = 1; i <= 1000; ++i) {
      const NamedTensor in[] = {{"x", from}}, out[] = {{"y", to}};
      context.compute(graph, in, out);
      std::swap(from, to);
      if (i % 50 == 0) right += floats_of(context.read(from).get()) == std::vector<float>{float(i)};
    }
  };
  int right[3] = {};
  std::thread first([&] { compute(right[0]); }), second([&] { compute(right[1]); });
  right[2] = count(context, graph, 0);
  first.join();
  second.join();
  CHECK(right[0] == 20);
  CHECK(right[1] == 20);
  CHECK(right[2] == 100);
}

TEST_CASE("threads: one thread destroys what the other uses") {
  Context context(std::make_unique<CpuDevice>(Feature::none), 1);
  for (int round = 0; round < 200; ++round) {
    const ExecutableId graph = context.load(increment());
    const TensorId x = context.create_tensor(scalar_tensor), y = context.create_tensor(scalar_tensor);
    std::thread user([&] {
      const NamedTensor in[] = {{"x", x}}, out[] = {{"y", y}};
      try {
        for (;;) {
          context.dispatch(graph, in, out);
          context.read(y).get();
        }
      } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
      }
    });
    if (round % 3 == 0) context.destroy(x);
    if (round % 3 == 1) context.destroy(y);
    context.destroy(graph);
    user.join();
    context.destroy(x);
    context.destroy(y);
  }
}

TEST_CASE("threads: a context is destroyed while others use it") {
  for (int round = 0; round < 50; ++round) {
    Context context(std::make_unique<CpuDevice>(Feature::none), 1);
    const ExecutableId graph = context.load(increment());
    const auto use = [&] {
      try {
        for (;;) {
          const TensorId x = context.create_tensor(scalar_tensor), y = context.create_tensor(scalar_tensor);
          const NamedTensor in[] = {{"x", x}}, out[] = {{"y", y}};
          context.write(x, bytes_of({1}));
          context.dispatch(graph, in, out);
          const std::vector<std::byte> result = context.read(y).get();
          CHECK(floats_of(result) == std::vector<float>{2});
          context.destroy(x);
          context.destroy(y);
        }
      } catch (const Error& error) {
        CHECK(std::string(error.what()) == "the context is destroyed");
      }
    };
    std::thread first(use), second(use);
    context.destroy();
    first.join();
    second.join();
  }
}

}  // namespace threads_test
