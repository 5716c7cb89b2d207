// 64-bit ARM: the instruction sets that rows name, and what this machine has.
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "runtime/cpu/processor.hpp"

namespace webnn::runtime {
namespace {

constexpr NamedFeatures instruction_sets[] = {
    {"baseline", Feature::none},
    {"neon", Feature::neon},
    {"native", Feature::neon},
};

/// The minimum features of processors with each name.
constexpr NamedFeatures targets[] = {
    {"baseline", Feature::none},
    {"armv8", Feature::neon},
    {"neon", Feature::neon},
};

/// A kind of core, by the numbers in the register MIDR_EL1.
struct Core {
  unsigned implementer, part;
  std::string_view name;
};
constexpr Core cores[] = {
    {0x41, 0xd03, "ARM Cortex-A53"},  {0x41, 0xd04, "ARM Cortex-A35"}, {0x41, 0xd05, "ARM Cortex-A55"},
    {0x41, 0xd07, "ARM Cortex-A57"},  {0x41, 0xd08, "ARM Cortex-A72"}, {0x41, 0xd09, "ARM Cortex-A73"},
    {0x41, 0xd0a, "ARM Cortex-A75"},  {0x41, 0xd0b, "ARM Cortex-A76"}, {0x41, 0xd0c, "ARM Neoverse-N1"},
    {0x41, 0xd40, "ARM Neoverse-V1"}, {0x41, 0xd41, "ARM Cortex-A78"}, {0x41, 0xd49, "ARM Neoverse-N2"},
    {0x41, 0xd4f, "ARM Neoverse-V2"}, {0x46, 0x001, "Fujitsu A64FX"},  {0xc0, 0xac3, "Ampere-1"},
    {0xc0, 0xac4, "Ampere-1a"},
};

}  // namespace

std::span<const NamedFeatures> isas() { return instruction_sets; }
std::span<const NamedFeatures> cpu_targets() { return targets; }

/// Every 64-bit ARM has NEON under Linux.
Feature detect_cpu_features() { return Feature::neon; }

std::string cpu_model_name() {
  std::ifstream file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1");
  std::uint64_t midr = 0;
  if (!(file >> std::hex >> midr)) return "unknown";
  const unsigned implementer = unsigned(midr >> 24) & 0xff, part = unsigned(midr >> 4) & 0xfff;
  for (const Core& core : cores)
    if (core.implementer == implementer && core.part == part) return std::string(core.name);
  char text[40];
  std::snprintf(text, sizeof text, "ARM core 0x%02x:0x%03x", implementer, part);
  return text;
}

}  // namespace webnn::runtime
