// A CPU kernel in a program for the GPU, for a call without a GPU kernel, where that is allowed.
#pragma once

#include <vector>

#include "runtime/vulkan/memory/memory.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::runtime::vulkan {

class HostKernel {
 public:
  /// `kernel` was prepared by the CPU for `spec`. `constants` are as for Device::make_kernel; they are not read back
  /// from the GPU.
  HostKernel(Memory& memory, Kernel kernel, const KernelSpec& spec,
             std::span<const std::span<const std::byte>> constants);

  /// Runs the kernel on operands of the GPU, in place where the host can map them. The GPU must have finished all
  /// earlier work.
  void run(const KernelArguments& arguments);

 private:
  struct Operand {
    std::size_t bytes = 0;
    bool is_constant = false;      // then `copy` holds it permanently
    schema::AlignedBytes copy{0};  // of memory that the host cannot map; allocated when needed
  };

  std::byte* reach(Operand& operand, const std::byte* address);

  Memory* memory_;
  Kernel kernel_;
  std::vector<Operand> inputs_, outputs_;
  schema::AlignedBytes scratch_;
  std::vector<const std::byte*> input_addresses_;  // as mapped by the host
  std::vector<std::byte*> output_addresses_;
};

}  // namespace webnn::runtime::vulkan
