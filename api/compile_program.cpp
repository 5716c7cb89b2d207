#include "api/compile_program.hpp"

#include <utility>

#include "api/evaluate.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/parallel.hpp"
#include "schema/error.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// Bytes of weights, arena and bound tensors.
std::uint64_t memory_of(const Program& program) {
  std::uint64_t bytes = program.arena_bytes;
  for (const Bytes& constant : program.constants) bytes += constant.size();
  for (const Binding& input : program.inputs) bytes += byte_length(input.descriptor);
  for (const Binding& output : program.outputs) bytes += byte_length(output.descriptor);
  return bytes;
}

/// What the compiler borrows from the runtime. Constants are computed by reference kernels and packed by those that
/// will read them; rows of the kernel table that this build has no kernel for are not available.
void lend_runtime(compiler::Options& options, unsigned threads) {
  options.evaluate = reference_evaluate();
  options.pack = [threads](KernelId kernel, const KernelSpec& spec, std::size_t operand,
                           std::span<const std::byte> bytes) -> std::optional<PackedConstant> {
    const runtime::KernelEntry* const entry = runtime::find_cpu_kernel(row(kernel).name);
    if (!entry || !entry->pack) return std::nullopt;
    const runtime::Team team(threads);
    return entry->pack(spec, operand, bytes);
  };
  options.available = [caller = std::move(options.available)](const KernelRow& kernel, const KernelSpec& spec) {
    return runtime::find_cpu_kernel(kernel.name) != nullptr && (!caller || caller(kernel, spec));
  };
}

}  // namespace

std::optional<Program> compile_program(compiler::Graph graph, compiler::Options options, const runtime::Device& device,
                                       const ProgramOptions& program_options, Diagnostics& diagnostics) {
  options.target = device.target();
  lend_runtime(options, program_options.threads);
  if (options.kernels.empty()) options.kernels = program_options.provider;
  std::optional<Program> program = compiler::compile(std::move(graph), options, diagnostics);
  const std::uint64_t limit = program_options.max_memory;
  if (const std::uint64_t bytes = program ? memory_of(*program) : 0; limit != 0 && bytes > limit)
    throw Error(ExitCode::resource,
                "the graph needs " + std::to_string(bytes) + " bytes of memory, the limit is " + std::to_string(limit),
                "raise the limit, or use smaller dimensions");
  return program;
}

}  // namespace webnn::api
