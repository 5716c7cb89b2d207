// A graph becomes a program for a device.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

/// Compiles for `device`; options' target and callbacks are filled in here. A binary graph's constants are compared
/// with their checksums first, unless the options say otherwise. Kernels of `provider` are preferred unless
/// the options name another; empty: none are. Equal graphs and options give equal programs. Nullopt when there are
/// diagnostics of severity error, or when `stop_after` ended the compilation early.
std::optional<schema::Program> compile_program(compiler::Graph graph, compiler::Options options,
                                               const runtime::Device& device, std::string_view provider,
                                               schema::Diagnostics& diagnostics);

/// The same for another machine's `target`. Constants are packed only when `here` has all of its features, because
/// kernels choose forms by the processor that they are on; otherwise the other machine packs them when it prepares the
/// program.
std::optional<schema::Program> compile_program_for(const schema::Target& target, compiler::Graph graph,
                                                   compiler::Options options, const runtime::Device& here,
                                                   std::string_view provider, schema::Diagnostics& diagnostics);

}  // namespace webnn::api
