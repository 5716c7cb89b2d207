// Making a program file ready: what is wrong with its constants is found only then, by parts that know no file names.
#pragma once

#include "api/runner/model.hpp"
#include "cli/output/console.hpp"
#include "schema/error.hpp"

namespace webnn::cli {

/// Reports what a kernel or a checksum has found wrong in a program file as a diagnostic that names the file, and
/// throws Error (program).
[[noreturn]] void refuse_program(const std::string& file, const schema::Error& error, Console& console);

/// What `prepare` gives for a model.
template <typename Prepare>
auto with_program_name(const api::Model& model, Console& console, Prepare prepare) {
  try {
    return prepare();
  } catch (const schema::Error& error) {
    if (!model.is_program() || error.code() != schema::ExitCode::program) throw;
    refuse_program(model.name(), error, console);
  }
}

}  // namespace webnn::cli
