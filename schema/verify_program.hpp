// Proves that a program is safe to run. It is the compiler's last check, and what a loader applies to untrusted files.
#pragma once

#include <string>
#include <vector>

#include "schema/program.hpp"

namespace webnn::schema {

/// What is wrong with `program`, one plain lower-case sentence each (at most 20). Empty when all of this holds:
///   - every index, enumerator, descriptor and offset is in range, and every size matches its descriptor
///   - inputs and outputs are bound to one value each, with the same descriptor
///   - every step is a valid operator call (`spec_error`) that its kernel row takes on the program's target
///   - every value that is read, by a step or as an output, was written before: by a step, the caller or the compiler
///   - no step overwrites a value that is still needed, except in place where its kernel row allows it
/// Assumes nothing about the program. O(n log n) in values and steps. Does not check the text of names.
std::vector<std::string> verify_program(const Program& program);

}  // namespace webnn::schema
