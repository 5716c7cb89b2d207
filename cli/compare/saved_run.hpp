// Results on disk: a run that was saved, or a folder of reference tensors.
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

/// What a side of a comparison was and what it gave.
struct RunResults {
  std::string description;  // "digits.json on cpu"
  std::vector<NamedResult> inputs, outputs;
};

/// Throws Error (usage) when files of a run are in the folder already, unless they may be overwritten.
void check_free_for_run(const std::filesystem::path& folder, bool force);

/// Writes OUTPUT.npy for each output, inputs/NAME.npy, and run.json, which lists them. Throws Error (io).
void save_run(const RunResults& run, const std::filesystem::path& folder);

/// Reads results for outputs of these names: NAME.npy, or STEM.expected.NAME.npy as beside test models; without names,
/// all that run.json lists, or every .npy file. A file that is not there is left out. Throws Error: io when the folder
/// cannot be read, invalid_input for files that are wrong or when there is no result at all.
RunResults read_results(const std::filesystem::path& folder, const std::string& stem,
                        const std::vector<std::string>& names, std::uint64_t max_tensor_bytes);

/// The folder of a saved run's inputs, when there is one.
std::optional<std::filesystem::path> saved_inputs(const std::filesystem::path& folder);

}  // namespace webnn::cli
