#include "api/oracle/evaluate.hpp"

#include <algorithm>
#include <vector>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/float_mode.hpp"
#include "schema/elements/aligned_bytes.hpp"

namespace webnn::api {
namespace {

using namespace schema;

/// Constants may be at any address of a file, but kernels read whole elements.
bool is_aligned(std::span<const std::byte> bytes, DataType type) {
  return reinterpret_cast<std::uintptr_t>(bytes.data()) % std::max(bits_of(type) / 8, 1u) == 0;
}

bool evaluate(const KernelSpec& spec, std::span<const std::span<const std::byte>> inputs,
              std::span<const std::span<std::byte>> outputs) {
  const runtime::PrepareFunction kernel = find_reference_kernel(spec);
  if (kernel) run_once(kernel, spec, inputs, outputs);
  return kernel != nullptr;
}

}  // namespace

runtime::PrepareFunction find_reference_kernel(const KernelSpec& spec) {
  for (const runtime::ListedCpuKernel& kernel : runtime::cpu_kernels())
    if (kernel.row.provider() == "reference" && takes(kernel.row, spec, Target{}) && takes_layouts(kernel.row, spec))
      return kernel.prepare;
  return nullptr;
}

void run_once(runtime::PrepareFunction prepare, const KernelSpec& spec,
              std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs) {
  std::vector<std::span<const std::byte>> operands(inputs.begin(), inputs.end());
  std::vector<AlignedBytes> copies;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].empty() || is_aligned(operands[i], spec.inputs[i]->type)) continue;
    std::byte* copy = copies.emplace_back(operands[i].size()).data();
    std::ranges::copy(operands[i], copy);
    operands[i] = {copy, operands[i].size()};
  }
  const runtime::DefaultFloatMode mode;
  const runtime::Kernel kernel = prepare(spec, operands);

  std::vector<const std::byte*> input_addresses;
  std::vector<std::byte*> output_addresses;
  for (const auto operand : operands) input_addresses.push_back(operand.empty() ? nullptr : operand.data());
  for (const auto output : outputs) output_addresses.push_back(output.data());
  AlignedBytes scratch(kernel.scratch_bytes);
  kernel.run({input_addresses, output_addresses, scratch.data()});
}

compiler::Evaluate reference_evaluate() { return evaluate; }

}  // namespace webnn::api
