// What a build system wants beside a program file: the files that it was made from, and a header of C++ with its names,
// types and shapes.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "api/runner/model.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// The files that the model is read from: its own, and those of its weights that are there. None for standard input.
std::vector<std::filesystem::path> files_of(const api::Model& model);

/// A rule of make, as Ninja and CMake read it too: `output` is to be made again when one of the files changes.
std::string dependency_rule(const std::string& output, std::span<const std::filesystem::path> files);

/// A header of C++17 that needs no other of ours. Its namespace is the program file's name without the extension:
///   digits::program                       "digits.wnnc", as the file was named for the command
///   digits::inputs::image::name           "image"
///   digits::inputs::image::data_type      "float32"
///   digits::inputs::image::shape          std::array<std::uint32_t, 4>
///   digits::inputs::image::element_count, byte_length
/// and the same for digits::outputs. What cannot be in a name of C++ is replaced by _.
std::string program_header(const schema::Program& program, const std::filesystem::path& file);

}  // namespace webnn::cli
