// Detects the features of this machine's CPU.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schema/kernels/target.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

/// The features that both the processor and the operating system offer and GLIBC_TUNABLES does not hide. Requests the
/// use of AMX tiles from Linux, which grants it per process, and leaves out AMX when refused. Never fails.
Feature detect_cpu_features();

/// The features that `--isa NAME` allows at most: "baseline" (kernels for any processor of this kind), "native" or one
/// between: "avx2", "avx512" (all of AVX-512) and "amx", or on ARM "neon". Nullopt for another word.
std::optional<Feature> parse_isa(std::string_view name);
/// The features that a program compiled for `--target NAME` needs: a level of the processors or an instruction set
/// ("x86-64-v3", "avx2", "armv8"), or "native" for all features of this machine. Nullopt for an unknown word.
std::optional<Feature> parse_cpu_target(std::string_view name);
std::vector<std::string_view> cpu_target_names();
/// The words that `parse_isa` accepts, in ascending order.
std::vector<std::string_view> isa_names();

/// The processor's name for reports; "unknown" if it has none.
std::string cpu_model_name();

}  // namespace webnn::runtime
