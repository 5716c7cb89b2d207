// Making a program file ready: what is wrong with its constants is found only then, by parts that know no file names.
#pragma once

#include "cli/output/console.hpp"
#include "cli/programs/model_file.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

/// Reports what a kernel or a checksum has found wrong in a program file as a diagnostic that names the file, and
/// throws Error (program).
[[noreturn]] void refuse_program(const ProgramFile& file, const schema::Error& error, Console& console);

/// What `prepare` gives. `file`: null when what is prepared is no program file.
template <typename Prepare>
auto with_program_name(const ProgramFile* file, Console& console, Prepare prepare) {
  try {
    return prepare();
  } catch (const schema::Error& error) {
    if (!file || error.code() != schema::ExitCode::program) throw;
    refuse_program(*file, error, console);
  }
}

}  // namespace webnn::cli
