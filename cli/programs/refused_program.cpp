#include "cli/programs/refused_program.hpp"

#include "cli/output/messages.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

void refuse_program(const std::string& file, const Error& error, Console& console) {
  Diagnostics diagnostics;
  Diagnostic& found = diagnostics.error(Code::program_constant, {file, 0, 0, {}}, error.what());
  if (!error.hint().empty()) found.hints.push_back(error.hint());
  report_diagnostics(console, diagnostics, {});
  throw Error(ExitCode::program, in_quotes(file) + " cannot be run here");
}

}  // namespace webnn::cli
