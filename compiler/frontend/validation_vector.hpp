// Validation vectors: one call of a builder method each, which must give certain outputs or be refused.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace webnn::compiler {

struct VectorOutcome {
  bool passed = false;
  std::string message;  // what happened: the outputs' descriptors, or why the call was refused
};

/// Runs {"name", "op", "args": [...], "outputs": [{dataType, shape}, ...] | "error": ...} through the operator checks.
/// `op` is a builder method; `input` and `constant` check a name and a descriptor. A vector that is malformed itself
/// does not pass.
VectorOutcome run_validation_vector(const nlohmann::json& vector);

}  // namespace webnn::compiler
