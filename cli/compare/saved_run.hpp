// Results on disk: a saved run, or a folder of reference tensors.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frontend/npy.hpp"

namespace webnn::cli {

struct NamedResult {
  std::string name;
  compiler::Tensor tensor;
};

/// A description of one side of a comparison, and its results.
struct RunResults {
  std::string description;  // "digits.json on cpu"
  std::vector<NamedResult> inputs, outputs;
};

/// Throws Error (usage) when the folder already has files of a run, unless they may be overwritten.
void check_free_for_run(const std::filesystem::path& folder, bool force);

/// Writes OUTPUT.npy for each output, inputs/NAME.npy, and run.json, which lists them. Throws Error (io).
void save_run(const RunResults& run, const std::filesystem::path& folder);

/// Reads results for outputs with these names: NAME.npy, or STEM.expected.NAME.npy as next to test models; without
/// names, all that run.json lists, or every .npy file. Missing files are left out. Throws Error: io when the folder
/// cannot be read, invalid_input for invalid files or when there is no result at all.
RunResults read_results(const std::filesystem::path& folder, const std::string& stem,
                        const std::vector<std::string>& names, std::uint64_t max_tensor_bytes);

/// Where the inputs of a saved run are, below its folder; empty: it has none.
std::string saved_inputs(const std::filesystem::path& folder);

}  // namespace webnn::cli
