// Which memory is kept for the next copies on their way to a device.
#include "runtime/tensors/host_copies.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <stdexcept>
#include <vector>

namespace webnn::tests::host_copies_test {
namespace {

using runtime::HostCopies;

constexpr std::size_t kibibyte = 1024;

std::vector<std::byte> bytes(std::size_t count) {
  std::vector<std::byte> content(count);
  for (std::size_t i = 0; i < count; ++i) content[i] = std::byte(i * 7);
  return content;
}

/// Where the copy of `count` bytes lies, which is right.
const std::byte* place_of_copy(HostCopies& copies, std::size_t count) {
  const std::vector<std::byte> content = bytes(count);
  const HostCopies::Copy copy = copies.copy_of(content);
  CHECK(std::ranges::equal(copy.bytes(), content));
  return copy.bytes().data();
}

}  // namespace

TEST_CASE("host copies: memory is used again for copies of its size, down to half of it") {
  HostCopies copies;
  const std::byte* const first = place_of_copy(copies, 200 * kibibyte);
  CHECK(copies.kept_bytes() == 200 * kibibyte);
  CHECK(place_of_copy(copies, 200 * kibibyte) == first);
  CHECK(place_of_copy(copies, 100 * kibibyte) == first);
  CHECK(copies.kept_bytes() == 200 * kibibyte);
  place_of_copy(copies, 99 * kibibyte);
  CHECK(copies.kept_bytes() == 299 * kibibyte);
  place_of_copy(copies, 201 * kibibyte);
  CHECK(copies.kept_bytes() == 500 * kibibyte);
}

TEST_CASE("host copies: little memory is not kept, nor is very much") {
  HostCopies copies;
  place_of_copy(copies, 0);
  place_of_copy(copies, 4);
  place_of_copy(copies, HostCopies::least_kept - 1);
  place_of_copy(copies, HostCopies::most_kept + 1);
  CHECK(copies.kept_bytes() == 0);
  place_of_copy(copies, HostCopies::least_kept);
  CHECK(copies.kept_bytes() == HostCopies::least_kept);
}

TEST_CASE("host copies: so many are kept and so much, those that were used last") {
  HostCopies copies;
  std::vector<HostCopies::Copy> held;
  const std::vector<std::byte> small = bytes(64 * kibibyte), large = bytes(30 << 20);
  for (std::size_t i = 0; i < 2 * HostCopies::most_copies; ++i) held.push_back(copies.copy_of(small));
  CHECK(copies.kept_bytes() == 0);
  held.clear();
  CHECK(copies.kept_bytes() == HostCopies::most_copies * small.size());
  for (int i = 0; i < 3; ++i) held.push_back(copies.copy_of(large));
  held.clear();
  CHECK(copies.kept_bytes() >= 2 * large.size());
  CHECK(copies.kept_bytes() <= HostCopies::most_kept);
}

TEST_CASE("host copies: memory goes back when its user fails, and nothing is kept after the end") {
  HostCopies copies;
  const std::vector<std::byte> content = bytes(64 * kibibyte);
  const auto fail = [&] {
    const HostCopies::Copy copy = copies.copy_of(content);
    throw std::runtime_error("an upload fails");
  };
  CHECK_THROWS(fail());
  CHECK(copies.kept_bytes() == content.size());
  {
    const HostCopies::Copy last = copies.copy_of(content), other = copies.copy_of(content);
    copies.close();
  }
  CHECK(copies.kept_bytes() == 0);
}

}  // namespace webnn::tests::host_copies_test
