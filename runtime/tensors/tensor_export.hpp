// A tensor in somebody else's hands.
#pragma once

#include <memory>
#include <span>

#include "runtime/tensors/shared_memory.hpp"
#include "runtime/tensors/tensor_state.hpp"

namespace webnn::runtime {

/// While it lives, work on the tensor that was asked for after the export waits. Move-only; it ends before the context.
class TensorExport {
 public:
  /// Within a task of the context that uses the tensor.
  TensorExport(Context& context, std::shared_ptr<TensorState> tensor);
  TensorExport(TensorExport&&) noexcept = default;
  TensorExport& operator=(TensorExport&& other) noexcept;
  ~TensorExport() { close(); }

  bool open() const { return tensor_ != nullptr; }
  /// Shared memory that begins with the tensor's elements, row-major. It is closed by `close`.
  int file_descriptor() const { return file_descriptor_.number(); }
  /// The same memory as this process sees it, until `close`.
  std::span<std::byte> memory() const { return memory_; }
  /// Gives the tensor back: what waits for it proceeds, and sees what the others wrote. A second time does nothing.
  void close();

 private:
  Context* context_;
  std::shared_ptr<TensorState> tensor_;
  FileDescriptor file_descriptor_;
  std::span<std::byte> memory_;
};

}  // namespace webnn::runtime
