// The facts that decide what the results of a batch are. Two runs with equal facts may fill one folder together.
#pragma once

#include <string>
#include <vector>

#include "api/runner/model.hpp"
#include "cli/batch/batch_options.hpp"
#include "cli/json/json.hpp"
#include "cli/programs/compile_options.hpp"

namespace webnn::cli {

/// The tool's version, the hash of the model with its constants (of a program, of its file), where the inputs come from
/// and how pictures are read, and the options that choose kernels. Threads and shards change no result. `compile` names
/// a device. Throws Error as reading the model does; reads all its constants.
Json batch_facts(const api::Model& model, const CompileOptions& compile, const BatchOptions& batch,
                 const std::vector<std::string>& images);

}  // namespace webnn::cli
