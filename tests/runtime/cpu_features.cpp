// What the CPU offers and how --isa limits it.
#include "runtime/cpu/cpu_features.hpp"

#include <doctest/doctest.h>
#include <string>

#include "runtime/cpu/cpu_device.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace cpu_features_test {

using namespace webnn::runtime;
namespace tests = webnn::tests;

TEST_CASE("cpu features: every larger set includes the smaller ones") {
  const Feature found = detect_cpu_features();
  for (const Feature feature :
       {Feature::avx512_vnni, Feature::avx512_bf16, Feature::avx512_fp16, Feature::amx_bf16, Feature::amx_int8})
    if (includes(found, feature)) CHECK(includes(found, Feature::avx512));
  if (includes(found, Feature::avx512)) CHECK(includes(found, Feature::avx2));
}

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

TEST_CASE("cpu features: what GLIBC_TUNABLES hides is not there") {
  const auto cpu_without = [](const std::string& feature) {
    const std::string devices =
        tests::run_shell("GLIBC_TUNABLES=glibc.cpu.hwcaps=-" + feature + " " +
                         tests::shell_word(tests::build_dir() / "bin" / "webnn-cli") + " devices")
            .output;
    const std::size_t has = devices.find("has ");
    return devices.substr(has, devices.find('\n', has) - has);
  };
  if (!tests::machine_has(Feature::avx2)) return tests::skip(tests::machine_lacks(Feature::avx2));
  CHECK(cpu_without("AVX2").find("avx2") == std::string::npos);
  CHECK(cpu_without("AVX512F") == "has avx2");
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
