// What a command does with the file or folder that an option names; the table of option values says it.
#pragma once

#include <cstdint>
#include <string>

namespace webnn::cli {

enum class FileUse : std::uint8_t {
  none,
  reads,
  reads_folder,
  reads_model,    // a file, and the weights in its folder; or a folder of models
  reads_in_spec,  // the file behind the @ in the description of a tensor
  writes,
  writes_folder,
};

struct UsedFile {
  FileUse use = FileUse::none;
  std::string value;  // of the option
};

}  // namespace webnn::cli
