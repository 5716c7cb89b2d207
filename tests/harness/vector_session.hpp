// A conformance vector through a session: compiler and runtime together.
#pragma once

#include <cstddef>
#include <vector>

#include "api/runner/session.hpp"
#include "compiler/vectors/vector_reader.hpp"

namespace webnn::tests {

/// The bytes of the graph's outputs. Throws std::runtime_error when the graph is refused, when an input is missing, or when
/// the run changes one.
std::vector<std::vector<std::byte>> through_session(api::Session& session, const compiler::ConformanceVector& vector,
                                                    const compiler::Options& options = {});

}  // namespace webnn::tests
