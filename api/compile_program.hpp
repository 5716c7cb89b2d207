// A graph becomes a program for a device.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

/// Compiles for `device`; options' target and callbacks are filled in here. Kernels of `provider` are preferred unless
/// the options name another; empty: none are. Equal graphs and options give equal programs. Nullopt when there are
/// diagnostics of severity error, or when `stop_after` ended the compilation early.
std::optional<schema::Program> compile_program(compiler::Graph graph, compiler::Options options,
                                               const runtime::Device& device, std::string_view provider,
                                               schema::Diagnostics& diagnostics);

}  // namespace webnn::api
