// x86-64: the instruction sets that rows name, and what this machine has.
#include <array>
#include <cpuid.h>
#include <cstring>
#ifdef __clang__
#define _Bool bool  // in the C++ of GCC alone it is a type, and the next header wants it
#endif
#include <sys/platform/x86.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/cpu/processor.hpp"

namespace webnn::runtime {
namespace {

constexpr Feature avx512_all =
    Feature::avx2 | Feature::avx512 | Feature::avx512_vnni | Feature::avx512_bf16 | Feature::avx512_fp16;
constexpr Feature everything = avx512_all | Feature::amx_bf16 | Feature::amx_int8;

constexpr NamedFeatures instruction_sets[] = {
    {"baseline", Feature::none}, {"avx2", Feature::avx2}, {"avx512", avx512_all},
    {"amx", everything},         {"native", everything},
};

constexpr Feature avx512_core = Feature::avx2 | Feature::avx512;

/// The minimum features of processors with each name.
constexpr NamedFeatures targets[] = {
    {"baseline", Feature::none},
    {"x86-64-v2", Feature::none},
    {"avx2", Feature::avx2},
    {"x86-64-v3", Feature::avx2},
    {"avx512", avx512_core},
    {"x86-64-v4", avx512_core},
    {"amx", avx512_core | Feature::avx512_vnni | Feature::avx512_bf16 | Feature::amx_bf16 | Feature::amx_int8},
};

struct Registers {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All zero for a leaf that the processor does not have.
Registers cpuid(unsigned leaf, unsigned subleaf = 0) {
  Registers r;
  if (!__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx)) return {};
  return r;
}

bool permit_amx() {
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

}  // namespace

std::span<const NamedFeatures> isas() { return instruction_sets; }
std::span<const NamedFeatures> cpu_targets() { return targets; }

Feature detect_cpu_features() {
  Feature found = Feature::none;
  const auto add = [&found](Feature feature, bool present) {
    if (present) found = found | feature;
  };
  add(Feature::avx2, CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(FMA) && CPU_FEATURE_ACTIVE(F16C));
  if (!includes(found, Feature::avx2)) return found;

  add(Feature::avx512, CPU_FEATURE_ACTIVE(AVX512F) && CPU_FEATURE_ACTIVE(AVX512DQ) && CPU_FEATURE_ACTIVE(AVX512CD) &&
                           CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512VL));
  if (!includes(found, Feature::avx512)) return found;

  add(Feature::avx512_vnni, CPU_FEATURE_ACTIVE(AVX512_VNNI));
  add(Feature::avx512_bf16, CPU_FEATURE_ACTIVE(AVX512_BF16));
  add(Feature::avx512_fp16, CPU_FEATURE_ACTIVE(AVX512_FP16));
  if (CPU_FEATURE_ACTIVE(AMX_TILE) && permit_amx()) {
    add(Feature::amx_bf16, CPU_FEATURE_ACTIVE(AMX_BF16));
    add(Feature::amx_int8, CPU_FEATURE_ACTIVE(AMX_INT8));
  }
  return found;
}

std::string cpu_model_name() {
  if (cpuid(0x80000000u).eax < 0x80000004u) return "unknown";
  std::array<char, 49> text{};
  for (unsigned i = 0; i < 3; ++i) {
    const Registers r = cpuid(0x80000002u + i);
    std::memcpy(text.data() + 16 * i, &r, 16);
  }
  std::string name = text.data();
  name.erase(0, name.find_first_not_of(' '));
  name.erase(name.find_last_not_of(' ') + 1);
  return name.empty() ? "unknown" : name;
}

}  // namespace webnn::runtime
