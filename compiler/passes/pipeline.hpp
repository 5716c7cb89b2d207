// Runs the passes. Only the pipeline prints, verifies, measures time and stops.
#pragma once

#include <span>
#include <string_view>

#include "compiler/unit.hpp"

namespace webnn::compiler {

using PassFunction = void (*)(Unit&);

/// A row of passes.def.
struct Pass {
  std::string_view name;
  unsigned level = 0;  // runs at this level of optimisation and above
  std::string_view summary;
  PassFunction run = nullptr;
};

std::span<const Pass> pass_table();
/// Throws Error (usage) with a "did you mean" when there is no such pass.
const Pass& find_pass(std::string_view name);

/// Runs one pass and verifies the result: an invalid graph or program becomes a diagnostic (bad_pass_result) that names
/// the pass. Skips the verification if the pass itself reported an error. False when the unit's diagnostics have
/// errors.
bool run_pass(const Pass& pass, Unit& unit);

/// Runs the passes of passes.def as the unit's options say (`level`, `print_before`, `print_after`, `stop_after`,
/// `time_passes`). True when all passes ran without errors and `stop_after` names none, so that the unit's program is
/// complete and wanted. Throws Error (usage) for an unknown pass name in the options, before any pass runs.
bool run_pipeline(Unit& unit);

}  // namespace webnn::compiler
