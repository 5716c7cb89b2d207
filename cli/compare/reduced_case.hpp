// Writes the smallest graph that shows a difference to disk, as a case folder of `webnn-cli test`.
#pragma once

#include <filesystem>

#include "cli/compare/divergence.hpp"

namespace webnn::cli {

/// Writes STEM.json with its weights inside, STEM.input.NAME.npy and STEM.expected.NAME.npy; the graph is written last.
/// Throws Error (io).
void write_reduced_case(const Divergence& divergence, const std::filesystem::path& file);

}  // namespace webnn::cli
