// `webnn-cli compare A B`: whether two ways to the same results agree, and if not, where they begin to differ.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/command.hpp"
#include "cli/compare/compare_report.hpp"
#include "cli/compare/reduced_case.hpp"
#include "cli/compare/saved_run.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/json/json.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/output/progress.hpp"
#include "cli/programs/loaded_model.hpp"
#include "schema/name_hash.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using compiler::Tensor;
namespace fs = std::filesystem;

struct CompareOptions {
  std::vector<std::string> sides;
  std::string devices, kernels, isas, threads;  // one value for both sides, or "A,B"
  std::string reference, save_run, reduce, tolerance, junit, format = "text", progress = "auto";
  CompileOptions compile;
  LimitOptions limits;
  InputOptions inputs;
  bool first_divergence = false, force = false;
};

/// "a,b" -> {a, b}; "a" -> {a, a}; "" -> {usual, usual}.
std::pair<std::string, std::string> pair_of(const std::string& option, const std::string& text,
                                            const std::string& usual) {
  if (text.empty()) return {usual, usual};
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) return {text, text};
  if (text.find(',', comma + 1) != std::string::npos)
    throw Error(ExitCode::usage, option + " " + in_quotes(text) + " names more than two", "two sides are compared");
  return {text.substr(0, comma), text.substr(comma + 1)};
}

unsigned thread_count(const std::string& text) {
  unsigned count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count > 1024)
    throw Error(ExitCode::usage, "--threads " + in_quotes(text) + " is no number from 0 to 1024");
  return count;
}

/// A source of results: a model on a device, or a folder.
struct Side {
  std::string file;
  std::unique_ptr<LoadedModel> model;  // null: a folder
  CompileOptions compile;
  std::string description() const {
    if (!model) return file;
    std::string text = file + " on " + compile.device;
    if (!compile.kernels.empty()) text += ", kernels " + compile.kernels;
    if (compile.isa != "native") text += ", isa " + compile.isa;
    if (compile.threads != 0) text += ", " + counted(compile.threads, "thread");
    return text;
  }
};

Side open_side(const std::string& file, const CompileOptions& compile, LimitOptions limits, Console& console) {
  Side side{file, nullptr, compile};
  if (fs::is_directory(file)) return side;
  limits.dimensions = compile.dimensions;
  side.model = std::make_unique<LoadedModel>(file, limits, compile, console);
  side.compile = side.model->settled(compile, console);
  return side;
}

void refuse_second_reading(std::string_view one, std::string_view other) {
  if (one == "-" && other == "-")
    throw Error(ExitCode::usage, "standard input can be read once, and both sides are '-'", "save it to a file");
}

/// The expected and the actual side. With a single model and something to save, both are the same and only the first
/// one runs.
std::pair<Side, Side> open_sides(const CompareOptions& options, Console& console) {
  CompileOptions first = options.compile, second = options.compile;
  std::tie(first.device, second.device) = pair_of("--devices", options.devices, options.compile.device);
  std::tie(first.kernels, second.kernels) = pair_of("--kernels", options.kernels, "");
  std::tie(first.isa, second.isa) = pair_of("--isa", options.isas, "native");
  const auto threads = pair_of("--threads", options.threads, "0");
  first.threads = thread_count(threads.first);
  second.threads = thread_count(threads.second);
  const bool is_pair = first.device != second.device || first.kernels != second.kernels || first.isa != second.isa ||
                       first.threads != second.threads;
  if (options.sides.size() > 2)
    throw Error(ExitCode::usage, "two sides are compared, not " + std::to_string(options.sides.size()));
  if (options.sides.size() == 2) {
    if (!options.reference.empty())
      throw Error(ExitCode::usage, "--ref is a second side, but two are named already", "leave one of the three out");
    refuse_second_reading(options.sides[0], options.sides[1]);
    return {open_side(options.sides[0], first, options.limits, console),
            open_side(options.sides[1], second, options.limits, console)};
  }
  if (!options.reference.empty()) {
    if (!fs::is_directory(options.reference)) throw Error(ExitCode::io, in_quotes(options.reference) + " is no folder");
    return {open_side(options.reference, first, options.limits, console),
            open_side(options.sides[0], second, options.limits, console)};
  }
  if (!is_pair && options.save_run.empty())
    throw Error(
        ExitCode::usage, "there is nothing to compare " + in_quotes(options.sides[0]) + " with",
        "name a second model, program or folder, --devices A,B, --kernels A,B, --isa A,B, --threads A,B or --ref "
        "DIR");
  refuse_second_reading(options.sides[0], options.sides[0]);
  return {open_side(options.sides[0], first, options.limits, console),
          open_side(options.sides[0], second, options.limits, console)};
}

/// The inputs of a graph or program; by default those of a saved run.
std::vector<Tensor> inputs_for(const std::vector<api::Slot>& slots, const CompareOptions& options, const Side& other) {
  InputOptions inputs = options.inputs;
  if (!other.model && inputs.folder.empty())
    if (inputs.below = saved_inputs(other.file); !inputs.below.empty()) inputs.folder = other.file;
  if (!inputs.below.empty() && !inputs.fill.empty() && std::ranges::all_of(slots, [&](const api::Slot& slot) {
        return find_tensor_file(inputs.folder, inputs.below, slot.name).has_value();
      }))
    throw Error(ExitCode::usage, "--fill fills nothing: " + in_quotes(other.file) + " has saved all inputs",
                "leave --fill out, or give inputs with --input NAME=SPEC");
  return gather_inputs(inputs, slots, options.limits.max_tensor_bytes);
}

struct SideRun {
  RunResults results;
  std::vector<Allowance> allowances;  // by output
};

std::vector<Allowance> output_allowances(const Side& side, const Program& program) {
  std::vector<Allowance> result;
  if (side.model->graph()) {
    const compiler::Graph bound = side.model->graph_with(side.compile.dimensions);
    const auto by_value = allowances_of(bound);
    for (const compiler::GraphOutput& output : bound.outputs()) result.push_back(by_value[output.value.index]);
  } else {
    const auto by_value = allowances_of(program);
    for (const Binding& output : program.outputs) result.push_back(by_value[output.value]);
  }
  return result;
}

using Places = ByNameView<std::size_t>;

Places places_of(const std::vector<NamedResult>& results) {
  Places places;
  for (std::size_t i = 0; i < results.size(); ++i) places.emplace(results[i].name, i);
  return places;
}

/// Null where there is none of this name.
const NamedResult* find(const std::vector<NamedResult>& results, const Places& places, const std::string& name) {
  const auto found = places.find(name);
  return found == places.end() ? nullptr : &results[found->second];
}

/// Runs a side once and releases everything except the results. `given` holds the inputs of another side; empty: they
/// are gathered.
SideRun run_side(const Side& side, const Side& other, const CompareOptions& options,
                 const std::vector<NamedResult>& given, Console& console) {
  SideRun run;
  run.results.description = side.description();
  const Ready ready = side.model->prepare(side.compile, console);
  api::Session& session = *ready.session;
  const std::vector<api::Slot> slots = api::slots_of(session.inputs());
  std::vector<Tensor> tensors;
  if (given.empty()) {
    tensors = inputs_for(slots, options, other);
    remark_other_files(console, options.inputs.folder, slots, api::slots_of(session.outputs()));
  } else {
    const Places places = places_of(given);
    for (const api::Slot& slot : slots) {
      const NamedResult* const found = find(given, places, slot.name);
      if (!found)
        throw Error(ExitCode::usage,
                    in_quotes(side.file) + " has an input " + in_quotes(slot.name) + ", which the other side has not");
      if (found->tensor.descriptor != slot.descriptor)
        throw Error(ExitCode::usage, "input " + in_quotes(slot.name) + " is " + slot.descriptor.text() + " in " +
                                         in_quotes(side.file) + ", but " + found->tensor.descriptor.text() +
                                         " on the other side");
      tensors.push_back(found->tensor);
    }
  }
  std::vector<std::vector<std::byte>> outputs = session.run(views_of(tensors));
  for (std::size_t i = 0; i < slots.size(); ++i) run.results.inputs.push_back({slots[i].name, tensors[i]});
  for (std::size_t i = 0; i < outputs.size(); ++i)
    run.results.outputs.push_back(
        {session.outputs()[i].name, {session.outputs()[i].descriptor, Bytes(std::move(outputs[i]))}});
  run.allowances = output_allowances(side, session.program());
  return run;
}

std::vector<std::string> names_of(const std::vector<NamedResult>& results) {
  std::vector<std::string> names;
  for (const NamedResult& result : results) names.push_back(result.name);
  return names;
}

std::vector<api::Slot> slots_of(const std::vector<NamedResult>& results) {
  std::vector<api::Slot> slots;
  for (const NamedResult& result : results) slots.push_back({result.name, result.tensor.descriptor});
  return slots;
}

/// Pairs outputs by name; if no name is on both sides and both have equally many, by position.
std::vector<TensorVerdict> compare_outputs(const SideRun& expected, const SideRun& actual,
                                           const ToleranceOptions& tolerance) {
  const auto& want = expected.results.outputs;
  const auto& have = actual.results.outputs;
  const Places wanted = places_of(want), places = places_of(have);
  const bool by_place = want.size() == have.size() && std::ranges::none_of(want, [&](const NamedResult& result) {
                          return places.contains(result.name);
                        });
  std::vector<TensorVerdict> verdicts;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const NamedResult* const found = by_place ? &have[i] : find(have, places, want[i].name);
    TensorVerdict missing{want[i].name, want[i].tensor.descriptor, {}, {}, {}, {}, false};
    if (!found) {
      missing.problem = "the other side has no output of this name";
      verdicts.push_back(std::move(missing));
      continue;
    }
    if (found->tensor.descriptor != want[i].tensor.descriptor) {
      missing.problem = "it is " + found->tensor.descriptor.text() + " on the other side";
      verdicts.push_back(std::move(missing));
      continue;
    }
    const auto place = std::size_t(found - have.data());
    const Allowance allowance = !actual.allowances.empty()     ? actual.allowances[place]
                                : !expected.allowances.empty() ? expected.allowances[i]
                                                               : Allowance{};
    verdicts.push_back(judge(want[i].name, want[i].tensor.descriptor, found->tensor.data.view(),
                             want[i].tensor.data.view(), tolerance, allowance));
  }
  for (const NamedResult& result : have)
    if (!by_place && !wanted.contains(result.name))
      verdicts.push_back({result.name, result.tensor.descriptor, {}, {}, {}, "only the actual side has it", false});
  return verdicts;
}

/// Compiles and runs parts of a graph, each on a device of its own, so that its memory is released at once.
RunGraph runner_of(const Side& side, Console& console) {
  return [&side, &console](const compiler::Graph& graph, const std::vector<std::span<const std::byte>>& inputs) {
    api::Session session(context_options(side.compile));
    compiler::Options options = compiler_options(side.compile, console.err);
    options.dimensions.clear();
    Diagnostics diagnostics;
    if (!session.compile(graph, std::move(options), diagnostics)) {
      report_diagnostics(console, diagnostics, {});
      throw Error(exit_code_of(diagnostics), "a part of " + in_quotes(side.file) + " does not compile alone");
    }
    return session.run(inputs);
  };
}

void search_divergence(const std::pair<Side, Side>& sides, const std::vector<NamedResult>& inputs,
                       const CompareOptions& options, const ToleranceOptions& tolerance, CompareReport& report,
                       Console& console) {
  const compiler::Graph expected = sides.first.model->graph_with(sides.first.compile.dimensions),
                        actual = sides.second.model->graph_with(sides.second.compile.dimensions);
  const Places places = places_of(inputs);
  std::vector<std::span<const std::byte>> views;
  for (const compiler::ValueId id : expected.inputs())
    views.push_back(find(inputs, places, expected.value(id).name)->tensor.data.view());
  Progress progress(console, options.progress, "compare");
  DivergenceOptions search;
  search.tolerance = tolerance;
  search.progress = [&](double done) { progress.show(done); };
  const auto found = find_divergence({&expected, runner_of(sides.first, console)},
                                     {&actual, runner_of(sides.second, console)}, views, search);
  report.searched = true;
  if (!found) return;
  report.divergence = text_of(*found, actual);
  if (options.reduce.empty()) return;
  if (found->part.outputs.empty())
    throw Error(ExitCode::usage, "--reduce has nothing to write: " + report.divergence->reason);
  write_reduced_case(*found, options.reduce);
  inform(console,
         "wrote " + options.reduce + ", " + counted(found->nodes.size(), "operator") + "; `webnn-cli test` runs it");
}

void check_options(const CompareOptions& options, const std::pair<Side, Side>& sides) {
  refuse_standard_output("--junit", options.junit);
  refuse_standard_output("--reduce", options.reduce);
  if (!options.first_divergence) return;
  for (const Side* side : {&sides.first, &sides.second})
    if (!side->model || !side->model->graph())
      throw Error(ExitCode::usage, "--first-divergence needs graph files, and " + in_quotes(side->file) + " is none",
                  "programs and folders do not say how their results came about");
  check_free(options.reduce, options.force);
}

/// The results in a folder, for those of the other side.
SideRun read_side(const Side& side, const Side& other, const SideRun& run_of_other, std::uint64_t limit,
                  Console& console) {
  const std::vector<NamedResult>& wanted = run_of_other.results.outputs;
  SideRun run;
  run.results = read_results(side.file, other.model ? other.model->name() : std::string(), names_of(wanted), limit);
  if (other.model) remark_other_files(console, side.file, slots_of(run_of_other.results.inputs), slots_of(wanted));
  const Places places = places_of(wanted);
  for (NamedResult& result : run.results.outputs)
    if (const NamedResult* const found = find(wanted, places, result.name))
      result.tensor = compiler::narrowed(std::move(result.tensor), found->tensor.descriptor,
                                         "output " + in_quotes(result.name) + " in " + in_quotes(side.file));
  return run;
}

ExitCode compare(CompareOptions options, Console& console) {
  options.first_divergence |= !options.reduce.empty();
  const ToleranceOptions tolerance =
      options.tolerance.empty() ? ToleranceOptions{} : parse_tolerance(options.tolerance);
  const std::pair<Side, Side> sides = open_sides(options, console);
  const auto& [expected, actual] = sides;
  check_options(options, sides);
  if (!options.save_run.empty()) {
    check_free_for_run(options.save_run, options.force);
    check_writable_folder(options.save_run);
  }

  SideRun expected_run, actual_run;
  const std::uint64_t limit = options.limits.max_tensor_bytes;
  const bool only_save = options.sides.size() == 1 && options.reference.empty() && !options.save_run.empty() &&
                         expected.description() == actual.description();
  if (expected.model) expected_run = run_side(expected, actual, options, {}, console);
  if (!only_save && actual.model)
    actual_run = run_side(actual, expected, options, expected_run.results.inputs, console);
  if (!expected.model) expected_run = read_side(expected, actual, actual_run, limit, console);
  if (!actual.model) actual_run = read_side(actual, expected, expected_run, limit, console);
  if (!options.save_run.empty()) {
    save_run(expected.model ? expected_run.results : actual_run.results, options.save_run);
    inform(console, "saved the run in " + options.save_run);
    if (only_save) return ExitCode::success;
  }

  CompareReport report{expected_run.results.description,
                       actual_run.results.description,
                       compare_outputs(expected_run, actual_run, tolerance),
                       false,
                       {}};
  if (options.first_divergence)
    search_divergence(sides, expected_run.results.inputs, options, tolerance, report, console);
  if (!options.junit.empty()) write_whole_file(options.junit, junit_text(cases_of(report)));
  if (options.format == "json")
    console.out << compare_json(report).dump() << "\n";
  else
    print_compare_text(console.out, report);
  return report.passed() ? ExitCode::success : ExitCode::negative;
}

}  // namespace

Action declare_compare(OptionList& list) {
  auto options = std::make_shared<CompareOptions>();
  list.add("sides", options->sides, "graph or program files, or folders of results: the expected, then the actual")
      .required();
  list.add("--ref", options->reference, "the expected results: a saved run, or a folder of NAME.npy files");
  list.add("-d,--devices", options->devices, "A,B: both sides on different devices; one: both on it");
  list.add("--kernels", options->kernels, "A,B: the sides prefer kernels of different providers");
  list.add("--isa", options->isas, "A,B: the sides may use different instructions");
  list.add("-t,--threads", options->threads, "A,B: the sides run with different numbers of threads");
  list.add("--tol", options->tolerance,
           "ulp=..,atol=..,rtol=..,cos=..; else that of the specification's tests, summed along the way to each "
           "output");
  list.flag("--first-divergence", options->first_divergence,
            "find the first operator whose result differs when it gets the expected side's operands");
  list.add("--reduce", options->reduce,
           "write the smallest graph that differs, with inputs and expected results beside it");
  list.flag("--force", options->force, "overwrite what --reduce and --save-run write");
  list.add("--save-run", options->save_run, "save inputs and results of the first side in this folder");
  list.add("--junit", options->junit, "write a JUnit report to this file");
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  add_progress_option(list, options->progress);
  add_input_options(list, options->inputs);
  add_dimension_option(list, options->compile.dimensions);
  list.add("--max-memory", options->compile.max_memory, "most memory of each side; default: no limit").size();
  add_cache_option(list, options->compile);
  add_format_option(list, options->limits);
  add_limit_options(list, options->limits);
  return [options](Console& console) { return compare(*options, console); };
}

}  // namespace webnn::cli
