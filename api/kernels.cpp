#include "api/kernels.hpp"

#include <algorithm>

#include "api/device_table.hpp"

namespace webnn::api {
namespace {

schema::KernelTable all_kernels() {
  std::vector<const schema::KernelRow*> rows;
  for (const DeviceRow& device : device_table()) {
    const std::vector<const schema::KernelRow*> more = device.kernel_rows();
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return schema::KernelTable(std::move(rows));
}

}  // namespace

const schema::KernelTable& kernel_table() {
  static const schema::KernelTable table = all_kernels();
  return table;
}

std::optional<schema::KernelId> find_kernel(std::string_view name) { return kernel_table().find(name); }

std::vector<std::string_view> cpu_providers() {
  std::vector<std::string_view> names;
  for (const schema::KernelRow& kernel : kernel_table())
    if (kernel.device == schema::DeviceKind::cpu && std::ranges::find(names, kernel.provider()) == names.end())
      names.push_back(kernel.provider());
  return names;
}

}  // namespace webnn::api
