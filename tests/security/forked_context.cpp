// A child of fork has none of the threads of a context: using it there waited for ever.
#include <chrono>
#include <doctest/doctest.h>
#include <memory>
#include <span>
#include <unistd.h>

#include "api/webnn.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::forked_context_test {
namespace {

constexpr unsigned most_seconds = 60;

struct Work {
  explicit Work(Context& context)
      : graph([&] {
          GraphBuilder builder(context);
          const Operand x = builder.input("x", DataType::float32, {64, 64});
          return builder.build({{"y", builder.matmul(x, x)}});
        }()),
        x(context.createTensor({.shape = {64, 64}, .readable = true, .writable = true})),
        y(context.createTensor({.shape = {64, 64}, .readable = true})) {}
  void run(Context& context) const { context.compute(graph, {{"x", x}}, {{"y", y}}); }

  Graph graph;
  Tensor x, y;
};

template <class Request>
bool is_refused(Request request) {
  try {
    request();
  } catch (const Error& error) {
    return std::string(error.what()).find("forked") != std::string::npos;
  }
  return false;
}

}  // namespace

TEST_CASE("security: a context refuses work in a child of fork, and can be dropped there; a new one works") {
  if (under_thread_sanitizer) return skip(no_threads_in_children);
  Context context;
  const Work work(context);
  work.run(context);
  CHECK(in_child([&] {
    alarm(most_seconds);
    return is_refused([&] { work.run(context); });
  }));
  CHECK(in_child([&] {
    alarm(most_seconds);
    return is_refused([&] { context.readTensor(work.x).get(); }) && is_refused([&] { context.wait(); }) &&
           is_refused([&] { context.createTensor({.shape = {2}}); });
  }));
  CHECK(in_child([&] {
    alarm(most_seconds);
    { const Context dropped = std::move(context); }
    Context own;
    const Work again(own);
    again.run(own);
    return true;
  }));
  work.run(context);
}

TEST_CASE("security: imported memory is released in a child of fork, too, once") {
  if (under_thread_sanitizer) return skip(no_threads_in_children);
  Context context;
  float memory[4] = {};
  int releases = 0;
  const auto import = [&] {
    return context.importTensor({.shape = {4}, .readable = true, .writable = true},
                                std::as_writable_bytes(std::span(memory)), [&] { ++releases; });
  };
  auto tensor = std::make_unique<Tensor>(import());
  CHECK(in_child([&] {
    alarm(most_seconds);
    tensor->destroy();
    tensor->destroy();
    tensor = nullptr;
    return releases == 1;
  }));
  CHECK(in_child([&] {
    alarm(most_seconds);
    tensor = nullptr;
    return releases == 1;
  }));
  CHECK(releases == 0);
  tensor = nullptr;
  context.wait();
  CHECK(releases == 1);
}

TEST_CASE("security: a child of fork learns that it has no context any more") {
  if (under_thread_sanitizer) return skip(no_threads_in_children);
  auto context = std::make_unique<Context>();
  const auto lost = context->lost();
  CHECK(in_child([&] {
    alarm(most_seconds);
    context = nullptr;
    return !lost.get().message.empty();
  }));
  CHECK(lost.wait_for(std::chrono::seconds(0)) != std::future_status::ready);
}

}  // namespace webnn::tests::forked_context_test
