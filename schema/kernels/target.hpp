// The target of a program: a device kind, the features that its kernels may use, and what the choice among them depends
// on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace webnn::schema {

enum class DeviceKind : std::uint8_t { cpu, vulkan };
struct DeviceKindRow {
  std::string_view name;   // in programs and of kernels
  std::string_view word;   // of --device
  std::string_view title;  // in sentences
  bool overlaps_steps;     // steps that do not depend on each other run at the same time
};
inline constexpr DeviceKindRow device_kind_rows[] = {
    {"cpu", "cpu", "CPU", false},
    {"vulkan", "gpu", "GPU", true},
};
constexpr const DeviceKindRow& row(DeviceKind device) { return device_kind_rows[std::size_t(device)]; }
inline constexpr auto device_kinds = [] {
  std::array<DeviceKind, std::size(device_kind_rows)> kinds{};
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = DeviceKind(i);
  return kinds;
}();
/// For a number from a file.
constexpr bool is_device_kind(DeviceKind device) { return std::size_t(device) < std::size(device_kind_rows); }
constexpr std::string_view name_of(DeviceKind device) { return row(device).name; }

/// What kernels may use beyond what every device has, as a bit set; the choice of kernels depends on it. For a CPU
/// these are instruction sets, for a GPU its capabilities and whether a CPU runs what it cannot.
enum class Feature : std::uint32_t {
  none = 0,
  avx2 = 1u << 0,    // with FMA and F16C
  avx512 = 1u << 1,  // F, BW, DQ, VL, CD
  avx512_vnni = 1u << 2,
  avx512_bf16 = 1u << 3,
  avx512_fp16 = 1u << 4,
  amx_bf16 = 1u << 5,
  amx_int8 = 1u << 6,
  neon = 1u << 13,  // of 64-bit ARM
  // For GPUs:
  cpu_fallback = 1u << 7,    // calls without a GPU kernel run on the CPU, by kernels for any processor
  memory_8bit = 1u << 8,     // shaders read and write bytes
  float16 = 1u << 9,         // arithmetic
  matrix_units = 1u << 10,   // of subgroups multiply float16 matrices with float32 sums
  shared_memory = 1u << 11,  // is faster than global memory, unlike on a driver that runs on the CPU
  long_loops = 1u << 12,     // shader loops may have any number of iterations
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
  /// Of a GPU: how many multiprocessors share a dispatch. The choice of tiles depends on it, whether a program runs does
  /// not. 0: unknown.
  std::uint32_t compute_units = 0;
  bool operator==(const Target&) const = default;
};

}  // namespace webnn::schema
