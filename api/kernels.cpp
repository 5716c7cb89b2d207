#include "api/kernels.hpp"

#include <vector>

#include "runtime/cpu/kernel_list.hpp"
#include "runtime/vulkan/gpu.hpp"

namespace webnn::api {
namespace {

schema::KernelTable all_kernels() {
  std::vector<const schema::KernelRow*> rows;
  for (const runtime::ListedCpuKernel& kernel : runtime::cpu_kernels()) rows.push_back(&kernel.row);
#ifdef WEBNN_VULKAN
  for (const schema::KernelRow* row : runtime::gpu_kernel_rows()) rows.push_back(row);
#endif
  return schema::KernelTable(std::move(rows));
}

}  // namespace

const schema::KernelTable& kernel_table() {
  static const schema::KernelTable table = all_kernels();
  return table;
}

std::optional<schema::KernelId> find_kernel(std::string_view name) { return kernel_table().find(name); }

}  // namespace webnn::api
