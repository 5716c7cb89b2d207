// What a command does with the file or folder that an option names; the table of option values says it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace webnn::cli {

enum class FileUse : std::uint8_t {
  none,
  reads,
  reads_folder,
  reads_model,    // a file, and the weights in its folder; or a folder of models
  reads_in_spec,  // the file behind the @ in the description of a tensor
  reads_pattern,  // a file, all files of a folder, or those that a pattern matches
  writes,
  writes_results,  // of a folder, and reads `record_of_results` in it
};

/// The file that says what the results in a folder belong to.
inline constexpr std::string_view record_of_results = "batch.json";

struct UsedFile {
  FileUse use = FileUse::none;
  std::string value;  // of the option
};

/// The file that a description of a tensor or picture names: "2x2:float32=@raw.bin", "@w.safetensors#key",
/// "@p.png,size:8x8". All beginnings that a comma or # may end are possible.
std::vector<std::string> files_in_spec(std::string_view spec);

}  // namespace webnn::cli
