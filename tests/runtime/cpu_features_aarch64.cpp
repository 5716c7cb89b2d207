// What a 64-bit ARM offers, and the names of its instruction sets.
#include <doctest/doctest.h>

#include "runtime/cpu/cpu_features.hpp"

namespace cpu_features_aarch64_test {

using namespace webnn::runtime;

TEST_CASE("cpu features: every 64-bit ARM has NEON") {
  CHECK(detect_cpu_features() == Feature::neon);
  CHECK_FALSE(cpu_model_name().empty());
}

TEST_CASE("cpu features: a 64-bit ARM has the names of its own instruction sets") {
  CHECK(parse_isa("neon") == Feature::neon);
  CHECK(parse_cpu_target("armv8") == Feature::neon);
  CHECK(parse_cpu_target("native") == Feature::neon);
  CHECK_FALSE(parse_isa("avx2"));
  CHECK_FALSE(parse_cpu_target("x86-64-v3"));
}

}  // namespace cpu_features_aarch64_test
