#include "cli/programs/compile_result.hpp"

#include <sstream>

#include "cli/drawing/picture_of_graph.hpp"
#include "cli/json/json.hpp"
#include "cli/output/output_files.hpp"
#include "compiler/passes/pipeline.hpp"
#include "compiler/passes/print_unit.hpp"
#include "compiler/passes/program_stats.hpp"
#include "schema/error.hpp"
#include "schema/file/program_file.hpp"
#include "schema/kernels/other_providers.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

bool Emission::prints() const { return is_standard_output(output) || (!is_program() && output.empty()); }

void check_emission(const Emission& emission, const CompileOptions& options, bool tunes, bool json,
                    const Console& console) {
  if (json && emission.prints())
    throw Error(ExitCode::usage, "both --output-format json and --emit " + emission.kind + " want standard output",
                "name a file with -o");
  if (!emission.is_program()) return;
  if (!options.stop_after.empty()) compiler::find_pass(options.stop_after);
  if (!options.stop_after.empty() && (options.stats || !emission.output.empty()))
    throw Error(ExitCode::usage, "--stop-after " + options.stop_after + " ends before there is a program",
                "--emit ir or dot shows the graph as it is then");
  check_stop_shows(options);
  const bool shows = shows_compiler(options) || options.stats;
  if (!emission.writes() && !shows && !tunes)
    throw Error(ExitCode::usage, "compile needs the name of the program file", "give it with -o OUT.wnnc");
  if (emission.prints()) check_takes_bytes(console, "a program");
}

std::string emitted_text(const Emission& emission, const compiler::Unit& unit, std::string_view pass) {
  std::ostringstream text;
  if (emission.kind == "dot")
    print_dot(text, picture_of(unit.graph));
  else
    text << "// after " << (pass.empty() ? "no pass" : pass) << "\n" << print(unit);
  return text.str();
}

std::uint64_t emit_program_file(const Program& program, const Emission& emission, Console& console) {
  std::optional<OutputFile> file;
  if (!emission.prints()) file.emplace(emission.output);
  std::uint64_t bytes = 0;
  write_program(program, [&](std::span<const std::byte> piece) {
    const std::string_view text = text_of(piece);
    if (file)
      file->append(text);
    else
      console.out << text;
    bytes += piece.size();
  });
  if (file) file->commit();
  return bytes;
}

namespace {

Json stats_json(const Program& program, const std::string& provider) {
  const compiler::ProgramStats stats = compiler::stats_of(program, provider);
  Json kernels = Json::object();
  for (const auto& [kernel, steps] : stats.kernels) kernels[std::string(kernel)] = steps;
  Json of_others = Json::array();
  if (!provider.empty())
    for (const OtherProvider& other : other_providers(program, provider))
      of_others.push_back({{"op", other.op}, {"provider", other.provider}});
  return {{"steps", stats.steps},
          {"fusedSteps", stats.fused_steps},
          {"postOps", stats.post_ops},
          {"views", stats.views},
          {"inPlace", stats.in_place},
          {"reorders", stats.reorders},
          {"reorderedBytes", stats.reordered_bytes},
          {"constants", stats.constants},
          {"packedConstants", stats.packed_constants},
          {"constantBytes", stats.constant_bytes},
          {"arenaBytes", stats.arena_bytes},
          {"liveBytes", stats.live_bytes},
          {"flops", stats.flops},
          {"stepsByKernel", std::move(kernels)},
          {"ofOthers", std::move(of_others)}};
}

}  // namespace

std::string compile_json(const CompileReport& report) {
  Json json{{"schema", "webnn-cli/compile/1"},
            {"model", report.model},
            {"emit", report.emission.kind},
            {"output", report.emission.output.empty() ? Json() : Json(report.emission.output)},
            {"bytes", report.bytes}};
  if (const Program* program = report.program) {
    json["steps"] = program->steps.size();
    json["device"] = name_of(program->target.device);
    json["features"] = text_of(program->target.features);
    if (report.stats) json["stats"] = stats_json(*program, report.provider);
  }
  for (const compiler::PassTime& pass : report.passes)
    json["passes"].push_back({{"name", pass.pass},
                              {"milliseconds", pass.milliseconds},
                              {"nodesBefore", pass.nodes_before},
                              {"nodesAfter", pass.nodes_after}});
  return json.dump() + "\n";
}

}  // namespace webnn::cli
