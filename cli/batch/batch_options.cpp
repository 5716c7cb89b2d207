#include "cli/batch/batch_options.hpp"

#include "cli/output/progress.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

constexpr std::size_t most_shards = std::size_t{1} << 20;

}  // namespace

void add_batch_options(OptionList& list, BatchOptions& options) {
  list.add(
          "--batch", options.sources,
          "run once for each file of this folder, of this pattern ('a/*.png', in quotes), or this file: .npy, "
          "pictures, read as --image NAME=order:bgr,... says, or .safetensors with all inputs by name; may be repeated")
      .repeatable();
  list.add("--shards", options.shards, "divide a batch among N processes or machines with the same --outputs")
      .between(std::size_t{1}, most_shards);
  list.add("--shard", options.shard, "the part of --shards to run, from 0: input K belongs to part K modulo N")
      .between(std::size_t{0}, most_shards - 1);
  list.flag("--force", options.force, "start a batch over: earlier results in --outputs count no longer");
  add_progress_option(list, options.progress);
  for (const char* other : {"--input", "--inputs", "--fill", "--top", "--labels", "--values", "--repeat"})
    list.exclude("--batch", other);
}

Shard shard_of(const BatchOptions& options) {
  if (options.shards == 0 && options.shard == no_shard) return {};
  if (options.shards == 0) throw Error(ExitCode::usage, "--shard needs --shards N, the number of parts");
  if (options.shard == no_shard)
    throw Error(ExitCode::usage,
                "--shards needs --shard I, the part to run, from 0 to " + std::to_string(options.shards - 1));
  if (options.shard >= options.shards)
    throw Error(ExitCode::usage,
                "there is no part " + std::to_string(options.shard) + " of " + std::to_string(options.shards),
                "parts are counted from 0: --shard is 0 to " + std::to_string(options.shards - 1));
  return {options.shard, options.shards};
}

void check_batch_options(const BatchOptions& options, const std::string& outputs_folder) {
  if (options.is_asked()) {
    shard_of(options);
    if (outputs_folder.empty())
      throw Error(ExitCode::usage, "--batch needs a folder for its results", "--outputs FOLDER names it");
    return;
  }
  // --force and --progress may come from the environment, for other commands.
  const char* given = options.shards != 0 ? "--shards" : options.shard != no_shard ? "--shard" : nullptr;
  if (given) throw Error(ExitCode::usage, std::string(given) + " means nothing without --batch");
}

}  // namespace webnn::cli
