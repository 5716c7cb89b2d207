// Compiles a graph into a program for a device.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

/// Compiles for `device`, which determines the target and callbacks of the options. First the constants of a binary
/// graph are compared with their checksums, unless the options say otherwise. Kernels of `provider` (empty: none) are
/// preferred unless the options name another one. Equal graphs and options give equal programs. Nullopt when there are
/// diagnostics of severity error, or when `stop_after` ended the compilation early.
std::optional<schema::Program> compile_program(compiler::Graph graph, compiler::Options options,
                                               const runtime::Device& device, std::string_view provider,
                                               schema::Diagnostics& diagnostics);

/// The same for the `target` of another machine. Constants are packed only if `here` has all features of the target,
/// because kernels choose forms by the processor that they run on; otherwise the other machine packs them when it
/// prepares the program.
std::optional<schema::Program> compile_program_for(const schema::Target& target, compiler::Graph graph,
                                                   compiler::Options options, const runtime::Device& here,
                                                   std::string_view provider, schema::Diagnostics& diagnostics);

}  // namespace webnn::api
