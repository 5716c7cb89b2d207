// Files that a command writes: whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "schema/file/output_file.hpp"

namespace webnn::cli {

using schema::OutputFile;

/// A tensor's name as a file name: every byte outside [A-Za-z0-9_-] becomes %XX, so that no name leaves its folder.
std::string file_name_of(std::string_view tensor_name);

/// Creates the folder if need be. Throws Error (io) when no file can be written there.
void check_writable_folder(const std::filesystem::path& folder);

/// Writes to a temporary file in the same folder, syncs and renames; on failure nothing is left. Throws Error (io).
void write_whole_file(const std::filesystem::path& file, std::string_view content);

}  // namespace webnn::cli
