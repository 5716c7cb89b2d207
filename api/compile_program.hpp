// A graph becomes a program for a device.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

struct ProgramOptions {
  std::string_view provider;  // of kernels to prefer, unless the compiler's options name one
  unsigned threads = 1;       // that arrange constants for the kernels which will read them
};

/// Compiles for `device`; options' target and callbacks are filled in here. Nullopt when there are diagnostics of
/// severity error, or when `stop_after` ended the compilation early.
std::optional<schema::Program> compile_program(compiler::Graph graph, compiler::Options options,
                                               const runtime::Device& device, const ProgramOptions& program_options,
                                               schema::Diagnostics& diagnostics);

}  // namespace webnn::api
