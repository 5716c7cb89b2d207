// A mapped file that is cut short raises SIGBUS when its pages are read. It is an error of that file, in the library
// too, and no other graph of the process is concerned.
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "api/load.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "runtime/threads/thread_pool.hpp"
#include "schema/error.hpp"
#include "schema/file/file_mapping.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/child.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::file_cut_short_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;

constexpr std::size_t elements = 65536;

/// x + w with weights that are used where they are mapped.
fs::path write_model(const fs::path& folder, const std::string& name) {
  const std::string shape = "[" + std::to_string(elements) + "]";
  write_file(
      folder / (name + ".json"), R"({"format":"webnn-graph-json","version":2,
    "inputs":{"x":{"dataType":"float32","shape":)" +
                                     shape + R"(}},
    "consts":{"w":{"dataType":"float32","shape":)" +
                                     shape + R"(,"init":{"kind":"inlineBytes","bytes":[)" +
                                     [] {
                                       std::string bytes;
                                       for (std::size_t i = 0; i < elements; ++i)
                                         bytes += (i ? ",0,0,128,63" : "0,0,128,63");
                                       return bytes;
                                     }() +
                                     R"(]}}},
    "nodes":[{"id":"y","op":"add","inputs":["x","w"]}],"outputs":{"y":"y"}})");
  REQUIRE(
      webnn_cli({"convert", (folder / (name + ".json")).string(), "-o", (folder / (name + ".wnnb")).string()}).code ==
      0);
  return folder / (name + ".wnnb");
}

float first_result(Context& context, const Graph& graph) {
  const Tensor x = context.createTensor({.shape = graph.inputs()[0].shape, .writable = true});
  const Tensor y = context.createTensor({.shape = graph.outputs()[0].shape, .readable = true});
  context.writeTensor(x, std::vector<std::byte>(elements * sizeof(float)));
  context.compute(graph, {{"x", x}}, {{"y", y}});
  float first = 0;
  std::memcpy(&first, context.readTensor(y).get().data(), sizeof first);
  return first;
}

}  // namespace

TEST_CASE("security: reading a mapped file that was cut short gives zeros, and an error that names it") {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "cut", other = scratch.path() / "whole";
  const std::string content(3 * 4096, 'x');
  write_file(path, content);
  write_file(other, content);
  const Bytes bytes = compiler::map_file(path, 1 << 20), whole = compiler::map_file(other, 1 << 20);
  CHECK_NOTHROW(check_not_cut(bytes));
  fs::resize_file(path, 4096);
  CHECK(bytes.data()[0] == std::byte('x'));
  CHECK(bytes.data()[2 * 4096] == std::byte{0});
  CHECK_NOTHROW(check_not_cut(whole));
  try {
    check_not_cut(bytes.part(5, 10));
    CHECK(false);
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::io);
    CHECK(contains(error.what(), "cut' was cut short"));
  }
  CHECK_THROWS_AS(check_no_file_cut(), Error);
}

TEST_CASE("security: threads that help with a loop read zeros of a file that was cut short, too") {
  const ScratchFolder scratch;
  const fs::path path = scratch.path() / "cut";
  write_file(path, std::string(64 * 4096, 'x'));
  const Bytes bytes = compiler::map_file(path, 1 << 20);
  fs::resize_file(path, 4096);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> of_helper = 0;
  std::atomic<bool> is_zero = true;
  const auto read_page = [&](std::size_t, std::size_t unit, std::size_t, unsigned) {
    if (std::this_thread::get_id() == caller) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // leaves some to the helper
      return;
    }
    if (bytes.data()[(1 + unit % 63) * 4096] != std::byte{0}) is_zero = false;
    ++of_helper;
  };
  for (int i = 0; i < 200 && of_helper == 0; ++i)
    runtime::run_on_pool(2, {.units = 63, .worth_waking = true},
                         [&](std::size_t step, std::size_t begin, std::size_t end, unsigned place) {
                           for (; begin < end; ++begin) read_page(step, begin, end, place);
                         });
  CHECK(of_helper > 0);
  CHECK(is_zero);
  CHECK_THROWS_AS(check_not_cut(bytes), Error);
}

TEST_CASE("security: after the cut file is closed, nothing remembers it") { CHECK_NOTHROW(check_no_file_cut()); }

TEST_CASE("security: a graph whose weights are cut short fails, others go on") {
  const ScratchFolder scratch;
  const fs::path cut = write_model(scratch.path(), "cut"), whole = write_model(scratch.path(), "whole");
  Context context;
  const Graph fails = loadGraph(context, cut), works = loadGraph(context, whole);
  CHECK(first_result(context, fails) == 1);
  fs::resize_file(cut, fs::file_size(cut) - elements);
  CHECK_THROWS_WITH_AS(first_result(context, fails), doctest::Contains("cut short"), webnn::Error);
  CHECK(first_result(context, works) == 1);
}

TEST_CASE("security: a SIGBUS that is not of a mapped file goes to the handler that was there, or ends the process") {
  if (under_sanitizer) return skip("a sanitizer has handlers of its own");
  const ScratchFolder scratch;
  write_file(scratch.path() / "own", std::string(4096, 'x'));
  const Bytes installs = compiler::map_file(scratch.path() / "own", 1 << 20);
  const pid_t child = fork();
  if (child == 0) {
    const int file = memfd_create("elsewhere", 0);
    if (ftruncate(file, 4096) != 0) _exit(1);
    const auto* memory = static_cast<const volatile char*>(mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0));
    if (ftruncate(file, 0) != 0) _exit(2);
    _exit(memory[0] == 0 ? 3 : 4);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK_FALSE((WIFEXITED(status) && WEXITSTATUS(status) <= 4));
}

}  // namespace webnn::tests::file_cut_short_test
