// The shared library is loaded, runs a graph with two threads, and is unloaded: its threads end with it.
#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <doctest/doctest.h>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/webnn.h"
#include "schema/elements/types.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::unload_test {
namespace {

namespace fs = std::filesystem;

std::set<std::string> threads_of_process() {
  std::set<std::string> threads;
  for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task"))
    threads.insert(thread.path().filename().string());
  return threads;
}

/// Threads that began after `before`; some of those may end at any time.
std::size_t threads_since(const std::set<std::string>& before) {
  const std::set<std::string> now = threads_of_process();
  return std::size_t(std::ranges::count_if(now, [&](const std::string& thread) { return !before.contains(thread); }));
}

struct Unload {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, Unload>;

/// y = matmul(x, x) for x of ones, by the library's own functions: y[0], or -1 when a call failed.
float run_product(void* library) {
  const auto function = [&]<class F>(F*, const char* name) { return reinterpret_cast<F*>(dlsym(library, name)); };
#define FUNCTION(name) const auto name = function(&::name, #name)
  FUNCTION(webnn_context_create);
  FUNCTION(webnn_context_release);
  FUNCTION(webnn_graph_load_text);
  FUNCTION(webnn_graph_release);
  FUNCTION(webnn_context_create_tensor);
  FUNCTION(webnn_tensor_release);
  FUNCTION(webnn_context_write_tensor);
  FUNCTION(webnn_context_dispatch);
  FUNCTION(webnn_context_read_tensor);
#undef FUNCTION
  const std::string text =
      "webnn_graph \"product\" v2 { inputs { x: f32[256,256]; } nodes { y = matmul(x, x); } outputs { y; } }";
  const std::array<std::uint32_t, 2> shape{256, 256};
  std::vector<float> numbers(256 * 256, 1.0f);
  const std::size_t bytes = numbers.size() * sizeof(float);
  webnn_context_options options{};
  options.struct_size = sizeof options;
  options.threads = 2;
  const webnn_tensor_options tensor{sizeof tensor, webnn_data_type(schema::DataType::float32),    shape.size(),
                                    shape.data(),  WEBNN_TENSOR_READABLE | WEBNN_TENSOR_WRITABLE, 0};
  webnn_context* context = nullptr;
  webnn_graph* graph = nullptr;
  webnn_tensor *x = nullptr, *y = nullptr;
  bool failed = webnn_context_create(&options, &context) != nullptr ||
                webnn_graph_load_text(context, text.data(), text.size(), nullptr, &graph) != nullptr ||
                webnn_context_create_tensor(context, &tensor, &x) != nullptr ||
                webnn_context_create_tensor(context, &tensor, &y) != nullptr ||
                webnn_context_write_tensor(context, x, numbers.data(), bytes) != nullptr;
  const webnn_named_tensor input{"x", x}, output{"y", y};
  failed = failed || webnn_context_dispatch(context, graph, &input, 1, &output, 1) != nullptr ||
           webnn_context_read_tensor(context, y, numbers.data(), bytes) != nullptr;
  webnn_tensor_release(x);
  webnn_tensor_release(y);
  webnn_graph_release(graph);
  webnn_context_release(context);
  return failed ? -1 : numbers[0];
}

}  // namespace

TEST_CASE("libwebnn.so: it can be unloaded after it has run, and loaded again") {
  const std::string path = (build_dir() / "api" / "libwebnn.so").string();
  const std::set<std::string> before = threads_of_process();
  for (int time = 0; time < 3; ++time) {
    CAPTURE(time);
    Library library(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
    REQUIRE_MESSAGE(library, dlerror());
    CHECK(run_product(library.get()) == 256);
    CHECK(threads_since(before) > 0);
    library.reset();
    const bool is_gone = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) == nullptr;
    CHECK(is_gone);
    CHECK(threads_since(before) == 0);
  }
}

}  // namespace webnn::tests::unload_test
