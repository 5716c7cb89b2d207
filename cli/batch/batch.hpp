// `run --batch`: one program, and a result file for each of many inputs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "api/context_options.hpp"
#include "cli/batch/batch_options.hpp"
#include "cli/batch/input_reader.hpp"
#include "cli/batch/result_files.hpp"
#include "cli/json/json.hpp"
#include "cli/output/console.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// How a batch runs.
struct BatchWork {
  const schema::Program& program;
  ContextOptions context;  // of each worker; its threads are those of one run
  unsigned workers = 1;    // inputs at a time
  Json facts;              // what the results belong to: batch_facts
};

class BatchRun {
 public:
  /// Checks everything before any work starts. `images`: as of --image. Throws Error as find_inputs, InputReader and
  /// ResultFiles do.
  BatchRun(BatchOptions options, std::filesystem::path folder, const std::vector<std::string>& images,
           const std::vector<api::Slot>& inputs, const std::vector<api::Slot>& outputs, std::uint64_t max_tensor_bytes);

  /// Computes what is missing of the shard. An input that cannot be used is reported and does not end the batch; the
  /// exit code is then negative. Prints a closing line or, with `json`, an object; with `quiet` nothing.
  schema::ExitCode run(const BatchWork& work, Console& console, bool json, bool quiet) const;

 private:
  BatchOptions options_;
  std::filesystem::path folder_;
  std::vector<compiler::FileName> files_;  // of all shards until they are checked, then of this one
  InputReader reader_;
  ResultFiles results_;
};

}  // namespace webnn::cli
