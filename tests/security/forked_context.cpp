// A child of fork has none of the threads of a context: using it there waited for ever.
#include <doctest/doctest.h>
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

}  // namespace webnn::tests::forked_context_test
