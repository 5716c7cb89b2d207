// What the results in a folder belong to: the file batch.json in it, with facts such as the model's hash. Results of
// other facts are never taken for those of a batch.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/json/json.hpp"

namespace webnn::cli {

/// Begins or goes on with the batch that `facts`, an object, describe. Returns when it began: only results from then on
/// belong to it. Nullopt: just now, and none does. Throws Error (usage) when the folder holds results of other facts;
/// with `force` they are given up.
std::optional<std::filesystem::file_time_type> open_record(const std::filesystem::path& folder, const Json& facts,
                                                           bool force);

}  // namespace webnn::cli
