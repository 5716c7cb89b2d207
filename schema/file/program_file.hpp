// Programs as files (.wnnc): the container with a FlatBuffer of schema/file/program.fbs as its metadata.
#pragma once

#include <optional>
#include <string>

#include "schema/file/container.hpp"
#include "schema/program.hpp"

namespace webnn::schema {

/// Writes a program. Equal programs of one version of this tool give equal bytes.
void write_program(const Program& program, const FileSink& sink);

/// Reads a program: container, version, target, Verifier, names and numbers, then `verify_program`; the first that
/// fails is reported and nullopt returned. Constants are views on `file`, which they keep alive, and are not read:
/// their checksums are in Program::constant_checksums. `machine` is what the program shall run on; null: not asked.
std::optional<Program> read_program(const Bytes& file, const std::string& file_name, const Target* machine,
                                    Diagnostics& diagnostics);

/// What a program file is for, also when it is of another version; nullopt when it is damaged.
std::optional<Target> target_of_program(const Bytes& file);

/// The graph that a program file carries (a binary graph file), also when the program itself is for another machine or
/// of another version; empty when it carries none or is damaged.
Bytes graph_of_program(const Bytes& file);

}  // namespace webnn::schema
