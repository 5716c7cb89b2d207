// Copies on a queue of their own, beside the kernels: vulkan_double adds such a queue to any device, and starts its
// work, or all other work, as late as the semaphores allow.
#include <cstdlib>
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/context.hpp"
#include "runtime/vulkan/memory/uses.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::copy_lane_test {
namespace {

namespace fs = std::filesystem;
using namespace runtime::vulkan;
using runtime::TensorId;

/// Runs test cases of this program on the usual device with a queue for copies.
struct Run {
  ShellResult result;
  long copies = 0;  // submissions to that queue
};
Run run_cases(const std::string& late, const std::string& cases) {
  const ScratchFolder folder;
  const fs::path report = folder.path() / "report.json";
  Run run;
  run.result = run_shell("LD_LIBRARY_PATH=" + shell_word(build_dir() / "vulkan_double") +
                         " VULKAN_DOUBLE=transfer-queue," + late + " VULKAN_DOUBLE_REPORT=" + shell_word(report) + " " +
                         program_words("webnn-tests") + " --no-skip -tc='" + cases + "'");
  if (fs::exists(report)) run.copies = nlohmann::json::parse(read_file(report))["transferSubmissions"];
  return run;
}

}  // namespace

TEST_CASE("vulkan copy lane: whoever waits for copies or kernels does so, however late they start") {
  if (!open_test_gpu()) return;
  if (!fs::exists(build_dir() / "vulkan_double")) return skip("this build has no GPU device");
  for (const char* late : {"late-copies", "late-kernels"}) {
    CAPTURE(late);
    const Run run = run_cases(late, "vulkan memory:*,vulkan device:*,vulkan fallback: GPU and CPU*,copy lane alone:*");
    INFO(run.result.output);
    CHECK(run.result.status == 0);
    CHECK(run.copies > 100);
  }
}

TEST_CASE("copy lane alone: a read waits for the kernels that write its tensor, and for no others" * doctest::skip()) {
  auto opened = open_test_gpu(true);
  REQUIRE(opened);
  const Queue& queue = dynamic_cast<const VulkanDevice&>(*opened).queue();
  REQUIRE(queue.has_copy_lane());
  runtime::Context context(std::move(opened), 1);
  const auto graph = context.load(small_gpu_program(4)), other = context.load(small_gpu_program(4));
  const runtime::TensorDescriptor descriptor{{DataType::float32, Shape{4}}, true, true};
  std::vector<TensorId> tensors;
  for (int i = 0; i < 4; ++i) tensors.push_back(context.create_tensor(descriptor));
  for (const int i : {0, 2}) context.write(tensors[std::size_t(i)], bytes_of({1, 2, 3, 4}));
  context.dispatch(graph, {{{"x", tensors[0]}}}, {{{"y", tensors[1]}}});
  context.dispatch(other, {{{"x", tensors[2]}}}, {{{"y", tensors[3]}}});
  CHECK(floats_of(context.read(tensors[1]).get()) == std::vector<float>{0, 6, 6, 20});
  const Lane& kernels = queue.kernels();
  CHECK(kernels.submitted() == 2);
  const char* const mode = std::getenv("VULKAN_DOUBLE");
  if (std::string_view(mode ? mode : "").find("late-kernels") != std::string_view::npos) CHECK(!kernels.has_reached(2));
  // Nor does a write, but the one into memory that they still read.
  context.write(tensors[1], bytes_of({1, 2, 3, 4}));
  context.write(tensors[2], bytes_of({5, 5, 5, 5}));
  CHECK(floats_of(context.read(tensors[3]).get()) == std::vector<float>{0, 6, 6, 20});
  CHECK(floats_of(context.read(tensors[2]).get()) == std::vector<float>{5, 5, 5, 5});
}

TEST_CASE("vulkan copy lane: which kernels access some bytes") {
  const auto bytes = [](std::uint64_t begin, std::uint64_t end) {
    auto ranges = std::make_shared<ByteRanges>();
    ranges->add(begin, end);
    return std::shared_ptr<const ByteRanges>(ranges);
  };
  const auto first = bytes(100, 200), second = bytes(150, 300);
  Uses uses;
  CHECK(uses.last(0, 1000) == 0);
  uses.add(first, 1);
  uses.add(second, 2);
  CHECK(uses.last(100, 150) == 1);
  CHECK(uses.last(199, 200) == 2);
  CHECK(uses.last(300, 400) == 0);
  uses.add(first, 3);
  CHECK(uses.last(199, 200) == 3);
  uses.forget([](std::uint64_t number) { return number <= 2; });
  CHECK(uses.last(200, 300) == 0);
  CHECK(uses.last(100, 101) == 3);
}

}  // namespace webnn::tests::copy_lane_test
