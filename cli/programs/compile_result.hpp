// What `compile` can give: the program file, or the graph that the passes left, as text or as a picture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/output/console.hpp"
#include "cli/programs/compile_options.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {
struct Unit;
}

namespace webnn::cli {

/// --emit and -o.
struct Emission {
  std::string kind = "program";  // "ir", "dot"
  std::string output;            // empty: of a program none, else standard output; "-": standard output
  bool is_program() const { return kind == "program"; }
  bool prints() const;
  bool writes() const { return prints() || !output.empty(); }
};

/// Throws Error (usage) when the options ask for a program that does not come to be, for nothing at all, or for two
/// things on standard output. `tunes`: a tuning file is written anyway.
void check_emission(const Emission& emission, const CompileOptions& options, bool tunes, bool json,
                    const Console& console);

/// Of --emit ir and dot: what the last pass that ran has left. Shows the graph as text or in Graphviz' language.
std::string emitted_text(const Emission& emission, const compiler::Unit& unit, std::string_view pass);

/// Writes the program file, or prints it; how long it is.
std::uint64_t emit_program_file(const schema::Program& program, const Emission& emission, Console& console);

/// What is known of a compilation, for --output-format json.
struct CompileReport {
  std::string model;
  Emission emission;
  const schema::Program* program = nullptr;  // null: --stop-after came first
  std::uint64_t bytes = 0;                   // of the file that was written
  std::vector<compiler::PassTime> passes;    // of --time-passes
  bool stats = false;
  std::string provider;  // whose kernels are preferred; empty: nobody's
};
std::string compile_json(const CompileReport& report);

}  // namespace webnn::cli
