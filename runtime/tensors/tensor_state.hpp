// A tensor as the context keeps it: its memory and what is in it. Everything but the descriptor belongs to the
// who runs the timeline's tasks.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <vector>

#include "runtime/resource.hpp"
#include "runtime/tensors/buffer_pool.hpp"
#include "runtime/tensors/shared_memory.hpp"
#include "runtime/tensors/tensor.hpp"

namespace webnn::runtime {

class TensorState final : public Resource {
 public:
  /// Zeros in memory of the pool, or in shared memory when the descriptor says exportable. Throws Error (resource).
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor);
  /// A view on memory of the caller, who keeps it until `released` is called.
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, std::span<std::byte> memory,
              std::function<void()> released);
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, SharedMemory memory);
  /// In memory that the device has imported.
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, Buffer imported);

  const TensorDescriptor& descriptor() const { return descriptor_; }
  std::size_t bytes() const { return bytes_; }
  bool can_be_output() const { return can_be_output_; }
  /// Of an exportable tensor.
  const FileDescriptor& file_descriptor() const { return file_descriptor_; }

  // ---- on the timeline

  /// The memory of an exportable tensor, after everything that the device does with it.
  std::span<std::byte> shared_bytes() const;
  void fail(std::exception_ptr failure) { failure_ = std::move(failure); }
  /// Throws the error of the dispatch that should have written it.
  void check_content() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  /// Takes memory that holds the tensor's bytes, row-major, and gives its own to the pool; copies where others see it.
  void replace(Buffer content);
  /// Row-major.
  void upload(std::span<const std::byte> from);
  void download(std::span<std::byte> to) const;
  std::vector<std::byte> download() const;
  /// The content in this layout, kept so for the next time where nobody else sees the memory.
  const std::byte* begin_input(Layout layout);
  /// Memory for a new content; the old one is lost.
  std::byte* begin_output(Layout layout);
  /// The memory of `begin_input`, or of a `begin_output` that came to nothing, is no longer used.
  void end_use();
  /// What lies in the memory of `begin_output` is the new content, in this layout.
  void end_output(Layout layout);

 private:
  void release() noexcept override;
  /// Makes memory that others see the tensor's own.
  void fix(std::span<std::byte> memory);
  std::span<std::byte> content() const { return {buffer_.address(), bytes_}; }

  TensorDescriptor descriptor_;
  std::size_t bytes_;
  Device* device_;
  BufferPool* pool_;
  bool can_be_output_ = true;

  FileDescriptor file_descriptor_;
  SharedMemory shared_;
  Buffer buffer_;
  Layout layout_ = Layout::row_major;
  bool zeros_ = false;  // although the memory does not say so yet
  std::exception_ptr failure_;

  // Memory that others see has one address and is row-major; programs that want another layout, and devices that do not
  // reach it, use `other_`.
  bool fixed_ = false;
  bool apart_ = false;  // the device does not reach that memory: its programs use a copy
  Buffer other_;
  std::function<void()> released_;
};

}  // namespace webnn::runtime
