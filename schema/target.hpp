// What a program is compiled for: a device kind and the features that its kernels may use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace webnn::schema {

enum class DeviceKind : std::uint8_t { cpu, vulkan };
std::string_view name_of(DeviceKind device);

/// What kernels may use beyond what every device has: instruction sets of a CPU, and the CPU beside a GPU; a bit set.
enum class Feature : std::uint32_t {
  none = 0,
  avx2 = 1u << 0,    // with FMA and F16C
  avx512 = 1u << 1,  // F, BW, DQ, VL, CD
  avx512_vnni = 1u << 2,
  avx512_bf16 = 1u << 3,
  avx512_fp16 = 1u << 4,
  amx_bf16 = 1u << 5,
  amx_int8 = 1u << 6,
  cpu_fallback = 1u << 7,  // of a GPU: calls that it has no kernel for run on the CPU, by kernels for any processor
};
constexpr Feature operator|(Feature a, Feature b) { return Feature(std::uint32_t(a) | std::uint32_t(b)); }
constexpr Feature operator&(Feature a, Feature b) { return Feature(std::uint32_t(a) & std::uint32_t(b)); }
constexpr Feature without(Feature features, Feature left_out) {
  return Feature(std::uint32_t(features) & ~std::uint32_t(left_out));
}
constexpr bool includes(Feature have, Feature need) { return (have & need) == need; }
/// "avx2 avx512"; "none" for the empty set.
std::string text_of(Feature features);

struct Target {
  DeviceKind device = DeviceKind::cpu;
  Feature features = Feature::none;
  bool operator==(const Target&) const = default;
};

}  // namespace webnn::schema
