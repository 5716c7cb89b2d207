// Opening a device by the name that people give it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runtime/device.hpp"

namespace webnn::api {

/// "cpu", or "cpu:PROVIDER" which prefers the kernels of one provider ("cpu:reference").
struct DeviceName {
  std::string kind;      // "cpu"
  std::string provider;  // of kernels; empty: the table's order
};

/// Throws Error (usage) for a name that means no device, with what there is.
DeviceName parse_device_name(std::string_view text);

/// `isa` limits the CPU's instruction set: baseline, avx2, avx512, amx or native. Throws Error: usage for an unknown
/// word, device when it is not there.
std::unique_ptr<runtime::Device> open_device(const DeviceName& name, std::string_view isa);

/// What a program is compiled for, and a device of this machine that comes nearest to it.
struct CompileTarget {
  schema::Target target;
  std::unique_ptr<runtime::Device> here;
};
/// `name`: a level of x86-64 (x86-64-v3), an instruction set (avx2, avx512, amx), baseline or native. Throws Error
/// (usage) for an unknown word.
CompileTarget open_target(const DeviceName& device, std::string_view name);

}  // namespace webnn::api
