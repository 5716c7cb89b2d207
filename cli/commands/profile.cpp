// `webnn-cli profile MODEL|PROGRAM`: shows where the time of a run goes.
#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/command.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/json/json.hpp"
#include "cli/measure/machine.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress.hpp"
#include "cli/profile/profile_report.hpp"
#include "cli/programs/loaded_model.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "cli/watchdog.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
namespace fs = std::filesystem;

struct ProfileCommand {
  std::string model;
  CompileOptions compile;
  LimitOptions limits;
  InputOptions inputs;
  ProfileOptions measuring;
  std::string time = "2s", trace, html, format = "text", progress = "auto";
  std::size_t top = 20;
  bool force = false;
};

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

bool is_chrome_trace(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  if (ending == ".json") return true;
  if (ending == ".pftrace" || ending == ".perfetto-trace" || ending == ".pb") return false;
  throw Error(ExitCode::usage, "the name " + in_quotes(file) + " does not say which kind of trace to write",
              "let it end with .json for Chrome's form or .pftrace for Perfetto's");
}

std::vector<Phase> phases_of(const LoadedModel& model, const ReadyTimes& times, double first_run) {
  std::vector<Phase> phases{{"load", model.load_milliseconds(), false}};
  if (model.graph()) phases.push_back({"compile", times.compile, false});
  for (const compiler::PassTime& pass : times.passes)
    phases.push_back({std::string(pass.pass), pass.milliseconds, true});
  phases.push_back({"prepare", times.prepare, false});
  phases.push_back({"first run", first_run, false});
  return phases;
}

ExitCode profile(ProfileCommand command, Console& console) {
  command.measuring.seconds = std::chrono::duration<double>(parse_duration(command.time)).count();
  refuse_standard_output("--trace", command.trace);
  refuse_standard_output("--html", command.html);
  check_free(command.trace, command.force);
  check_free(command.html, command.force);
  const bool chrome = command.trace.empty() || is_chrome_trace(command.trace);
  const Machine machine = this_machine();
  command.limits.dimensions = command.compile.dimensions;
  const LoadedModel model(command.model, command.limits, command.compile, console);
  command.compile = model.settled(command.compile, console);
  const Ready ready = model.prepare(command.compile, console);
  api::Session& session = *ready.session;
  std::vector<std::string> random;
  const auto inputs =
      gather_any_inputs(command.inputs, api::slots_of(session.inputs()), command.limits.max_tensor_bytes, random);
  remark_other_files(console, command.inputs.folder, api::slots_of(session.inputs()), api::slots_of(session.outputs()));
  session.write(views_of(inputs));
  const auto start = std::chrono::steady_clock::now();
  session.compute();
  const double first_run = milliseconds_since(start);

  std::optional<compiler::Graph> source;
  if (model.graph()) {
    source = model.graph_with(command.compile.dimensions);
  }
  Profile result;
  {
    Progress progress(console, command.progress, "profile");
    command.measuring.progress = [&](double done) { progress.show(done); };
    const Limits limits = measure_limits(command.compile);
    result = profile_session(session, source ? &*source : nullptr, limits, command.measuring);
  }
  result.model = model.name();
  result.random_inputs = random;
  result.phases = phases_of(model, ready.times, first_run);
  if (!command.trace.empty()) write_whole_file(command.trace, chrome ? chrome_trace(result) : perfetto_trace(result));
  if (!command.html.empty()) write_whole_file(command.html, profile_page(result));
  if (command.format == "json")
    console.out << profile_json(result).dump() << "\n";
  else
    print_profile_text(console.out, result, command.top);
  if (command.format == "json") return ExitCode::success;  // the report contains these
  if (!random.empty()) remark(console, Severity::note, random_inputs_text(random));
  for (const std::string& doubt : doubts_about(machine, result.threads)) remark(console, Severity::warning, doubt);
  return ExitCode::success;
}

}  // namespace

Action declare_profile(OptionList& list) {
  auto command = std::make_shared<ProfileCommand>();
  list.add("model", command->model, "a graph or program file; - reads standard input").required();
  list.add("--html", command->html, "write a report as a page that needs no network");
  list.add("--trace", command->trace, "write a trace: .json for Chrome's form, .pftrace for Perfetto's");
  list.flag("--force", command->force, "overwrite these files");
  list.add("--top", command->top, "print the N longest steps; 0: all").shows_default();
  list.add("--time", command->time, "how long to measure, at least").shows_default();
  list.add("--runs", command->measuring.runs, "runs to measure, at least")
      .between(std::size_t{1}, std::size_t{1} << 20)
      .shows_default();
  list.add("--output-format", command->format, "text or json").one_of({"text", "json"});
  add_progress_option(list, command->progress);
  add_input_options(list, command->inputs);
  add_dimension_option(list, command->compile.dimensions);
  add_device_options(list, command->compile);
  add_tuning_option(list, command->compile);
  add_format_option(list, command->limits);
  add_limit_options(list, command->limits);
  return [command](Console& console) { return profile(*command, console); };
}

}  // namespace webnn::cli
