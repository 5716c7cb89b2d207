// Validation vectors: one call of a builder method each, which must give certain outputs or be refused.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::compiler {

struct VectorOutcome {
  bool passed = false;
  std::string message;  // what happened: the outputs' descriptors, or why the call was refused
};

/// Runs {"name", "op", "args": [...], "outputs": [{dataType, shape}, ...] | "error": ...} through the operator checks.
/// `op` is a builder method; `input` and `constant` check a name and a descriptor. A vector that is malformed itself
/// does not pass.
VectorOutcome run_validation_vector(const nlohmann::json& vector);

/// A vector of a file, to be run once.
struct ValidationVector {
  std::string name;
  std::function<VectorOutcome()> run;
};
/// Those of {"tests": [...]}; empty for a text that is something else.
std::vector<ValidationVector> read_validation_vectors(std::string_view text);

}  // namespace webnn::compiler
