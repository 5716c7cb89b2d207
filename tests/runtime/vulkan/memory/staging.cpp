// Copies by way of staging memory that are larger than it: in pieces, through memory that is kept.
#include "runtime/vulkan/memory/staging.hpp"

#include <algorithm>
#include <cstdint>
#include <doctest/doctest.h>
#include <optional>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "runtime/vulkan/vulkan_device.hpp"
#include "tests/harness/machine/gpu.hpp"

namespace vulkan_staging_test {

using namespace webnn;
using runtime::Buffer;
using runtime::vulkan::Part;
using runtime::vulkan::Staging;
using runtime::vulkan::VulkanDevice;
using tests::open_test_gpu;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// Different bytes at all places that a copy may confuse.
std::vector<std::byte> pattern(std::size_t bytes, std::mt19937& engine) {
  std::vector<std::byte> content(bytes);
  std::uint32_t word = engine();
  for (std::byte& byte : content) byte = std::byte((word = word * 1664525u + 1013904223u) >> 24);
  return content;
}

TEST_CASE("vulkan memory: large copies keep their staging memory and allocate no more") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(23);
  const Buffer buffer = device.allocate(30 * mebibyte + 3);
  const auto round_trip = [&] {
    const std::vector<std::byte> content = pattern(buffer.size(), engine);
    device.upload(buffer, content);
    CHECK(device.memory().staging_bytes() <= Staging::kept_bytes);
    std::vector<std::byte> back(content.size());
    device.download(back, buffer);
    CHECK(back == content);
  };
  round_trip();
  const std::uint64_t allocations = device.memory().staging_allocations();
  CHECK(allocations <= 2);
  for (int i = 0; i < 2; ++i) {
    round_trip();
    device.wait();
  }
  CHECK(device.memory().staging_allocations() == allocations);
  CHECK(device.memory().free_staging() == Staging::kept_bytes);
  CHECK(device.memory().staging_bytes() == 0);
  round_trip();
}

TEST_CASE("vulkan memory: the first uploads are one submission, later ones begin while others are staged") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(29);
  std::vector<Buffer> buffers;
  std::vector<std::vector<std::byte>> contents;
  for (int i = 0; i < 30; ++i) {
    contents.push_back(pattern(3 * mebibyte + engine() % 100'000, engine));
    buffers.push_back(device.allocate(contents.back().size()));
  }
  const auto check_all = [&] {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      std::vector<std::byte> back(contents[i].size());
      device.download(back, buffers[i]);
      REQUIRE(back == contents[i]);
    }
  };
  const auto upload_all = [&] {
    for (std::size_t i = 0; i < buffers.size(); ++i) device.upload(buffers[i], contents[i]);
  };
  upload_all();
  CHECK(device.queue().submitted() == 0);
  check_all();
  CHECK(device.memory().staging_bytes() <= Staging::kept_bytes);
  const std::uint64_t before = device.queue().submitted();
  for (auto& content : contents) content = pattern(content.size(), engine);
  upload_all();
  CHECK(device.queue().submitted() > before + 10);
  CHECK(device.memory().staging_bytes() <= Staging::kept_bytes);
  check_all();
}

TEST_CASE("vulkan memory: parts of any size and place, uploaded and downloaded between expected downloads") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(31);
  std::vector<std::byte> content = pattern(45 * mebibyte + 77, engine);
  const Buffer buffer = device.allocate(content.size());
  device.upload(buffer, content);
  std::vector<Buffer> others;
  std::vector<std::vector<std::byte>> other_contents;
  for (int i = 0; i < 5; ++i) {  // more than the staging memory that is kept
    other_contents.push_back(pattern(4 * mebibyte - std::size_t(i), engine));
    others.push_back(device.allocate(other_contents.back().size()));
    device.upload(others.back(), other_contents.back());
  }
  const Part whole = device.memory().find(buffer.address());
  for (int round = 0; round < 12; ++round) {
    CAPTURE(round);
    const std::size_t most = round % 2 == 0 ? content.size() : 3'000'000;
    const std::size_t bytes = 1 + engine() % most, offset = engine() % (content.size() - bytes + 1);
    const Part part{whole.allocation, whole.offset + offset};
    const std::span<std::byte> place = std::span(content).subspan(offset, bytes);
    if (round % 3 != 2) {
      std::ranges::copy(pattern(bytes, engine), place.begin());
      device.memory().upload(part, place);
    }
    for (std::size_t i = 0; i < others.size(); ++i) device.expect_download(others[i], other_contents[i].size());
    std::vector<std::byte> back(bytes);
    device.memory().download(back, part);
    REQUIRE(std::ranges::equal(back, place));
    for (std::size_t i = 0; i < others.size(); ++i) {
      std::vector<std::byte> other(other_contents[i].size());
      device.download(other, others[i]);
      REQUIRE(other == other_contents[i]);
    }
    CHECK(device.memory().staging_bytes() <= Staging::kept_bytes);
  }
  std::vector<std::byte> back(content.size());
  device.download(back, buffer);
  CHECK(back == content);
}

TEST_CASE("vulkan memory: two threads copy at once") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  const auto copy = [&](unsigned seed, bool& is_right) {
    std::mt19937 engine(seed);
    for (const std::size_t bytes : {20 * mebibyte + 1, std::size_t{999}, 9 * mebibyte, 17 * mebibyte + 5}) {
      const Buffer buffer = device.allocate(bytes);
      const std::vector<std::byte> content = pattern(bytes, engine);
      device.memory().upload(buffer, content);
      std::vector<std::byte> back(bytes);
      device.memory().download(back, buffer);
      is_right = is_right && back == content;
    }
  };
  bool first = true, second = true;
  std::thread other([&] { copy(37, second); });
  copy(41, first);
  other.join();
  CHECK(first);
  CHECK(second);
  CHECK(device.memory().staging_bytes() <= Staging::kept_bytes);
}

TEST_CASE("vulkan memory: more is uploaded than there is staging memory, and buffers come and go") {
  auto opened = open_test_gpu(true);
  if (!opened) return;
  std::mt19937 engine(13);
  // More than 200 MiB before anything is read; one buffer is larger than a piece of staging memory.
  struct Kept {
    Buffer buffer;
    std::vector<std::byte> content;
  };
  std::vector<std::optional<Kept>> kept;
  for (const std::size_t mebibytes : {1, 90, 3, 40, 17, 60, 5}) {
    Kept one{opened->allocate((mebibytes << 20) + 13), pattern((mebibytes << 20) + 13, engine)};
    opened->upload(one.buffer, one.content);
    kept.emplace_back(std::move(one));
  }
  for (int round = 0; round < 12; ++round) {
    auto& slot = kept[engine() % kept.size()];
    slot.reset();  // also what was uploaded and never submitted
    Kept one{opened->allocate(1 + engine() % (12u << 20)), {}};
    one.content = pattern(one.buffer.size(), engine);
    opened->upload(one.buffer, one.content);
    slot.emplace(std::move(one));
    const auto& other = kept[engine() % kept.size()];
    std::vector<std::byte> back(other->content.size());
    opened->download(back, other->buffer);
    REQUIRE(back == other->content);
  }
  for (const auto& one : kept) {
    std::vector<std::byte> back(one->content.size());
    opened->download(back, one->buffer);
    CHECK(back == one->content);
  }
}

}  // namespace vulkan_staging_test
