// The interface of the vulkan provider to the rest of the program: listing GPUs, and opening one as a Device.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device.hpp"

namespace webnn::runtime {

/// A Vulkan device of this machine.
struct GpuInfo {
  unsigned number = 0;  // the N of "gpu:N"
  std::string name;
  std::string kind;  // discrete, integrated, virtual, cpu, other
  std::string driver;
  std::string version;  // of Vulkan
  std::string uuid;     // 32 hexadecimal digits, which stay when devices are added
  std::uint64_t memory_bytes = 0;
  std::uint64_t free_bytes = 0;       // of that, what this process may still allocate; 0: unknown
  std::uint32_t compute_units = 0;    // 0: unknown
  std::vector<std::string> missing;   // required features that it lacks; empty: the device can be used
  std::vector<std::string> features;  // optional features that it has and kernels use
};

/// All Vulkan devices, in the order of their numbers. Throws Error (device) without a loader or a driver.
std::vector<GpuInfo> list_gpus();

/// The device used when none is named: the best usable one, discrete before integrated before software, and among
/// equals the one with most memory; null if none can be used.
const GpuInfo* best_gpu(std::span<const GpuInfo> gpus);
/// Whether the device is software that runs shaders on the CPU.
bool is_software_gpu(const Device& device);

/// The rows of all GPU kernels of this build.
std::vector<const KernelRow*> gpu_kernel_rows();

/// Extension of the files in GpuOptions::cache_folder.
inline constexpr std::string_view shader_file_extension = ".pipelines";

struct GpuOptions {
  std::optional<unsigned> number = {};         // none: the device named by `uuid`, or the best usable one, see best_gpu
  std::string uuid = {};                       // as GpuInfo has it; empty: any device
  bool validation = false;                     // enables the validation layers; their messages become errors
  bool staging = false;                        // never maps device memory, even if the host could
  std::filesystem::path cache_folder = {};     // keeps compiled shaders between runs; empty: nowhere
  std::filesystem::path shader_folder = {};    // NAME.spv there replaces the built-in shader of this name; empty: none
  std::unique_ptr<Device> fallback = {};       // a CPU for calls without a GPU kernel; null: such calls are refused
  std::vector<std::string_view> without = {};  // optional features to be treated as missing
  // The time in which a device must end some of its work, or it counts as lost; none: a minute, 0: no limit.
  std::optional<std::chrono::nanoseconds> wait_limit = {};
  bool inexact_division = false;  // quotients are taken to be as inexact as Vulkan allows, whatever the driver does
  bool least_groups = false;      // workgroups have no more lanes and shared memory than Vulkan promises
  // What kernels submit at once, in flops; 0: as the device is (see Profile::flops_at_once).
  std::uint64_t flops_at_once = 0;
};

/// Throws Error (device) when there is no such device or it lacks a required feature.
std::unique_ptr<Device> open_gpu(GpuOptions options);

}  // namespace webnn::runtime
