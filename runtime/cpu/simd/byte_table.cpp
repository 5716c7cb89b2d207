// @byteTable: each byte becomes what a table of 256 bytes says.
#include "runtime/kernel.hpp"
#include "runtime/parallel.hpp"

namespace webnn::runtime::simd {

Kernel prepare_byte_table(const KernelSpec& spec, Constants) {
  return {[count = element_count(spec.outputs[0].shape)](const KernelArguments& arguments) {
    constexpr std::size_t grain = 16'384;
    const std::byte *from = arguments.inputs[0], *table = arguments.inputs[1];
    std::byte* const to = arguments.outputs[0];
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) to[i] = table[std::to_integer<std::size_t>(from[i])];
    });
  }};
}

}  // namespace webnn::runtime::simd
