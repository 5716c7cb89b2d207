#include "runtime/tensors/tensor_state.hpp"

#include <utility>

#include "runtime/tensors/layout_copy.hpp"

namespace webnn::runtime {

TensorState::TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor)
    : descriptor_(descriptor), bytes_(byte_length(descriptor.operand)), device_(&device), pool_(&pool) {
  if (descriptor.exportable) {
    file_descriptor_ = create_shared_memory(bytes_ + buffer_padding);
    shared_ = SharedMemory(file_descriptor_.get(), 0, bytes_ + buffer_padding);
    fix(shared_.bytes().first(bytes_));
  } else if (descriptor.exportable_on_device) {
    ExportableBuffer memory = device.allocate_exportable(bytes_);
    buffer_ = std::move(memory.buffer);
    file_descriptor_ = std::move(memory.file_descriptor);
    device_allocation_ = memory.allocation;
    fixed_ = zeros_ = true;
  } else {
    buffer_ = pool.take(bytes_);
    zeros_ = true;
  }
}

TensorState::TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor,
                         std::span<std::byte> memory, std::function<void()> released)
    : descriptor_(descriptor), bytes_(memory.size()), device_(&device), pool_(&pool), released_(std::move(released)) {
  fix(memory);
}

TensorState::TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, SharedMemory memory)
    : TensorState(device, pool, descriptor, memory.bytes(), nullptr) {
  can_be_output_ = memory.writable();
  shared_ = std::move(memory);
}

TensorState::TensorState(Device& device, BufferPool& pool, const TensorDescriptor& descriptor, Buffer imported)
    : descriptor_(descriptor),
      bytes_(byte_length(descriptor.operand)),
      device_(&device),
      pool_(&pool),
      buffer_(std::move(imported)),
      fixed_(true) {}

void TensorState::fix(std::span<std::byte> memory) {
  fixed_ = true;
  buffer_ = device_->share(memory);
  apart_ = buffer_.size() != memory.size();
  if (apart_) buffer_ = Buffer(memory.data(), memory.size(), nullptr);
}

std::span<std::byte> TensorState::shared_bytes() {
  clear();
  if (!device_->host_memory()) device_->wait();
  return device_allocation_ ? std::span<std::byte>() : shared_.bytes().first(bytes_);
}

/// Writes the zeros that have not been written yet.
void TensorState::clear() {
  if (std::exchange(zeros_, false)) device_->clear(buffer_);
}

void TensorState::release() noexcept {
  if (!fixed_) pool_->give(std::move(buffer_));
  buffer_ = {};
  shared_ = {};
  file_descriptor_ = {};
  if (released_) std::exchange(released_, nullptr)();
}

void TensorState::replace(Buffer content) {
  if (fixed_) {
    copy_bytes({buffer_.address(), bytes_}, {content.address(), bytes_});
  } else {
    std::swap(buffer_, content);
    layout_ = Layout::row_major;
  }
  pool_->give(std::move(content));
  zeros_ = false;
  failure_ = nullptr;
}

void TensorState::upload(std::span<const std::byte> from) {
  if (apart_)
    copy_bytes(content(), from);
  else
    device_->upload(buffer_, from);
  layout_ = Layout::row_major;
  zeros_ = false;
  failure_ = nullptr;
}

void TensorState::download(std::span<std::byte> to) const {
  if (zeros_)
    clear_bytes(to);
  else if (device_->host_memory() || apart_)
    copy_layout(to, Layout::row_major, content(), layout_, descriptor_.operand);
  else
    device_->download(to, buffer_);
}

void TensorState::expect_download() const noexcept {
  if (zeros_ || apart_ || failure_ || destroyed() || device_->host_memory()) return;
  try {
    device_->expect_download(buffer_, bytes_);
  } catch (...) {  // the download will say why
  }
}

void TensorState::forget_download() const noexcept {
  if (!apart_ && !device_->host_memory()) device_->forget_download(buffer_, bytes_);
}

std::vector<std::byte> TensorState::download() const {
  if (device_->host_memory() && layout_ == Layout::row_major && !zeros_)  // avoids filling it with zeros first
    return {buffer_.address(), buffer_.address() + bytes_};
  std::vector<std::byte> data(bytes_);
  if (!zeros_) download(data);
  return data;
}

const std::byte* TensorState::begin_input(Layout layout) {
  clear();
  if (apart_) {
    other_ = pool_->take(bytes_);
    device_->upload(other_, content());
    return other_.address();
  }
  if (layout == layout_ || layouts_coincide(descriptor_.operand.shape)) return buffer_.address();
  Buffer converted = pool_->take(bytes_);
  copy_layout({converted.address(), bytes_}, layout, content(), layout_, descriptor_.operand);
  if (fixed_) {
    other_ = std::move(converted);
    return other_.address();
  }
  pool_->give(std::exchange(buffer_, std::move(converted)));
  layout_ = layout;
  return buffer_.address();
}

void TensorState::end_use() {
  if (other_.size() != 0) pool_->give(std::move(other_));
}

std::byte* TensorState::begin_output(Layout layout) {
  if (!fixed_ || (layout == Layout::row_major && !apart_)) return buffer_.address();
  other_ = pool_->take(bytes_);
  return other_.address();
}

void TensorState::end_output(Layout layout) {
  if (apart_) {
    device_->download(content(), other_);
    pool_->give(std::move(other_));
  } else if (other_.size() != 0) {
    copy_layout(content(), Layout::row_major, {other_.address(), bytes_}, layout, descriptor_.operand);
    pool_->give(std::move(other_));
  } else {
    layout_ = layout;
  }
  zeros_ = false;
  failure_ = nullptr;
}

}  // namespace webnn::runtime
