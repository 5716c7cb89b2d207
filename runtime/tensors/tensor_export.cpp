#include "runtime/tensors/tensor_export.hpp"

#include <utility>

#include "runtime/context.hpp"

namespace webnn::runtime {

TensorExport::TensorExport(Context& context, std::shared_ptr<TensorState> tensor)
    : context_(&context),
      tensor_(std::move(tensor)),
      file_descriptor_(duplicate(tensor_->file_descriptor())),
      device_allocation_(tensor_->device_allocation()),
      memory_(tensor_->shared_bytes()) {
  context.timeline_.hold(*tensor_);
}

TensorExport& TensorExport::operator=(TensorExport&& other) noexcept {
  if (this != &other) {
    close();
    context_ = other.context_;
    tensor_ = std::move(other.tensor_);
    file_descriptor_ = std::move(other.file_descriptor_);
    device_allocation_ = other.device_allocation_;
    memory_ = other.memory_;
  }
  return *this;
}

void TensorExport::close() {
  if (!tensor_) return;
  file_descriptor_ = {};
  memory_ = {};
  if (context_->is_from_before_fork()) {
    new std::shared_ptr<TensorState>(std::move(tensor_));  // stays, like the context
    return;
  }
  Timeline& timeline = context_->timeline_;
  timeline.append({}, [&timeline, tensor = std::exchange(tensor_, nullptr)] { timeline.let_go(*tensor); });
}

}  // namespace webnn::runtime
