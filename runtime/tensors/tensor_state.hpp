// The state of a tensor of a context: its memory and its content. Everything but the descriptor may only be accessed by
// the thread that runs the timeline's tasks.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "runtime/resource.hpp"
#include "runtime/tensors/buffer_pool.hpp"
#include "runtime/tensors/shared_memory.hpp"
#include "runtime/tensors/tensor.hpp"

namespace webnn::runtime {

class TensorState final : public Resource {
 public:
  /// Zeros, in memory of the pool, or in memory that others can have if the descriptor says so. Throws Error: resource,
  /// unsupported.
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor);
  /// In memory of the caller, who keeps it valid until `released` is called.
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, std::span<std::byte> memory,
              std::function<void()> released);
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, SharedMemory memory);
  /// In memory that the device has imported.
  TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, Buffer imported);

  const TensorDescriptor& descriptor() const { return descriptor_; }
  std::size_t bytes() const { return bytes_; }
  bool can_be_output() const { return can_be_output_; }
  /// Whether others can see its memory.
  bool is_fixed() const { return fixed_; }
  /// Of an exportable tensor.
  const schema::Descriptor& file_descriptor() const { return file_descriptor_; }
  /// Of one that is exportable on the device.
  const std::optional<DeviceAllocation>& device_allocation() const { return device_allocation_; }

  // ---- on the timeline

  /// The memory of an exportable tensor, after the device has finished with it; empty if it is the device's.
  std::span<std::byte> shared_bytes();
  void fail(std::exception_ptr failure) { failure_ = std::move(failure); }
  /// Throws the error of the dispatch that should have written it.
  void check_content() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  /// Replaces the content by a buffer with the tensor's bytes, row-major. The old buffer goes to the pool; memory
  /// visible to others is copied into instead.
  void replace(Buffer content);
  /// Row-major.
  void upload(std::span<const std::byte> from);
  void download(std::span<std::byte> to) const;
  /// A download follows, see Device::expect_download.
  void expect_download() const noexcept;
  /// It does not follow after all.
  void forget_download() const noexcept;
  std::vector<std::byte> download() const;
  /// The content in this layout. The tensor keeps that layout, unless its memory is visible to others.
  const std::byte* begin_input(Layout layout);
  /// Memory for a new content; the old content is lost.
  std::byte* begin_output(Layout layout);
  /// Ends the use of the memory from `begin_input`, or from a `begin_output` whose run failed.
  void end_use();
  /// Declares the memory from `begin_output` the new content, in this layout.
  void end_output(Layout layout);

 private:
  void release() noexcept override;
  void clear();
  /// Makes memory that is visible to others the tensor's own.
  void fix(std::span<std::byte> memory);
  std::span<std::byte> content() const { return {buffer_.address(), bytes_}; }

  TensorDescriptor descriptor_;
  std::size_t bytes_;
  Device* device_;
  BufferPool* pool_;
  bool can_be_output_ = true;

  schema::Descriptor file_descriptor_;
  std::optional<DeviceAllocation> device_allocation_;
  SharedMemory shared_;
  Buffer buffer_;
  Layout layout_ = Layout::row_major;
  bool zeros_ = false;  // the content is zeros, but they have not been written yet
  std::exception_ptr failure_;

  // Memory that is visible to others has a fixed address and is row-major. Programs that want another layout, and
  // devices that cannot reach that memory, use `other_`.
  bool fixed_ = false;
  bool apart_ = false;  // the device cannot reach that memory: its programs use a copy
  Buffer other_;
  std::function<void()> released_;
};

}  // namespace webnn::runtime
