// What a machine may have or lack that some tests need: features of its CPU, programs.
#pragma once

#include <string>

#include "schema/kernels/target.hpp"

namespace webnn::tests {

/// Whether the CPU and the operating system offer all of these.
bool machine_has(schema::Feature needed);
/// Of those that they do not: "this machine lacks avx512_vnni".
std::string machine_lacks(schema::Feature needed);

/// Whether the shell finds a program of this name.
bool has_program(const std::string& name);
/// Whether there is Node.js 18 or newer.
bool has_node();
/// The first Python 3.11 or newer of the path that has NumPy, as a word of a shell; empty when there is none. A user may
/// have several.
std::string python_with_numpy();

}  // namespace webnn::tests
