// What an x86-64 offers, and the names of its instruction sets.
#include <doctest/doctest.h>
#include <string>

#include "runtime/cpu/cpu_features.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/skip.hpp"

namespace cpu_features_x86_test {

using namespace webnn::runtime;
namespace tests = webnn::tests;

constexpr bool implies(bool a, bool b) { return !a || b; }

TEST_CASE("cpu features: every larger set includes the smaller ones") {
  const Feature found = detect_cpu_features();
  for (const Feature feature :
       {Feature::avx512_vnni, Feature::avx512_bf16, Feature::avx512_fp16, Feature::amx_bf16, Feature::amx_int8})
    CHECK(implies(includes(found, feature), includes(found, Feature::avx512)));
  CHECK(implies(includes(found, Feature::avx512), includes(found, Feature::avx2)));
}

TEST_CASE("cpu features: what GLIBC_TUNABLES hides is not there") {
  const auto cpu_without = [](const std::string& feature) {
    const std::string devices = tests::run_shell("GLIBC_TUNABLES=glibc.cpu.hwcaps=-" + feature + " " +
                                                 tests::program_words("webnn-cli") + " devices")
                                    .output;
    const std::size_t has = devices.find("has ");
    return devices.substr(has, devices.find('\n', has) - has);
  };
  if (!tests::machine_has(Feature::avx2)) return tests::skip(tests::machine_lacks(Feature::avx2));
  CHECK(cpu_without("AVX2").find("avx2") == std::string::npos);
  CHECK(cpu_without("AVX512F") == "has avx2");
}

TEST_CASE("cpu features: an x86-64 has the names of its own levels") {
  CHECK(parse_isa("avx2") == Feature::avx2);
  CHECK(parse_cpu_target("x86-64-v3") == Feature::avx2);
  CHECK_FALSE(parse_isa("neon"));
  CHECK_FALSE(parse_cpu_target("armv8"));
}

}  // namespace cpu_features_x86_test
