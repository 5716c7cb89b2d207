// What the CPU offers and how --isa limits it.
#include "runtime/cpu/cpu_features.hpp"

#include <doctest/doctest.h>

#include "runtime/cpu/cpu_device.hpp"

namespace cpu_features_test {

using namespace webnn::runtime;

TEST_CASE("cpu features: --isa names go from least to most and limit a device") {
  Feature former = Feature::none;
  for (const std::string_view name : isa_names()) {
    const std::optional<Feature> limit = parse_isa(name);
    REQUIRE(limit);
    CHECK(includes(*limit, former));
    CHECK(includes(*limit, CpuDevice(*limit).target().features));
    former = *limit;
  }
  CHECK(CpuDevice(*parse_isa("native")).target() == CpuDevice().target());
  CHECK(CpuDevice(*parse_isa("baseline")).target().features == Feature::none);
  CHECK_FALSE(parse_isa("avx1024"));
  CHECK_FALSE(parse_isa(""));
}

TEST_CASE("cpu device: buffers are aligned, padded and move") {
  CpuDevice device;
  for (std::size_t bytes : {0, 1, 63, 64, 65, 1'000'000}) {
    Buffer buffer = device.allocate(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.address()) % 64 == 0);
    CHECK(buffer.size() == bytes);
    for (std::size_t i = 0; i < buffer_padding; ++i) CHECK(buffer.address()[bytes + i] == std::byte{0});
    std::byte* address = buffer.address();
    Buffer moved = std::move(buffer);
    CHECK(moved.address() == address);
    CHECK(buffer.address() == nullptr);  // NOLINT(bugprone-use-after-move): a moved-from buffer is empty
  }
}

}  // namespace cpu_features_test
