// What the runtime costs around the kernels: dispatches, fresh tensors, layouts between single-operator graphs, reads.
//
//   benchmark-tensor-runtime [threads]
//
// Every number is the least of several rounds, because what else the machine does only adds; compared pairs take turns.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <new>
#include <span>
#include <thread>
#include <vector>

#include "api/webnn.hpp"

namespace {

std::atomic<std::uint64_t> allocation_count = 0;

}  // namespace

// Counted: the array and nothrow forms of the standard library call these.
void* operator new(std::size_t bytes) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace webnn {
namespace {

using Clock = std::chrono::steady_clock;
using Work = std::function<void()>;

constexpr auto float32 = DataType::float32;

double microseconds(const Work& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

/// Least microseconds of each work, after a round that does not count.
std::vector<double> compare(const std::vector<Work>& works, int rounds) {
  std::vector<double> least(works.size(), 1e300);
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i)
      if (const double time = microseconds(works[i]); round > 0) least[i] = std::min(least[i], time);
  return least;
}

Tensor tensor(Context& context, const Dimensions& shape) {
  return context.createTensor({.dataType = float32, .shape = shape, .readable = true, .writable = true});
}

Graph add_graph(Context& context, const Dimensions& shape) {
  GraphBuilder builder(context);
  return builder.build({{"c", builder.add(builder.input("a", float32, shape), builder.input("b", float32, shape))}});
}

void dispatches(Context& context) {
  constexpr int count = 10'000;
  const Graph add = add_graph(context, {1});
  const Tensor a = tensor(context, {1}), b = tensor(context, {1}), c = tensor(context, {1});
  const NamedTensors inputs{{"a", a}, {"b", b}}, outputs{{"c", c}};
  const Bindings bindings = context.bind(add, inputs, outputs);
  CommandEncoder encoder = context.createCommandEncoder();
  encoder.initializeGraph(add);
  for (int i = 0; i < count; ++i) encoder.dispatch(add, inputs, outputs);
  const CommandBuffer commands = encoder.finish();

  std::uint64_t allocations = 0;  // of the last rounds
  const auto counted = [&](const Work& work) {
    const std::uint64_t before = allocation_count;
    work();
    allocations = allocation_count - before;
  };
  struct Way {
    const char* name;
    Work work;
  };
  const Way ways[] = {
      {"bindings",
       [&] {
         for (int i = 0; i < count; ++i) context.dispatch(bindings);
       }},
      {"named tensors",
       [&] {
         for (int i = 0; i < count; ++i) context.dispatch(add, inputs, outputs);
       }},
      {"one command buffer", [&] { context.submit(commands); }},
  };
  std::printf("%d dispatches of an add of one element, and one wait\n", count);
  for (const Way& way : ways) {
    const auto round = [&] {
      way.work();
      context.wait();
    };
    const double time = compare({round, [&] { counted(round); }}, 9)[1];
    std::printf("  %-20s %6.3f us each, %llu allocations in all\n", way.name, time / count,
                static_cast<unsigned long long>(allocations));
  }
  const double waiting = compare({[&] {
                                   for (int i = 0; i < 1000; ++i) context.compute(bindings);
                                 }},
                                 9)[0];
  std::printf("  %-20s %6.3f us each\n", "compute, which waits", waiting / 1000);
}

void fresh_tensors(Context& context) {
  constexpr int count = 200;  // a round
  std::printf("a run with two writes and a read, with fresh tensors against reused ones\n");
  for (const std::uint32_t size : {1024u, 65536u}) {
    const Graph add = add_graph(context, {size});
    const std::vector<std::byte> data(size * sizeof(float));
    std::vector<std::byte> result(data.size());
    const auto run = [&](const Tensor& a, const Tensor& b, const Tensor& c) {
      context.writeTensor(a, data);
      context.writeTensor(b, data);
      context.dispatch(add, {{"a", a}, {"b", b}}, {{"c", c}});
      context.readTensor(c, result).get();
    };
    const Tensor a = tensor(context, {size}), b = tensor(context, {size}), c = tensor(context, {size});
    const auto times = compare({[&] {
                                  for (int i = 0; i < count; ++i)
                                    run(tensor(context, {size}), tensor(context, {size}), tensor(context, {size}));
                                },
                                [&] {
                                  for (int i = 0; i < count; ++i) run(a, b, c);
                                }},
                               25);
    std::printf("  %7u elements: %8.2f us fresh, %8.2f us reused: %.2f times\n", size, times[0] / count,
                times[1] / count, times[0] / times[1]);
  }
}

/// Three graphs of one convolution each, on an image that goes from one to the next. What keeping layouts saves, two
/// conversions for each graph, is the same for all three; how much it is beside the convolution is not.
void convolution_chain(Context& context) {
  struct Kind {
    const char* name;
    std::uint32_t window, groups;
  };
  constexpr std::uint32_t channels = 64;
  const Dimensions shape{1, channels, 56, 56};
  const std::vector<float> weights(std::size_t{channels} * channels * 9, 0.01f);
  std::printf("chain of three conv2d graphs on [1, 64, 56, 56]\n");
  for (const Kind kind : {Kind{"3x3", 3, 1}, Kind{"1x1", 1, 1}, Kind{"3x3 depthwise", 3, channels}}) {
    const Dimensions filter_shape{channels, channels / kind.groups, kind.window, kind.window};
    const std::size_t filter_size = std::size_t{channels} * channels / kind.groups * kind.window * kind.window;
    const std::uint32_t padding = kind.window / 2;
    std::vector<Work> works;
    for (const bool keep_layouts : {true, false}) {
      GraphBuilder builder(context);
      const Operand filter =
          builder.constant(float32, filter_shape, std::as_bytes(std::span(weights).first(filter_size)));
      const Operand y = builder.conv2d(builder.input("x", float32, shape), filter,
                                       {.padding = {{padding, padding, padding, padding}}, .groups = kind.groups});
      const Graph graph = builder.build({{"y", y}}, {.keepLayouts = keep_layouts});
      std::vector<Tensor> tensors;
      for (int i = 0; i < 4; ++i) tensors.push_back(tensor(context, shape));
      works.push_back([=, &context] {
        for (std::size_t i = 0; i < 3; ++i) context.dispatch(graph, {{"x", tensors[i]}}, {{"y", tensors[i + 1]}});
        context.wait();
      });
    }
    const auto times = compare(works, 50);
    std::printf("  %-13s %5.0f us with kept layouts, %5.0f us row-major: %.2f times\n", kind.name, times[0], times[1],
                times[1] / times[0]);
  }
}

void reads(Context& context) {
  constexpr std::uint32_t elements = 4u << 20;
  Context single({.threads = 1});
  std::vector<std::vector<std::byte>> memory(4, std::vector<std::byte>(elements * sizeof(float)));
  const auto tensors = [&](Context& owner) {
    std::vector<Tensor> list;
    for (int i = 0; i < 4; ++i) {
      list.push_back(tensor(owner, {elements}));
      owner.writeTensor(list.back(), memory[std::size_t(i)]);
    }
    return list;
  };
  const std::vector<Tensor> outputs = tensors(context), of_single = tensors(single);
  const auto times = compare({[&] {
                                std::vector<std::future<void>> pending;
                                for (std::size_t i = 0; i < 4; ++i)
                                  pending.push_back(context.readTensor(outputs[i], memory[i]));
                                for (std::future<void>& read : pending) read.get();
                              },
                              [&] {
                                for (std::size_t i = 0; i < 4; ++i) single.readTensor(of_single[i], memory[i]).get();
                              }},
                             25);
  // What the machine's memory allows: the same copies by threads that do nothing else.
  const std::vector<std::vector<std::byte>> sources = memory;
  const auto copy_every = [&](std::size_t step, std::size_t first) {
    for (std::size_t i = first; i < 4; i += step) std::memcpy(memory[i].data(), sources[i].data(), memory[i].size());
  };
  const auto copies = compare({[&] {
                                 std::thread other(copy_every, 2, 1);
                                 copy_every(2, 0);
                                 other.join();
                               },
                               [&] { copy_every(1, 0); }},
                              25);
  std::printf("4 reads of 16 MB\n  %.0f us side by side, %.0f us one after another on one thread: %.2f times\n",
              times[0], times[1], times[1] / times[0]);
  std::printf("  memcpy alone: %.0f us by two threads, %.0f us by one: %.2f times\n", copies[0], copies[1],
              copies[1] / copies[0]);
}

}  // namespace
}  // namespace webnn

int main(int argc, char** argv) {
  try {
    webnn::Context context({.threads = argc > 1 ? unsigned(std::atoi(argv[1])) : 0});
    webnn::dispatches(context);
    webnn::fresh_tensors(context);
    webnn::convolution_chain(context);
    webnn::reads(context);
  } catch (const webnn::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return int(error.code());
  }
  return 0;
}
