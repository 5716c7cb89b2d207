// The data of a graph's inputs, as given on the command line: options of all commands that run graphs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/inputs/input_spec.hpp"
#include "cli/options/option_list.hpp"
#include "cli/output/console.hpp"

namespace webnn::cli {

struct InputOptions {
  std::vector<std::string> inputs, images;  // NAME=SPEC each
  std::string folder, below;                // with files NAME.npy, or those whose path from there begins with `below`
  std::string fill;                         // SPEC for all other inputs
};

/// --input, --image, --inputs, --fill.
void add_input_options(OptionList& list, InputOptions& options);

/// Data for every input, in order. Throws Error: usage for inputs that are missing (all are named), given twice or do
/// not fit; io for a file that cannot be read; resource for a tensor of more than `max_tensor_bytes`.
std::vector<compiler::Tensor> gather_inputs(const InputOptions& options, std::span<const api::Slot> slots,
                                            std::uint64_t max_tensor_bytes);

/// The same for commands that do not depend on the numbers: without --fill, missing inputs are random. `random`
/// receives the names of these inputs.
std::vector<compiler::Tensor> gather_any_inputs(const InputOptions& options, std::span<const api::Slot> slots,
                                                std::uint64_t max_tensor_bytes, std::vector<std::string>& random);
/// A sentence about these inputs; empty when there are none.
std::string random_inputs_text(const std::vector<std::string>& random);

/// The files that inputs come from; among them may be names of no file.
std::vector<std::filesystem::path> files_of_inputs(const InputOptions& options, std::span<const api::Slot> slots);

/// A warning that names the .npy files in `folder` that neither an input nor an output has: their names may be misspelt.
void remark_other_files(Console& console, const std::filesystem::path& folder, std::span<const api::Slot> inputs,
                        std::span<const api::Slot> outputs);

/// A view of each tensor's bytes.
std::vector<std::span<const std::byte>> views_of(std::span<const compiler::Tensor> tensors);

}  // namespace webnn::cli
