#include "runtime/vulkan/host_kernel.hpp"

#include <algorithm>
#include <utility>

namespace webnn::runtime::vulkan {

HostKernel::HostKernel(Memory& memory, Kernel kernel, const KernelSpec& spec,
                       std::span<const std::span<const std::byte>> constants)
    : memory_(&memory), kernel_(std::move(kernel)), scratch_(kernel_.scratch_bytes) {
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    Operand& operand = inputs_.emplace_back();
    if (!spec.inputs[i]) continue;
    operand.bytes = byte_length(*spec.inputs[i]);
    if (constants[i].empty()) continue;
    operand.is_constant = true;
    operand.copy = schema::AlignedBytes(constants[i].size() + buffer_padding);  // packed constants have their own size
    std::ranges::copy(constants[i], operand.copy.data());
  }
  for (const OperandDescriptor& output : spec.outputs) outputs_.emplace_back().bytes = byte_length(output);
  input_addresses_.resize(inputs_.size());
  output_addresses_.resize(outputs_.size());
}

/// The operand as mapped by the host, or its copy.
std::byte* HostKernel::reach(Operand& operand, const std::byte* address) {
  if (operand.is_constant) return operand.copy.data();
  if (std::byte* const mapped = memory_->find(address).mapped()) return mapped;
  if (operand.copy.view().empty()) operand.copy = schema::AlignedBytes(operand.bytes + buffer_padding);
  return operand.copy.data();
}

void HostKernel::run(const KernelArguments& arguments) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].bytes == 0) continue;  // absent
    input_addresses_[i] = reach(inputs_[i], arguments.inputs[i]);
    if (input_addresses_[i] == inputs_[i].copy.data() && !inputs_[i].is_constant)
      memory_->download(inputs_[i].copy.view().first(inputs_[i].bytes), memory_->find(arguments.inputs[i]));
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) output_addresses_[i] = reach(outputs_[i], arguments.outputs[i]);
  kernel_.run({input_addresses_, output_addresses_, scratch_.data()});
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    if (output_addresses_[i] == outputs_[i].copy.data())
      memory_->upload(memory_->find(arguments.outputs[i]), outputs_[i].copy.view().first(outputs_[i].bytes));
}

}  // namespace webnn::runtime::vulkan
