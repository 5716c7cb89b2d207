// The devices of this build, a row for each: what the library, the compiler's kernel table and the command line know of
// them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "api/devices.hpp"
#include "schema/program.hpp"

namespace webnn::api {

struct DeviceRow {
  schema::DeviceKind kind;
  /// The rows of its kernels; none in a build without the device.
  std::vector<const schema::KernelRow*> (*kernel_rows)();
  /// Throws Error: usage for a wrong option, device when it is not available.
  std::unique_ptr<runtime::Device> (*open)(const DeviceName& name, const ContextOptions& options);
  /// Reads the words behind the colon of its name into the other members. Throws Error (usage). Null: it has none.
  void (*read_detail)(std::string_view detail, DeviceName& name) = nullptr;
  /// Packs a constant operand for one of its kernels, see runtime::PackFunction. Null: its kernels pack nothing.
  std::optional<schema::PackedConstant> (*pack)(schema::KernelId kernel, const schema::KernelSpec& spec,
                                                std::size_t operand, std::span<const std::byte> bytes) = nullptr;

  /// Of --device.
  std::string_view word() const { return row(kind).word; }
};

/// In the order of their kernels in the kernel table.
std::span<const DeviceRow> device_table();

}  // namespace webnn::api
