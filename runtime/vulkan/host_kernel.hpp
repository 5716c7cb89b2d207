// A kernel of the CPU in a program for the GPU: of a call that the GPU has no kernel for, where that is allowed.
#pragma once

#include <vector>

#include "runtime/vulkan/memory.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::vulkan {

class HostKernel {
 public:
  /// `kernel` is prepared by the CPU for `spec`. `constants` as for Device::make_kernel; they are not fetched from the
  /// GPU.
  HostKernel(Memory& memory, Kernel kernel, const KernelSpec& spec,
             std::span<const std::span<const std::byte>> constants);

  /// Runs it on operands of the GPU, in place where the host sees them. The GPU is done with all that came before.
  void run(const KernelArguments& arguments);

 private:
  struct Operand {
    std::size_t bytes = 0;
    bool is_constant = false;      // and in `copy` for good
    schema::AlignedBytes copy{0};  // of what the host does not see; made when it is needed
  };

  std::byte* reach(Operand& operand, const std::byte* address);

  Memory* memory_;
  Kernel kernel_;
  std::vector<Operand> inputs_, outputs_;
  schema::AlignedBytes scratch_;
  std::vector<const std::byte*> input_addresses_;  // as the host sees them
  std::vector<std::byte*> output_addresses_;
};

}  // namespace webnn::runtime::vulkan
