// Calls of the driver, watched and failing: what was submitted before is waited for, and nothing is taken for done that
// is not.
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::driver_faults_test {
namespace {

using namespace runtime::vulkan;

/// Stands before some functions of a device that no other thread uses, one device at a time.
class FaultyDriver {
 public:
  explicit FaultyDriver(VulkanDevice& device)
      : queue_(&device.queue()), functions_(&const_cast<Functions&>(queue_->vk())), usual_(*functions_) {
    one = this;
    functions_->QueueSubmit = [](VkQueue queue, std::uint32_t count, const VkSubmitInfo* infos, VkFence fence) {
      if (fails(one->submissions)) return VK_ERROR_OUT_OF_HOST_MEMORY;
      return one->usual_.QueueSubmit(queue, count, infos, fence);
    };
    functions_->EndCommandBuffer = [](VkCommandBuffer commands) {
      return fails(one->recordings) ? VK_ERROR_OUT_OF_HOST_MEMORY : one->usual_.EndCommandBuffer(commands);
    };
    functions_->AllocateMemory = [](VkDevice device, const VkMemoryAllocateInfo* info,
                                    const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
      ++one->allocations;
      return one->usual_.AllocateMemory(device, info, callbacks, memory);
    };
    functions_->WaitSemaphores = [](VkDevice device, const VkSemaphoreWaitInfo* info, std::uint64_t limit) {
      return one->stands_still ? VK_TIMEOUT : one->usual_.WaitSemaphores(device, info, limit);
    };
    functions_->GetSemaphoreCounterValue = [](VkDevice device, VkSemaphore semaphore, std::uint64_t* value) {
      const VkResult result = one->usual_.GetSemaphoreCounterValue(device, semaphore, value);
      if (one->stands_still) *value = 0;
      return result;
    };
    functions_->DeviceWaitIdle = [](VkDevice device) {
      one->is_idle = true;
      return one->usual_.DeviceWaitIdle(device);
    };
    functions_->DestroyQueryPool = [](VkDevice device, VkQueryPool pool, const VkAllocationCallbacks* callbacks) {
      one->note_destruction();
      one->usual_.DestroyQueryPool(device, pool, callbacks);
    };
    functions_->DestroyCommandPool = [](VkDevice device, VkCommandPool pool, const VkAllocationCallbacks* callbacks) {
      one->note_destruction();
      one->usual_.DestroyCommandPool(device, pool, callbacks);
    };
  }
  FaultyDriver(const FaultyDriver&) = delete;
  FaultyDriver& operator=(const FaultyDriver&) = delete;
  ~FaultyDriver() { *functions_ = usual_; }

  int submissions = -1;       // that succeed before all others fail; -1: all succeed
  int recordings = -1;        // likewise, command buffers that are ended
  bool stands_still = false;  // the device says that it ends nothing
  int destroyed = 0, destroyed_early = 0, allocations = 0;

 private:
  static bool fails(int& left) {
    if (left <= 0) return left == 0;
    --left;
    return false;
  }
  void note_destruction() {
    const bool is_done = is_idle || queue_->kernels().has_reached(queue_->kernels().submitted());
    ++(is_done ? destroyed : destroyed_early);
  }

  static inline FaultyDriver* one = nullptr;
  const Queue* queue_;
  Functions* functions_;
  Functions usual_;
  bool is_idle = false;
};

/// y = -(-x), by two kernels.
struct Chain {
  explicit Chain(VulkanDevice& device, std::uint32_t size = 4) {
    KernelSpec spec;
    spec.op = "neg"_op;
    spec.inputs = {OperandDescriptor{DataType::float32, Shape{size}}};
    spec.outputs = {*spec.inputs[0]};
    const std::vector<std::span<const std::byte>> constants(1);
    for (int i = 0; i < 2; ++i)
      kernels.push_back(device.make_kernel(*api::find_kernel("vulkan.unary"), spec, constants));
    for (int i = 0; i < 3; ++i) buffers.push_back(device.allocate(size * sizeof(float)));
    for (const runtime::Buffer& buffer : buffers) {
      inputs.push_back(buffer.address());
      outputs.push_back(buffer.address());
    }
    for (std::size_t i = 0; i < 2; ++i)
      invocations.push_back({&kernels[i], {std::span(inputs).subspan(i, 1), std::span(outputs).subspan(i + 1, 1)}});
    sequence = device.prepare(invocations, {});
  }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  std::vector<runtime::Kernel> kernels;
  std::vector<runtime::Buffer> buffers;
  std::vector<const std::byte*> inputs;
  std::vector<std::byte*> outputs;
  std::vector<runtime::Invocation> invocations;
  std::unique_ptr<runtime::Sequence> sequence;  // ends before what it uses
};

}  // namespace

TEST_CASE("vulkan faults: a timed run that fails destroys nothing that the device still uses") {
  for (const bool stands_still : {true, false}) {
    CAPTURE(stands_still);
    const auto opened = open_test_gpu(runtime::GpuOptions{.flops_at_once = 1});  // each kernel is a part
    if (!opened) return;
    auto& device = dynamic_cast<VulkanDevice&>(*opened);
    const Chain chain(device);
    FaultyDriver driver(device);
    driver.stands_still = stands_still;
    if (!stands_still) driver.submissions = 1;
    std::vector<runtime::StepTime> times(2);
    CHECK_THROWS_AS(chain.sequence->run_timed(times), Error);
    CHECK(driver.destroyed >= 3);  // the pool of timestamps, and the commands of both parts
    CHECK(driver.destroyed_early == 0);
  }
}

TEST_CASE("vulkan faults: a sequence whose first run fails in a kernel is arranged anew by the next one") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  Chain chain(device);
  bool fails = true;
  const auto usual = chain.kernels[1].run;
  chain.kernels[1].run = [&](const runtime::KernelArguments& arguments) {
    if (std::exchange(fails, false)) throw Error(ExitCode::internal, "the kernel fails");
    usual(arguments);
  };
  device.upload(chain.buffers[0], bytes_of({1, -2, 3, -4}));
  CHECK_THROWS_AS(chain.sequence->submit(), Error);
  const std::uint64_t before = device.queue().submitted();
  chain.sequence->submit();
  device.wait();
  CHECK(device.queue().submitted() == before + 1);
  std::vector<std::byte> bytes(chain.buffers[2].size());
  device.download(bytes, chain.buffers[2]);
  CHECK(floats_of(bytes) == std::vector<float>{1, -2, 3, -4});
}

TEST_CASE("vulkan faults: drivers give few allocations, so tables near the kernels take none of their own") {
  const auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  const Chain first(device), second(device);
  first.sequence->submit();
  FaultyDriver driver(device);
  device.upload(second.buffers[0], bytes_of({1, 2, 3, 4}));
  const int before = driver.allocations;
  second.sequence->submit();
  CHECK(driver.allocations == before + 1);  // of the tables that the host writes
  std::vector<std::byte> bytes(second.buffers[2].size());
  device.download(bytes, second.buffers[2]);
  CHECK(floats_of(bytes) == std::vector<float>{1, 2, 3, 4});
}

TEST_CASE("vulkan faults: a device that does not start accepted writes is lost, and nothing of them is used again") {
  for (const bool ends : {true, false}) {
    CAPTURE(ends);
    const auto opened = open_test_gpu(true);
    if (!opened) return;
    auto& device = dynamic_cast<VulkanDevice&>(*opened);
    std::vector<std::string> reasons;
    device.when_lost([&](const std::string& reason) { reasons.push_back(reason); });
    const runtime::Buffer buffer = device.allocate(16);
    FaultyDriver driver(device);
    device.upload(buffer, bytes_of({1, 2, 3, 4}));
    (ends ? driver.submissions : driver.recordings) = 0;
    std::vector<std::byte> bytes(16);
    CHECK_THROWS_WITH_AS(device.download(bytes, buffer), doctest::Contains("and what was written is gone"), Error);
    CHECK(reasons.size() == 1);
    // Though the driver goes on, which a device that was really lost does not.
    driver.submissions = driver.recordings = -1;
    device.upload(buffer, bytes_of({5, 6, 7, 8}));
    CHECK_THROWS_WITH_AS(device.download(bytes, buffer), doctest::Contains("the GPU was lost"), Error);
    CHECK(reasons.size() == 1);
  }
}

TEST_CASE("vulkan faults: a read that the device does not start can be asked for again") {
  const auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  const runtime::Buffer buffer = device.allocate(16);
  device.upload(buffer, bytes_of({1, 2, 3, 4}));
  device.wait();
  FaultyDriver driver(device);
  std::vector<std::byte> bytes(16);
  for (int* const left : {&driver.submissions, &driver.recordings}) {
    *left = 0;
    device.expect_download(buffer, bytes.size());
    CHECK_THROWS_AS(device.download(bytes, buffer), Error);
    CHECK_THROWS_AS(device.download(bytes, buffer), Error);
    *left = -1;
    device.download(bytes, buffer);
    CHECK(floats_of(bytes) == std::vector<float>{1, 2, 3, 4});
  }
}

}  // namespace webnn::tests::driver_faults_test
