// What the CPU of this machine can do.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schema/kernels/target.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

/// Features that processor and operating system both offer and GLIBC_TUNABLES does not hide. Asks Linux for the use of
/// AMX tiles, which it grants per process, and leaves AMX out when refused. Never fails; `none` on other architectures.
Feature detect_cpu_features();

/// The most that `--isa NAME` lets kernels use: "baseline" (SSE2), "avx2", "avx512" (all of AVX-512), "amx" or
/// "native"; nullopt for another word.
std::optional<Feature> parse_isa(std::string_view name);
/// What a program compiled for `--target NAME` needs: a level of x86-64 or one of its names here ("x86-64-v3" or
/// "avx2"), or "native", all that this machine has. Nullopt for an unknown word.
std::optional<Feature> parse_cpu_target(std::string_view name);
std::vector<std::string_view> cpu_target_names();
/// The words that `parse_isa` knows, from least to most.
std::vector<std::string_view> isa_names();

/// The processor's name for reports, "unknown" where it has none.
std::string cpu_model_name();

}  // namespace webnn::runtime
