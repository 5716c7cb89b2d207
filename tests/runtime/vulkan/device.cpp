// The GPU as a device: memory, recorded programs, waiting, time, and what it says where something is missing.
#include <algorithm>
#include <cstdlib>
#include <doctest/doctest.h>
#include <memory>
#include <span>

#include "api/devices.hpp"
#include "api/kernels.hpp"
#include "runtime/context.hpp"
#include "runtime/executable.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/skip.hpp"
#include "tests/runtime/hand_made.hpp"

namespace webnn::tests::device_test {
namespace {

using runtime::Context;
using runtime::TensorId;

std::vector<float> expected(std::vector<float> x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] *= std::max(x[i] + (i % 2 ? 1.0f : -1.0f), 0.0f);
  return x;
}

runtime::TensorDescriptor vector_of(std::uint32_t size) { return {{DataType::float32, Shape{size}}, true, true}; }

TEST_CASE("vulkan device: memory takes, gives back and forgets bytes, seen by the host or not") {
  for (const bool staging : {false, true}) {
    const auto device = open_test_gpu(staging);
    if (!device) return;
    std::vector<std::byte> bytes(100'003);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7);
    const runtime::Buffer buffer = device->allocate(bytes.size());
    CHECK(buffer.size() == bytes.size());
    device->upload(buffer, bytes);
    std::vector<std::byte> back(bytes.size());
    device->download(back, buffer);
    CHECK(back == bytes);
    const runtime::Buffer imported = device->import(bytes, 64);
    device->download(back, imported);
    CHECK(back == bytes);
    device->clear(buffer);
    device->download(back, buffer);
    CHECK(back == std::vector<std::byte>(bytes.size()));
    CHECK_THROWS_AS(device->allocate(std::size_t{1} << 46), Error);
  }
}

TEST_CASE("vulkan device: a program runs on other tensors without being recorded again") {
  for (const bool staging : {false, true}) {
    auto device = open_test_gpu(staging);
    if (!device) return;
    Context context(std::move(device), 1);
    const auto graph = context.load(small_gpu_program(6));
    std::vector<TensorId> inputs, outputs;
    std::vector<std::vector<float>> values;
    for (int i = 0; i < 7; ++i) {
      inputs.push_back(context.create_tensor(vector_of(6)));
      outputs.push_back(context.create_tensor(vector_of(6)));
      values.push_back({float(i), -2.5f, 3.0f, float(-i), 0.5f, 100.0f});
      context.write(inputs.back(), bytes_of(values.back()));
    }
    for (int i = 0; i < 7; ++i) context.dispatch(graph, {{{"x", inputs[i]}}}, {{{"y", outputs[i]}}});
    for (int i = 0; i < 7; ++i) CHECK(floats_of(context.read(outputs[i]).get()) == expected(values[i]));
    context.wait();
  }
}

TEST_CASE("vulkan device: a chain of dispatches and a read wait for the GPU once") {
  auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened);
  Context context(std::move(opened), 1);
  const auto graph = context.load(small_gpu_program(4));
  std::vector<TensorId> tensors;
  for (int i = 0; i < 4; ++i) tensors.push_back(context.create_tensor(vector_of(4)));
  const std::vector<float> values{1, 2, 3, 4};
  context.write(tensors[0], bytes_of(values));
  context.wait();
  const std::uint64_t before = device.queue().wait_count();
  for (int i = 0; i < 3; ++i) context.dispatch(graph, {{{"x", tensors[i]}}}, {{{"y", tensors[i + 1]}}});
  CHECK(floats_of(context.read(tensors[3]).get()) == expected(expected(expected(values))));
  CHECK(device.queue().wait_count() == before + 1);
}

TEST_CASE("vulkan device: copies of mapped memory wait for the runs that access it, and for no others") {
  auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened);
  Context context(std::move(opened), 1);
  const auto graph = context.load(small_gpu_program(4));
  std::vector<TensorId> tensors;
  for (int i = 0; i < 3; ++i) tensors.push_back(context.create_tensor(vector_of(4)));
  const std::vector<float> values{1, 2, 3, 4};
  context.write(tensors[0], bytes_of(values));
  context.wait();
  const runtime::Buffer buffer = device.allocate(64);
  if (!device.memory().find(buffer.address()).mapped()) return skip("the host does not map this device's memory");
  const std::uint64_t before = device.queue().wait_count();
  context.dispatch(graph, {{{"x", tensors[0]}}}, {{{"y", tensors[1]}}});
  context.write(tensors[2], bytes_of({5, 6, 7, 8}));
  CHECK(floats_of(context.read(tensors[2]).get()) == std::vector<float>{5, 6, 7, 8});
  CHECK(device.queue().wait_count() == before);
  context.write(tensors[0], bytes_of({9, 9, 9, 9}));  // the run still reads it
  CHECK(floats_of(context.read(tensors[1]).get()) == expected(values));
  CHECK(device.queue().wait_count() == before + 1);
}

TEST_CASE("vulkan device: reads that follow each other are one submission and one wait") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened);
  Context context(std::move(opened), 1);
  const auto graph = context.load(small_gpu_program(4));
  std::vector<TensorId> tensors;
  for (int i = 0; i < 3; ++i) tensors.push_back(context.create_tensor(vector_of(4)));
  const std::vector<float> values{1, 2, 3, 4};
  context.write(tensors[0], bytes_of(values));
  context.dispatch(graph, {{{"x", tensors[0]}}}, {{{"y", tensors[1]}}});
  // The timeline stands still until everything has been requested.
  std::promise<void> go, stands;
  context.read(tensors[0], [&](auto) {
    stands.set_value();
    go.get_future().wait();
  });
  stands.get_future().wait();
  const std::uint64_t submitted = device.queue().submitted(), waits = device.queue().wait_count();
  std::vector<std::future<std::vector<std::byte>>> reads;
  for (std::size_t i = 0; i < 2; ++i) context.dispatch(graph, {{{"x", tensors[i]}}}, {{{"y", tensors[i + 1]}}});
  for (const TensorId tensor : tensors) reads.push_back(context.read(tensor));
  reads.push_back(context.read(tensors[2]));
  context.write(tensors[0], bytes_of({9, 9, 9, 9}));
  auto later = context.read(tensors[0]);
  go.set_value();
  std::vector<float> content = values;
  for (std::size_t i = 0; i < tensors.size(); ++i, content = expected(content))
    CHECK(floats_of(reads[i].get()) == content);
  CHECK(floats_of(reads.back().get()) == expected(expected(values)));
  CHECK(floats_of(later.get()) == std::vector<float>{9, 9, 9, 9});
  // Two dispatches, the reads before the write, and the one behind it.
  CHECK(device.queue().submitted() == submitted + 2 + 1 + 1);
  CHECK(device.queue().wait_count() == waits + 2);
}

TEST_CASE("vulkan device: who writes and never reads waits now and then, so that commands do not pile up") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened);
  Context context(std::move(opened), 1);
  const auto graph = context.load(small_gpu_program(4));
  const TensorId x = context.create_tensor(vector_of(4)), y = context.create_tensor(vector_of(4));
  const std::uint64_t before = device.queue().wait_count();
  constexpr int runs = 1000;
  for (int i = 0; i < runs; ++i) {
    const std::vector<float> values{1, 2, 3, float(i)};
    context.write(x, bytes_of(values));
    context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
  }
  CHECK(floats_of(context.read(y).get()) == expected({1, 2, 3, float(runs - 1)}));
  const std::uint64_t waits = device.queue().wait_count() - before;
  CHECK(waits >= 10);
  CHECK(waits <= 40);
}

TEST_CASE("vulkan device: tensors in the caller's memory and exported ones are seen by both sides") {
  auto device = open_test_gpu();
  if (!device) return;
  Context context(std::move(device), 1);
  const auto graph = context.load(small_gpu_program(4));
  std::vector<float> from{1, 2, 3, 4}, to(4);
  const TensorId x = context.import_tensor(vector_of(4), std::as_writable_bytes(std::span(from)));
  const TensorId y = context.import_tensor(vector_of(4), std::as_writable_bytes(std::span(to)));
  context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
  context.wait();
  CHECK(to == expected({1, 2, 3, 4}));
  from = {5, 6, 7, 8};
  context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
  CHECK(floats_of(context.read(y).get()) == expected({5, 6, 7, 8}));
  context.write(x, bytes_of({0, -1, 2, 9}));
  context.wait();
  CHECK(from == std::vector<float>{0, -1, 2, 9});

  runtime::TensorDescriptor shared = vector_of(4);
  shared.exportable = true;
  const TensorId z = context.create_tensor(shared);
  context.dispatch(graph, {{{"x", x}}}, {{{"y", z}}});
  const runtime::TensorExport exported = context.export_tensor(z).get();
  CHECK(floats_of(exported.memory().first(16)) == expected({0, -1, 2, 9}));
}

TEST_CASE("vulkan device: memory of the host that begins a page is used in place") {
  for (const bool staging : {false, true}) {
    auto opened = open_test_gpu(staging);
    if (!opened) return;
    const auto& device = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened);
    const std::size_t page = std::max<std::size_t>(device.queue().profile().import_alignment, 4096);
    const bool in_place = !staging && device.queue().profile().import_alignment != 0;
    const std::unique_ptr<std::byte, decltype(&std::free)> memory(
        static_cast<std::byte*>(std::aligned_alloc(page, 4 * page)), std::free);
    const std::span<std::byte> all(memory.get(), 4 * page), some = all.first(page + 12);
    if (!staging && !in_place) skip_part("in place", "this device does not import memory of the host");
    CHECK(opened->share(all.subspan(4)).size() == 0);
    {
      const runtime::Buffer shared = opened->share(some);
      REQUIRE(shared.size() == (in_place ? some.size() : 0));
      if (in_place) {
        const std::vector<std::byte> sent(some.size(), std::byte{7});
        opened->upload(shared, sent);
        CHECK(std::ranges::equal(some, sent));
        some[5] = std::byte{1};
        std::vector<std::byte> back(some.size());
        opened->download(back, shared);
        CHECK(std::ranges::equal(some, back));
      }
    }
    // As tensors of a context they work the same in both cases.
    Context context(std::move(opened), 1);
    const auto graph = context.load(small_gpu_program(4));
    const auto floats = [&](std::size_t place) { return reinterpret_cast<float*>(all.data() + place * page); };
    const TensorId x = context.import_tensor(vector_of(4), all.first(16));
    const TensorId y = context.import_tensor(vector_of(4), all.subspan(2 * page, 16));
    std::ranges::copy(std::vector<float>{1, 2, 3, 4}, floats(0));
    context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
    context.wait();
    CHECK(std::vector<float>(floats(2), floats(2) + 4) == expected({1, 2, 3, 4}));
    context.write(x, bytes_of({5, 6, 7, 8}));
    context.dispatch(graph, {{{"x", x}}}, {{{"y", y}}});
    CHECK(floats_of(context.read(y).get()) == expected({5, 6, 7, 8}));
    CHECK(floats(0)[3] == 8);
  }
}

TEST_CASE("vulkan device: the steps of a run are timed by the GPU") {
  auto device = open_test_gpu();
  if (!device) return;
  Context context(std::move(device), 1);
  const auto graph = context.load(small_gpu_program(100'000));
  const TensorId x = context.create_tensor(vector_of(100'000)), y = context.create_tensor(vector_of(100'000));
  std::vector<runtime::StepTime> times(3);
  context.compute_timed(context.bind(graph, {{{"x", x}}}, {{{"y", y}}}), times);
  for (const runtime::StepTime& time : times) CHECK(time.begin < time.end);
  CHECK(times[0].end <= times[1].begin);
}

TEST_CASE("vulkan device: all steps of a run are timed together, without waiting between them") {
  const auto device = open_test_gpu();
  if (!device) return;
  constexpr std::size_t count = 100'000;
  runtime::Executable executable(small_gpu_program(count), *device, 1);
  const runtime::Buffer x = device->allocate(count * sizeof(float)), y = device->allocate(count * sizeof(float));
  device->clear(x);
  const std::byte* const inputs[] = {x.address()};
  std::byte* const outputs[] = {y.address()};
  runtime::StepTime all;
  for (int run = 0; run < 2; ++run) {
    executable.run_timed(inputs, outputs, {&all, 1});
    CHECK(all.begin < all.end);
  }
  std::vector<float> together(count), apart(count);
  device->download(std::as_writable_bytes(std::span(together)), y);
  std::vector<runtime::StepTime> times(3);
  executable.run_timed(inputs, outputs, times);
  device->download(std::as_writable_bytes(std::span(apart)), y);
  CHECK(together == apart);
}

TEST_CASE("vulkan device: kernels by tiles run everywhere, and cost less wherever the product fills the tiles") {
  const TestTensor square{{DataType::float32, {1024, 1024}}, {}}, small{{DataType::float32, {4, 4}}, {}};
  const KernelSpec spec = operator_spec("matmul", {square, square}), tiny = operator_spec("matmul", {small, small});
  const KernelRow &plain = kernel_row("vulkan.matmul"), &tiled = kernel_row("vulkan.matmul.tiled");
  const Target software{DeviceKind::vulkan, Feature::none}, gpu{DeviceKind::vulkan, Feature::shared_memory};
  for (const Target& target : {software, gpu}) {
    CHECK(cost(tiled, spec, target) < cost(plain, spec, target));
    CHECK(cost(tiled, tiny, target) > cost(plain, tiny, target));
  }
  const auto device = open_test_gpu();
  if (!device) return;
  CHECK(device->can_run({&plain}, spec));
  CHECK(device->can_run({&tiled}, spec));
}

TEST_CASE("vulkan device: what the validation layers say of a wrong call is an error") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  opened->wait();  // so far they are silent
  const auto& queue = dynamic_cast<runtime::vulkan::VulkanDevice&>(*opened).queue();
  VkBufferCreateInfo nothing{};
  nothing.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  nothing.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;  // of no bytes, which no buffer may be
  VkBuffer buffer = VK_NULL_HANDLE;
  if (queue.vk().CreateBuffer(queue.device(), &nothing, nullptr, &buffer) == VK_SUCCESS)
    queue.vk().DestroyBuffer(queue.device(), buffer, nullptr);
  CHECK_THROWS_AS(opened->wait(), Error);
}

TEST_CASE("vulkan device: copies without a barrier between them are an error to the validation layers") {
  if (under_address_sanitizer)
    return skip("a sanitizer that looks for leaks finds those of the layers when they check this, so they do not");
  for (const bool waits : {true, false}) {
    const auto opened = open_test_gpu();
    if (!opened) return;
    auto& queue =
        const_cast<runtime::vulkan::Queue&>(dynamic_cast<const runtime::vulkan::VulkanDevice&>(*opened).queue());
    {
      const runtime::vulkan::Allocation from(queue, 256, runtime::vulkan::MemoryKind::staging),
          to(queue, 256, runtime::vulkan::MemoryKind::kernels);
      const runtime::vulkan::Commands commands =
          queue.begin_commands(queue.copies(), VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      const VkBufferCopy region{0, 0, 256};
      for (int i = 0; i < 2; ++i) {
        if (waits && i == 1) full_barrier(queue.vk(), commands);
        queue.vk().CmdCopyBuffer(commands.get(), from.buffer, to.buffer, 1, &region);
      }
      queue.end_commands(commands);
    }
    CAPTURE(waits);
    if (waits)
      CHECK_NOTHROW(opened->wait());
    else
      CHECK_THROWS_WITH_AS(opened->wait(), doctest::Contains("HAZARD"), Error);
  }
}

TEST_CASE("vulkan device: programs for another device are refused") {
  auto device = open_test_gpu();
  if (!device) return;
  Context context(std::move(device), 1);
  CHECK_THROWS_WITH(context.load(small_program()), "the program is for device 'cpu', this one is 'vulkan'");
}

TEST_CASE("vulkan device: names of GPUs") {
  CHECK(api::parse_device_name("gpu").kind == "gpu");
  CHECK(api::parse_device_name("gpu:3").number == 3u);
  CHECK_THROWS_AS(api::parse_device_name("gpu:first"), Error);
  CHECK_THROWS_AS(api::parse_device_name("gpo"), Error);
  open_test_gpu();
  const auto list = api::list_devices();
  CHECK(list.gpus.empty() == !list.why_no_gpu.empty());
  CHECK_THROWS_AS(api::open_device({.device = "gpu:4095"}), Error);
}

}  // namespace
}  // namespace webnn::tests::device_test
