#include "api/runner/compile_program.hpp"

#include <utility>

#include "api/oracle/evaluate.hpp"
#include "compiler/frontend/binary/binary_reader.hpp"
#include "compiler/frontend/mapped_file.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// Lends the runtime's functions to the compiler: reference kernels compute constants, and the device's kernels pack
/// the constants that they will read. Rows of the kernel table without a kernel on the device, or that do not pay
/// there, are not available. The device must outlive the options.
void lend_runtime(compiler::Options& options, const runtime::Device& device) {
  options.evaluate = reference_evaluate();
  options.pack = [&device](KernelId kernel, const KernelSpec& spec, std::size_t operand,
                           std::span<const std::byte> bytes) { return device.pack(kernel, spec, operand, bytes); };
  options.release = compiler::release_pages;
  options.available = [&device, caller = std::move(options.available)](const KernelRow& kernel,
                                                                       const KernelSpec& spec) {
    const KernelId id = id_of(kernel);
    return device.has_kernel(id) && device.favours(id) && device.can_run(id, spec) && (!caller || caller(kernel, spec));
  };
}

}  // namespace

std::optional<Program> compile_program(compiler::Graph graph, compiler::Options options, const runtime::Device& device,
                                       std::string_view provider, Diagnostics& diagnostics) {
  return compile_program_for(device.target(), std::move(graph), std::move(options), device, provider, diagnostics);
}

std::optional<Program> compile_program_for(const Target& target, compiler::Graph graph, compiler::Options options,
                                           const runtime::Device& here, std::string_view provider,
                                           Diagnostics& diagnostics) {
  if (options.verify_constants && !compiler::check_constants(graph, {}, diagnostics)) return std::nullopt;
  options.target = target;
  lend_runtime(options, here);
  if (here.target() != target) options.pack = nullptr;
  if (options.level >= 3) options.fold_limit_bytes = max_tensor_bytes;
  if (options.kernels.empty()) options.kernels = provider;
  return compiler::compile(std::move(graph), options, diagnostics);
}

}  // namespace webnn::api
