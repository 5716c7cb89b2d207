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

/// "cpu", or "cpu:PROVIDER" which prefers the kernels of one provider ("cpu:reference"); "gpu", or "gpu:N".
struct DeviceName {
  std::string kind;                     // "cpu" or "gpu"
  std::string provider;                 // of kernels; empty: the table's order
  std::optional<unsigned> number = {};  // of a GPU; none: the best one
};

/// Throws Error (usage) for a name that means no device, with what there is.
DeviceName parse_device_name(std::string_view text);

/// Opens the device that the options name. Throws Error: usage for an unknown word, device when it is not there.
std::unique_ptr<runtime::Device> open_device(const ContextOptions& options);

/// What a machine offers.
struct DeviceList {
  std::string cpu;  // its features
  std::vector<runtime::GpuInfo> gpus;
  std::string why_no_gpu;  // when there is none
};
DeviceList list_devices();

/// What a program is compiled for, and a device of this machine that comes nearest to it.
struct CompileTarget {
  schema::Target target;
  std::unique_ptr<runtime::Device> here;
};
/// `name`: a level of x86-64 (x86-64-v3), an instruction set (avx2, avx512, amx), baseline or native. Throws Error
/// (usage) for an unknown word.
CompileTarget open_target(const DeviceName& device, std::string_view name);

}  // namespace webnn::api
