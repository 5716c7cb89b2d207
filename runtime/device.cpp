#include "runtime/device.hpp"

#include <string>

#include "schema/error.hpp"

namespace webnn::runtime {

void check_kernel(const Device& device, KernelId id, const KernelSpec& spec) {
  const KernelRow& kernel = row(id);
  if (!device.has_kernel(id))
    throw Error(ExitCode::unsupported, "this build has no kernel '" + std::string(kernel.name) + "'",
                "compile the graph again with this version");
  if (!takes(kernel, spec, device.target()) || !takes_layouts(kernel, spec) || !device.can_run(id, spec))
    throw Error(ExitCode::unsupported,
                "kernel '" + std::string(kernel.name) + "' does not take this '" + std::string(row(spec.op).name) +
                    "' on " + std::string(device.name()),
                "compile the graph for this device");
}

}  // namespace webnn::runtime
