// Opening a device by the name that people give it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/context_options.hpp"
#include "runtime/device.hpp"
#include "runtime/vulkan/gpu.hpp"

namespace webnn::api {

/// "cpu", or "cpu:PROVIDER" which prefers the kernels of one provider ("cpu:reference"); "gpu", or "gpu:N"; "auto".
struct DeviceName {
  std::string kind;                     // "cpu", "gpu" or "auto"
  std::string provider;                 // of kernels; empty: the table's order
  std::optional<unsigned> number = {};  // of a GPU; none: the best one
};

/// Throws Error (usage) for a name that means no device, with what there is.
DeviceName parse_device_name(std::string_view text);

/// All of CPU kernels, each once, in the order of the kernel table.
std::vector<std::string_view> cpu_providers();

/// Opens the device that the options name; for "auto" the one of choose_device. Throws Error: usage for an unknown
/// word, device when it is not there.
std::unique_ptr<runtime::Device> open_device(const ContextOptions& options);

/// What a machine offers.
struct DeviceList {
  std::string cpu;  // its features
  std::vector<runtime::GpuInfo> gpus;
  std::string why_no_gpu;  // when there is none
};
DeviceList list_devices();

/// What "auto" stands for: the best GPU that is one and not software, else the CPU.
struct DeviceChoice {
  std::string device;  // "gpu:0" or "cpu"
  std::string why;     // the GPU's name, or why it is none
};
DeviceChoice choose_device(const DeviceList& devices);

/// Whether the device is a GPU in name only: software that runs shaders on the CPU.
bool is_software_gpu(const runtime::Device& device);

/// What a program is compiled for, and a device of this machine that comes nearest to it.
struct CompileTarget {
  schema::Target target;
  std::unique_ptr<runtime::Device> here;
};
/// `name`: a level of x86-64 (x86-64-v3), an instruction set (avx2, avx512, amx), baseline or native. Throws Error
/// (usage) for an unknown word.
CompileTarget open_target(const DeviceName& device, std::string_view name);

}  // namespace webnn::api
