#include "api/evaluate.hpp"

#include <vector>

#include "runtime/cpu/kernel_list.hpp"
#include "schema/program.hpp"

namespace webnn::api {
namespace {

using namespace schema;

/// The reference row that takes this spec; null when there is none.
const KernelRow* reference_row(const KernelSpec& spec) {
  for (const KernelRow& kernel : kernel_table())
    if (kernel.provider() == "reference" && takes(kernel, spec, Target{})) return &kernel;
  return nullptr;
}

bool evaluate(const KernelSpec& spec, std::span<const std::span<const std::byte>> inputs,
              std::span<const std::span<std::byte>> outputs) {
  const KernelRow* chosen = reference_row(spec);
  const runtime::PrepareFunction prepare = chosen ? runtime::find_cpu_kernel(chosen->name) : nullptr;
  if (!prepare) return false;
  const runtime::Kernel kernel = prepare(spec, inputs);
  std::vector<const std::byte*> input_addresses;
  std::vector<std::byte*> output_addresses;
  for (const auto input : inputs) input_addresses.push_back(input.empty() ? nullptr : input.data());
  for (const auto output : outputs) output_addresses.push_back(output.data());
  std::vector<std::byte> scratch(kernel.scratch_bytes + arena_alignment);
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.data());
  std::byte* aligned = scratch.data() + (arena_alignment - address % arena_alignment) % arena_alignment;
  kernel.run({input_addresses, output_addresses, aligned});
  return true;
}

}  // namespace

compiler::Evaluate reference_evaluate() { return evaluate; }

}  // namespace webnn::api
