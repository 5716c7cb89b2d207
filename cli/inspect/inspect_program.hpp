// What `inspect` shows for a program file.
#pragma once

#include <string>

#include "api/runner/source.hpp"
#include "cli/output/console.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// Reads a program for any machine. Reports what is wrong with it; throws Error (program) for an invalid program.
schema::Program open_program(const api::Source& file, Console& console);

/// Requirements, inputs and outputs, steps, the memory plan of the arena, constants; also for programs for other
/// machines. Throws as `open_program`.
schema::ExitCode inspect_program(const api::Source& file, bool json, Console& console);

/// One line: whether the program runs here, and if not, why. `device`: where; empty: on the device that it is for.
/// Success or `program`. Throws Error (usage) for an unknown device name.
schema::ExitCode inspect_compatibility(const api::Source& file, const std::string& device, bool json, Console& console);

}  // namespace webnn::cli
