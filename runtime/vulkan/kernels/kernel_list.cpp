// The list of the provider's kernels: names and the functions that make their dispatches.
#include <algorithm>

#include "runtime/vulkan/kernels/dispatch.hpp"

namespace webnn::runtime::vulkan {

#define VULKAN_KERNEL(name, function, ...) Dispatches dispatch_##function(const KernelSpec& spec);
#include "schema/kernels/kernels.def"

namespace {

constexpr bool everywhere = false, on_gpus = true;  // whether a kernel is fast only with fast shared memory

#define VULKAN_KERNEL(name, function, fast, ...) {"vulkan." name, dispatch_##function, fast},
constexpr DispatchRow rows[] = {
#include "schema/kernels/kernels.def"
};

}  // namespace

const DispatchRow* find_vulkan_kernel(std::string_view name) {
  const auto* const found = std::ranges::find(rows, name, &DispatchRow::name);
  return found == std::end(rows) ? nullptr : found;
}

}  // namespace webnn::runtime::vulkan
