#include "api/compile_program.hpp"

#include <utility>

#include "api/evaluate.hpp"
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

}  // namespace

std::optional<Program> compile_program(compiler::Graph graph, compiler::Options options, const runtime::Device& device,
                                       const ProgramOptions& program_options, Diagnostics& diagnostics) {
  options.target = device.target();
  options.evaluate = reference_evaluate();
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
