// The types that describe tensors of a context: ids, descriptors, named bindings. Their memory is managed by the
// context.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/device.hpp"
#include "schema/elements/types.hpp"

namespace webnn::runtime {

using namespace webnn::schema;

class Context;

/// MLTensorDescriptor: what a tensor holds and what the caller may do with it.
struct TensorDescriptor {
  OperandDescriptor operand;
  bool readable = false;
  bool writable = false;
  bool exportable = false;            // its memory has a file descriptor
  bool exportable_on_device = false;  // the same for memory of the device
  bool operator==(const TensorDescriptor&) const = default;
  bool can_be_exported() const { return exportable || exportable_on_device; }
};

/// Memory of a device as its exporter tells of it; the file descriptor stays the caller's.
struct DeviceMemory {
  int file_descriptor = -1;
  std::uint64_t offset = 0;
  DeviceAllocation allocation;
};

/// The id of a tensor of a context (MLTensor), a plain value. Ids are unique within their context and never reused.
struct TensorId {
  const Context* context = nullptr;
  std::uint64_t number = 0;
  bool operator==(const TensorId&) const = default;
};

/// The id of an executable of a context (MLGraph).
struct ExecutableId {
  const Context* context = nullptr;
  std::uint64_t number = 0;
  bool operator==(const ExecutableId&) const = default;
};

/// One entry of an MLNamedTensors.
struct NamedTensor {
  std::string_view name;
  TensorId tensor;
};

}  // namespace webnn::runtime
