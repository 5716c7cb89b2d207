// Memory of the GPU in blocks, and copies by way of staging memory.
#include <algorithm>
#include <doctest/doctest.h>
#include <future>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "runtime/context.hpp"
#include "runtime/vulkan/memory/free_ranges.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace vulkan_memory_test {

using namespace webnn;
using runtime::Buffer;
using runtime::vulkan::FreeRanges;
using runtime::vulkan::VulkanDevice;
using tests::open_test_gpu;

TEST_CASE("vulkan free ranges: what is taken never overlaps, and everything given back is one range again") {
  std::mt19937 engine(7);
  constexpr std::uint64_t bytes = 1000;
  FreeRanges ranges(bytes);
  std::map<std::uint64_t, std::uint64_t> taken;
  std::size_t refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    if (!taken.empty() && engine() % 2 == 0) {
      const auto one = std::next(taken.begin(), std::ptrdiff_t(engine() % taken.size()));
      ranges.give_back(one->first);
      taken.erase(one);
    } else {
      const std::uint64_t size = 1 + engine() % 120;
      const auto begin = ranges.take(size);
      if (!begin) {
        // No gap is large enough.
        std::uint64_t end = 0, gap = 0;
        for (const auto& [at, length] : taken) gap = std::max(gap, at - end), end = at + length;
        REQUIRE(std::max(gap, bytes - end) < size);
        ++refused;
        continue;
      }
      const auto next = taken.lower_bound(*begin);
      REQUIRE(*begin + size <= (next == taken.end() ? bytes : next->first));
      if (next != taken.begin()) REQUIRE(std::prev(next)->first + std::prev(next)->second <= *begin);
      taken.emplace(*begin, size);
    }
    REQUIRE(ranges.is_unused() == taken.empty());
  }
  CHECK(refused > 100);
  for (const auto& [begin, size] : taken) ranges.give_back(begin);
  CHECK(ranges.take(bytes) == 0u);
}

std::vector<std::byte> random_bytes(std::size_t count, std::mt19937& engine) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = std::byte(engine());
  return bytes;
}

TEST_CASE("vulkan memory: many uploads are one submission, in the order of their calls") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(11);
  std::vector<Buffer> buffers;
  std::vector<std::vector<std::byte>> contents;
  const std::uint64_t before = device.queue().submitted();
  for (int i = 0; i < 300; ++i) {
    contents.push_back(random_bytes(1 + engine() % 5000, engine));
    buffers.push_back(device.allocate(contents.back().size()));
    device.upload(buffers.back(), contents.back());
  }
  for (int i = 0; i < 300; i += 3) {  // again, and some of it only at the beginning
    const auto other = random_bytes(contents[std::size_t(i)].size() / (i % 2 + 1), engine);
    device.upload(buffers[std::size_t(i)], other);
    std::ranges::copy(other, contents[std::size_t(i)].begin());
  }
  device.clear(buffers[1]);
  contents[1].assign(contents[1].size(), std::byte{0});
  CHECK(device.queue().submitted() == before);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    std::vector<std::byte> back(contents[i].size());
    device.download(back, buffers[i]);
    REQUIRE(back == contents[i]);
  }
}

TEST_CASE("vulkan memory: expected downloads are one submission, and what changes their buffers is seen") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(17);
  std::vector<Buffer> buffers;
  std::vector<std::vector<std::byte>> contents;
  for (int i = 0; i < 9; ++i) {
    contents.push_back(random_bytes(1 + engine() % 50'000, engine));
    buffers.push_back(device.allocate(contents.back().size()));
    device.upload(buffers.back(), contents.back());
  }
  const auto downloaded = [&](std::size_t i) {
    std::vector<std::byte> back(contents[i].size());
    device.download(back, buffers[i]);
    return back;
  };
  const auto expect_all = [&] {
    for (std::size_t i = 0; i < buffers.size(); ++i) device.expect_download(buffers[i], contents[i].size());
  };
  const std::uint64_t before = device.queue().submitted();
  expect_all();
  CHECK(device.queue().submitted() == before);
  for (std::size_t i = buffers.size(); i-- > 0;) REQUIRE(downloaded(i) == contents[i]);  // in any order
  CHECK(device.queue().submitted() == before + 1);
  REQUIRE(downloaded(3) == contents[3]);  // again, without being expected
  CHECK(device.queue().submitted() == before + 2);

  expect_all();
  REQUIRE(downloaded(0) == contents[0]);
  contents[1] = random_bytes(contents[1].size(), engine);
  device.upload(buffers[1], contents[1]);
  device.clear(buffers[2]);
  contents[2].assign(contents[2].size(), std::byte{0});
  for (std::size_t i = 0; i < buffers.size(); ++i) REQUIRE(downloaded(i) == contents[i]);
  expect_all();
  buffers[4] = Buffer();  // never asked for
  buffers[4] = device.allocate(contents[4].size());
  device.upload(buffers[4], contents[4]);
  for (std::size_t i = 0; i < buffers.size(); ++i) REQUIRE(downloaded(i) == contents[i]);
}

TEST_CASE("vulkan memory: a joined read that is refused keeps no staging memory") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  runtime::Context context(std::move(opened), 1);
  constexpr std::uint32_t count = 3u << 18;  // 3 MiB
  const runtime::TensorDescriptor descriptor{{runtime::DataType::float32, runtime::Shape{count}}, true, true};
  std::vector<runtime::TensorId> tensors;
  std::mt19937 engine(19);
  const std::vector<std::byte> content = random_bytes(std::size_t{count} * 4, engine);
  for (int i = 0; i < 3; ++i) {
    tensors.push_back(context.create_tensor(descriptor));
    context.write(tensors.back(), content);
  }
  // The timeline stands still until everything has been requested.
  std::promise<void> go, stands;
  context.read(tensors[0], [&](auto) {
    stands.set_value();
    go.get_future().wait();
  });
  stands.get_future().wait();
  std::promise<void> first;
  context.read(tensors[0], [&](auto read) {
    context.destroy(tensors[1]);
    CHECK(read.get() == content);
    first.set_value();
  });
  auto refused = context.read(tensors[1]), last = context.read(tensors[2]);
  go.set_value();
  first.get_future().wait();
  CHECK_THROWS_AS(refused.get(), schema::Error);
  CHECK(last.get() == content);
  CHECK(device.memory().staging_bytes() <= 16u << 20);
  device.memory().free_staging();
  CHECK(device.memory().staging_bytes() == 0);  // nothing of it is held
}

}  // namespace vulkan_memory_test
