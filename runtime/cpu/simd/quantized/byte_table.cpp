// @byteTable: maps each byte through a table of 256 bytes.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/byte_table.inl.hpp"
#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::simd {
namespace {

using LookUp = void (*)(const void* table, const void* from, void* to, std::size_t count);

void look_up_one_by_one(const void* table, const void* from, void* to, std::size_t count) {
  const auto* entries = static_cast<const std::byte*>(table);
  const auto* x = static_cast<const std::byte*>(from);
  auto* y = static_cast<std::byte*>(to);
  for (std::size_t i = 0; i < count; ++i) y[i] = entries[std::to_integer<std::size_t>(x[i])];
}

Kernel kernel_of(const KernelSpec& spec, LookUp look_up) {
  return {[look_up, count = element_count(spec.outputs[0].shape)](const KernelArguments& arguments) {
    constexpr std::size_t grain = 32'768;
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      look_up(arguments.inputs[1], arguments.inputs[0] + begin, arguments.outputs[0] + begin, end - begin);
    });
  }};
}

}  // namespace

Kernel prepare_byte_table(const KernelSpec& spec, Constants, Isa isa) {
  return kernel_of(spec, VECTOR_CODE(isa, byte_table::look_up));
}

Kernel prepare_byte_table_one_by_one(const KernelSpec& spec, Constants) { return kernel_of(spec, look_up_one_by_one); }

consteval KernelRow byte_table_row(double factor) {
  return {.name = "byteTable",
          .op = "@byteTable",
          .types = int8_or_uint8,
          .in_place = 0b01,
          .layouts = LayoutRule::uniform,
          .factor = factor};
}
constexpr SimdKernel byte_table_list[] = {{.row = byte_table_row(1), .prepare = prepare_byte_table}};
extern constexpr SimdKernels byte_table_kernels(byte_table_list);

constexpr CpuKernel byte_table_one_by_one_list[] = {
    {.row = byte_table_row(2), .prepare = prepare_byte_table_one_by_one}};
extern constexpr CpuKernels byte_table_one_by_one_kernels(byte_table_one_by_one_list);

}  // namespace webnn::runtime::simd
