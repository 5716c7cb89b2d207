// Proves that a program can be run: the compiler's last check, and the loader's answer to files that nobody vouches
// for.
#pragma once

#include <string>
#include <vector>

#include "schema/program.hpp"

namespace webnn::schema {

/// What is wrong with `program`, one plain lower-case sentence each (at most 20); empty when all of this holds:
///   - every index, enumerator, descriptor and offset is in range, and every size is what its descriptor says
///   - inputs and outputs are bound to one value each, of the same descriptor
///   - every step is a correct operator call (`spec_error`) that its kernel row takes on the program's target
///   - every value that is read, by a step or as an output, has been written before: by a step, the caller or the
///     compiler
///   - no step writes over a value that is still needed, except in place where its kernel row allows it
/// Assumes nothing about the program; O(n log n) in values and steps. The names' text is not looked at.
std::vector<std::string> verify_program(const Program& program);

}  // namespace webnn::schema
