// GPUs as the rest of the program sees them: which there are, and opening one as a Device.
#pragma once

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
  std::uint64_t memory_bytes = 0;
  std::vector<std::string> missing;   // what programs need and it lacks; empty: it can be used
  std::vector<std::string> features;  // what kernels use where it is there
};

/// All Vulkan devices, in the order of their numbers. Throws Error (device) without a loader or a driver.
std::vector<GpuInfo> list_gpus();

/// The one to take when none is named: of those that can be used, discrete before integrated before software; null:
/// none can be used.
const GpuInfo* best_gpu(std::span<const GpuInfo> gpus);
/// Whether the device is a GPU in name only: software that runs shaders on the CPU.
bool is_software_gpu(const Device& device);

/// Of the files in GpuOptions::cache_folder.
inline constexpr std::string_view shader_file_extension = ".pipelines";

struct GpuOptions {
  std::optional<unsigned> number = {};  // none: the best that can be used, discrete before integrated before software
  bool validation = false;              // every call is watched by the validation layers, whose complaints are errors
  bool staging = false;                 // as if the host saw no memory of the device, whatever it sees
  std::filesystem::path cache_folder = {};  // where compiled shaders are kept from run to run; empty: nowhere
  std::unique_ptr<Device> fallback =
      {};  // a CPU for calls that the GPU has no kernel for; null: such calls are refused
  std::vector<std::string_view> without = {};  // optional features, as if the device lacked them
};

/// Throws Error (device) when there is no such device or it lacks something.
std::unique_ptr<Device> open_gpu(GpuOptions options);

}  // namespace webnn::runtime
