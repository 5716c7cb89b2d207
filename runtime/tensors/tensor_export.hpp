// A tensor lent to somebody outside of the context.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "runtime/tensors/shared_memory.hpp"
#include "runtime/tensors/tensor_state.hpp"

namespace webnn::runtime {

/// While it exists, work on the tensor that was requested after the export waits. Move-only; it must end before the
/// context.
class TensorExport {
 public:
  /// Called within a task of the context that uses the tensor.
  TensorExport(Context& context, std::shared_ptr<TensorState> tensor);
  TensorExport(TensorExport&&) noexcept = default;
  TensorExport& operator=(TensorExport&& other) noexcept;
  ~TensorExport() { close(); }

  bool open() const { return tensor_ != nullptr; }
  /// Memory that begins with the tensor's elements, row-major, of the host or of the device. Closed by `close`.
  int file_descriptor() const { return file_descriptor_.get(); }
  /// How to import it, if it is the device's.
  const std::optional<DeviceAllocation>& device_allocation() const { return device_allocation_; }
  /// The same memory as mapped into this process, until `close`; empty if it is the device's.
  std::span<std::byte> memory() const { return memory_; }
  /// Gives the tensor back: waiting work proceeds and sees what others wrote. Calling it again does nothing.
  void close();

 private:
  Context* context_;
  std::shared_ptr<TensorState> tensor_;
  schema::Descriptor file_descriptor_;
  std::optional<DeviceAllocation> device_allocation_;
  std::span<std::byte> memory_;
};

}  // namespace webnn::runtime
