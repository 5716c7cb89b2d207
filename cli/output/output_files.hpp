// Files written by a command: completely or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/console.hpp"
#include "compiler/frontend/file_name.hpp"
#include "compiler/frontend/npy.hpp"
#include "schema/file/output_file.hpp"

namespace webnn::cli {

using schema::OutputFile;

/// A tensor's name as a file name: every byte except [A-Za-z0-9_-], and dots behind the first, becomes %XX, so that no name
/// can leave its folder.
std::string file_name_of(std::string_view tensor_name);

/// The file BEFORE + NAME + ".npy" of a tensor, found in a folder; nullopt: there is none. NAME may also be the tensor's name as it
/// is, if that has no slash, or with dots as %2E.
std::optional<compiler::FileName> find_tensor_file(const std::filesystem::path& folder, const std::string& before,
                                                   std::string_view tensor_name);

/// The .npy files of a folder that no tensor of these names has, in order; none of a folder that cannot be read. Those of
/// test cases, STEM.input.NAME.npy and STEM.expected.NAME.npy, do not count.
std::vector<std::string> other_tensor_files(const std::filesystem::path& folder,
                                            std::span<const std::string> tensor_names);

/// Creates the folder if necessary. Throws Error (io) when no file can be written there.
void check_writable_folder(const std::filesystem::path& folder);

/// Throws Error (usage) when the file exists and may not be overwritten. An empty name is accepted.
void check_free(const std::filesystem::path& file, bool force);

/// Whether it is the "-" of `-o -`: what would otherwise be written to a file is printed.
inline bool is_standard_output(std::string_view file) { return file == "-"; }

/// Throws Error (usage) for "-" as the value of `option`, whose file cannot go to standard output.
void refuse_standard_output(std::string_view option, std::string_view file);

/// Throws Error (usage) when standard output is a terminal, which binary data would disturb.
void check_takes_bytes(const Console& console, std::string_view what);

/// Writes the whole file, or prints the content when the name is "-" or empty.
void write_output(Console& console, const std::string& file, std::string_view content);

/// Writes to a temporary file in the same folder, syncs and renames; after a failure nothing is left. Throws Error
/// (io).
void write_whole_file(const std::filesystem::path& file, std::string_view content);
/// The same for a tensor, as a .npy file.
void write_tensor_file(const std::filesystem::path& file, const compiler::Tensor& tensor);

}  // namespace webnn::cli
