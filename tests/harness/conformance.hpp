// Conformance vectors against any way of computing a graph.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "api/runner/session.hpp"
#include "compiler/vectors/vector_reader.hpp"

namespace webnn::tests {

/// The bytes of the graph's outputs, in its order, for the vector's inputs. What it throws is the vector's failure.
using EvaluateVector = std::function<std::vector<std::vector<std::byte>>(const compiler::ConformanceVector&)>;

/// The files of vectors of a folder, by name.
std::vector<std::filesystem::path> vector_files(const std::filesystem::path& folder);

/// All vectors of the files.
std::vector<compiler::ConformanceVector> read_all_vectors(const std::vector<std::filesystem::path>& files);

/// Empty when `evaluate` gives what the vector expects, within its tolerance; else what is wrong.
std::string failure_of(const compiler::ConformanceVector& vector, const EvaluateVector& evaluate);

/// Checks that `evaluate` gives what each vector of the files expects, within its tolerance.
void check_vectors(const std::vector<std::filesystem::path>& files, const EvaluateVector& evaluate);

/// The bytes of the graph's outputs, through compiler and runtime. Throws std::runtime_error when the graph is refused, when an
/// input is missing, or when the run changes one.
std::vector<std::vector<std::byte>> through_session(api::Session& session, const compiler::ConformanceVector& vector,
                                                    const compiler::Options& options = {});

}  // namespace webnn::tests
