// Validation vectors: each is one call of a builder method, which must give certain outputs or be refused.
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
/// `op` is a builder method; `input` and `constant` check a name and a descriptor. A malformed vector does not pass.
VectorOutcome run_validation_vector(const nlohmann::json& vector);

/// A vector of a file; may be run once.
struct ValidationVector {
  std::string name;
  std::function<VectorOutcome()> run;
};
/// The vectors in {"tests": [...]}; empty for any other text.
std::vector<ValidationVector> read_validation_vectors(std::string_view text);

}  // namespace webnn::compiler
