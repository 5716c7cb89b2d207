#include "compiler/passes/choose_kernel.hpp"

namespace webnn::compiler {
namespace {

std::optional<KernelId> first_row(const KernelSpec& spec, const Options& options, std::string_view provider) {
  const auto table = kernel_table();
  for (std::size_t i = 0; i < table.size(); ++i)
    if ((provider.empty() || table[i].provider() == provider) && takes(table[i], spec, options.target) &&
        takes_layouts(table[i], spec) && (!options.available || options.available(table[i], spec)))
      return KernelId{std::uint16_t(i)};
  return std::nullopt;
}

}  // namespace

std::optional<KernelId> choose_kernel(const KernelSpec& spec, const Options& options) {
  if (!options.kernels.empty())
    if (const auto preferred = first_row(spec, options, options.kernels)) return preferred;
  return first_row(spec, options, {});
}

}  // namespace webnn::compiler
