// What the compiler borrows from the runtime: running one operator on constants.
#pragma once

#include "compiler/options.hpp"

namespace webnn::api {

/// Runs the spec by its reference kernel on the CPU, on the calling thread. Safe to call from several threads.
compiler::Evaluate reference_evaluate();

}  // namespace webnn::api
