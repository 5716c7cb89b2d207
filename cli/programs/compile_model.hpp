// From a model to a program with the options of the command line, and what people are told on the way.
#pragma once

#include <optional>

#include "api/runner/compilation.hpp"
#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"

namespace webnn::cli {

/// The compiler's options for programs for `target`, with the tuning file, which is for `device`, and the user's cache.
/// Throws Error: usage for a malformed option, as load_tuning for the tuning file.
api::CompileRequest compile_request(const CompileOptions& options, const runtime::Device& device,
                                    const schema::Target& target, Console& console);

/// Throws Error (usage) when an option is given that means nothing for a program, which is compiled already.
void refuse_compiler_options(const std::string& program, const CompileOptions& compile, const LimitOptions& limits);

/// Inputs are read before a graph is compiled, so that what is wrong with them is said at once. Throws Error (resource)
/// when they alone exceed --max-memory.
void check_inputs_fit(std::span<const api::Slot> inputs, const CompileOptions& options);

/// The program, checked against --only; says which operators run elsewhere than asked, and why the cache does not keep
/// it. Nullopt when there are diagnostics of severity error, or after --stop-after.
std::optional<schema::Program> finish_program(api::Compilation& compilation, const CompileOptions& options,
                                              Console& console, schema::Diagnostics& diagnostics);

}  // namespace webnn::cli
