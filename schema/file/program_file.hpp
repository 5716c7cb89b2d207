// Programs as files (.wnnc): the container with a FlatBuffer of schema/file/program.fbs as its metadata.
#pragma once

#include <optional>
#include <string>

#include "schema/file/container.hpp"
#include "schema/program.hpp"

namespace webnn::schema {

/// Writes a program. Equal programs written by the same version of this tool give equal bytes.
void write_program(const Program& program, const FileSink& sink);

/// Reads a program. Checks container, version, target, Verifier, names and numbers, then runs `verify_program`; the
/// first failure is reported and gives nullopt. Constants are views of `file`, keep it alive and are not read: their
/// checksums are in Program::constant_checksums. `kernels` are those that its steps may name. `machine` is what the
/// program must run on; null: not checked.
std::optional<Program> read_program(const Bytes& file, const std::string& file_name, const KernelTable& kernels,
                                    const Target* machine, Diagnostics& diagnostics);

/// Compares the constants with their checksums, which reads all of them. Throws Error (program) for the first that differs.
void check_constants(const Program& program);

/// The target of a program file, even of another version; nullopt when the file is damaged.
std::optional<Target> target_of_program(const Bytes& file);

/// The graph embedded in a program file (as a binary graph file), even when the program is for another machine or of
/// another version; empty when there is none or the file is damaged.
Bytes graph_of_program(const Bytes& file);

}  // namespace webnn::schema
