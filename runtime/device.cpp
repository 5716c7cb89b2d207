#include "runtime/device.hpp"

#include <cstdint>
#include <string>

#include "schema/elements/memory_account.hpp"
#include "schema/error.hpp"

namespace webnn::runtime {

Buffer Device::import(std::span<const std::byte> bytes, std::size_t alignment) {
  if (host_memory() && reinterpret_cast<std::uintptr_t>(bytes.data()) % alignment == 0)
    return {const_cast<std::byte*>(bytes.data()), bytes.size(), nullptr};
  if (const auto& account = current_account()) account->take(bytes.size());
  Buffer copy = allocate(bytes.size());
  upload(copy, bytes);
  return copy;
}

ExportableBuffer Device::allocate_exportable(std::size_t) {
  throw Error(ExitCode::unsupported, std::string(name()) + " has no memory that others can import",
              "export memory of the host");
}

void check_kernel(const Device& device, KernelId id, const KernelSpec& spec) {
  const KernelRow& kernel = row(id);
  if (!takes(kernel, spec, device.target()) || !takes_layouts(kernel, spec) || !device.can_run(id, spec))
    throw Error(ExitCode::unsupported,
                "kernel '" + std::string(kernel.name) + "' does not take this '" + std::string(row(spec.op).name) +
                    "' on " + std::string(device.name()),
                "compile the graph for this device");
}

}  // namespace webnn::runtime
