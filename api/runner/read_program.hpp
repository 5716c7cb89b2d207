// Opens program files (.wnnc); for code above the compiler and the runtime.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runtime/device.hpp"
#include "schema/diagnostics.hpp"
#include "schema/elements/bytes.hpp"
#include "schema/program.hpp"

namespace webnn::api {

/// The mapped file if its first bytes are those of a program file; nullopt for any other file, a pipe, or a file that
/// does not exist. Throws Error (io) for a file that cannot be read.
std::optional<schema::Bytes> map_program_file(const std::filesystem::path& file);
/// The same for an open file with this name.
std::optional<schema::Bytes> map_program_file(int descriptor, const std::string& name);

/// schema::read_program for a device; also checks whether this build has the kernels. Nullopt when there is a
/// diagnostic.
std::optional<schema::Program> read_program_for(const runtime::Device& device, const schema::Bytes& file,
                                                const std::string& file_name, schema::Diagnostics& diagnostics);

}  // namespace webnn::api
