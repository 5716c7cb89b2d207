// The results of a batch: a file for each input, in one folder. A file with its name is whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/runner/slot.hpp"
#include "compiler/frontend/file_name.hpp"

namespace webnn::cli {

/// May be used by several threads at once.
class ResultFiles {
 public:
  /// In `folder`: STEM.npy of one output, STEM.safetensors of several. Throws Error (usage) for outputs that no such
  /// file can hold.
  ResultFiles(std::filesystem::path folder, std::vector<api::Slot> outputs);

  /// Throws Error (usage) when two inputs have the same result, or one lies where the results go.
  void check(std::span<const compiler::FileName> inputs) const;

  std::filesystem::path file_for(const std::filesystem::path& input) const;

  /// Whether the result of an input is there: of the right length, and neither older than `since` nor than the input.
  bool has(const std::filesystem::path& input, std::filesystem::file_time_type since) const;

  /// `data`: of each output. Not yet safe from a crash of the machine, after which a file that was lost is too short.
  /// Throws Error (io).
  void write(const std::filesystem::path& input, std::vector<std::vector<std::byte>> data) const;
  /// Makes all that was written safe: waiting for the disk once takes less time than for each file. Throws Error (io).
  void sync() const;

 private:
  std::filesystem::path folder_;
  std::vector<api::Slot> outputs_;
  std::uint64_t file_bytes_ = 0;
};

}  // namespace webnn::cli
