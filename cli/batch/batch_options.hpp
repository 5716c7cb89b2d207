// The options of a batch: where its inputs come from, which part of them is wanted, and whether to start over.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "cli/options/option_list.hpp"

namespace webnn::cli {

/// --shard is not given.
inline constexpr std::size_t no_shard = std::numeric_limits<std::size_t>::max();

struct BatchOptions {
  std::vector<std::string> sources;  // folders, patterns, files; empty: no batch
  std::size_t shards = 0;            // 0: not given
  std::size_t shard = no_shard;
  bool force = false;
  std::string progress = "auto";

  bool is_asked() const { return !sources.empty(); }
};

/// --batch, --shards, --shard, --force, --progress, for a command that has the options of a single run: these and
/// --batch exclude each other.
void add_batch_options(OptionList& list, BatchOptions& options);

/// Shard `index` of `count`, counted from 0: every `count`-th input.
struct Shard {
  std::size_t index = 0, count = 1;
};
/// The shard that the options name. Throws Error (usage) for one that does not exist.
Shard shard_of(const BatchOptions& options);

/// Throws Error (usage) when a shard is asked for without --batch, or a batch has no folder for its results.
void check_batch_options(const BatchOptions& options, const std::string& outputs_folder);

}  // namespace webnn::cli
