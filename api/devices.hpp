// Opens devices by the names that people use.
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

/// "cpu", or "cpu:PROVIDER" to prefer the kernels of one provider ("cpu:reference"); "gpu", "gpu:N" or
/// "gpu:UUID"; "auto".
struct DeviceName {
  std::string kind;                     // "auto", or the word of a DeviceRow: "cpu", "gpu"
  std::string provider;                 // preferred provider of kernels; empty: costs decide
  std::optional<unsigned> number = {};  // of a GPU; nullopt: the one with `uuid`, or the best one
  std::string uuid = {};                // of a GPU; empty: any
};

/// Throws Error (usage) for an unknown name, and lists the known ones.
DeviceName parse_device_name(std::string_view text);

/// Opens the device named in the options; for "auto" the result of choose_device. Throws Error: usage for an unknown
/// word, device when it is not available.
std::unique_ptr<runtime::Device> open_device(const ContextOptions& options);

/// The devices of a machine.
struct DeviceList {
  std::string cpu;  // its features
  std::vector<runtime::GpuInfo> gpus;
  std::string why_no_gpu;  // empty if there is one
};
DeviceList list_devices();

/// The meaning of "auto": the best GPU that is not software, otherwise the CPU.
struct DeviceChoice {
  std::string device;  // "gpu:0" or "cpu"
  std::string why;     // the GPU's name, or why there is no suitable one
};
DeviceChoice choose_device(const DeviceList& devices);

/// Whether the device is software that runs shaders on the CPU.
bool is_software_gpu(const runtime::Device& device);

/// The target of a compilation, and the most similar device of this machine.
struct CompileTarget {
  schema::Target target;
  std::unique_ptr<runtime::Device> here;
};
/// `name`: one of runtime::cpu_target_names(). Throws Error (usage) for another word.
CompileTarget open_target(std::string_view name);

}  // namespace webnn::api
