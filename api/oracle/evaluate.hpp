// Runs single operators on the reference kernels.
#pragma once

#include "compiler/options.hpp"
#include "runtime/kernel.hpp"

namespace webnn::api {

/// For the compiler: runs a spec on its reference kernel on the CPU, on the calling thread. Thread-safe.
compiler::Evaluate reference_evaluate();

/// The first reference row of the CPU that takes this spec; null when there is none.
runtime::PrepareFunction find_reference_kernel(const schema::KernelSpec& spec);

/// Prepares a kernel, runs it once and discards it. `inputs` follow the spec (an empty span for an absent operand; any
/// alignment), `outputs` have the size of the spec's outputs and the alignment of their elements.
void run_once(runtime::PrepareFunction prepare, const schema::KernelSpec& spec,
              std::span<const std::span<const std::byte>> inputs, std::span<const std::span<std::byte>> outputs);

}  // namespace webnn::api
