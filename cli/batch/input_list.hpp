// The inputs of a batch: a sorted list of files, of which each belongs to one shard.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/batch/batch_options.hpp"
#include "compiler/frontend/file_name.hpp"

namespace webnn::cli {

enum class InputKind : std::uint8_t { array, tensors, picture };

/// What a file is taken for, by its ending: .npy, .safetensors, anything else a picture, whose content tells more.
InputKind kind_of_input(const std::filesystem::path& file);

/// All files that the sources name, each once, sorted by the bytes of their paths. A source that exists is a file or a
/// folder; of a folder these are the files directly in it that end like an array, tensors or a picture and do not begin
/// with a dot. Any other source is a pattern (glob). Throws Error: io for a source that is not there, usage for one that
/// gives no file.
std::vector<compiler::FileName> find_inputs(std::span<const std::string> sources);

/// Leaves the files of a shard.
void keep_shard(std::vector<compiler::FileName>& files, const Shard& shard);

}  // namespace webnn::cli
