#include "cli/programs/compile_options.hpp"

#include <algorithm>
#include <charconv>

#include "api/devices.hpp"
#include "api/runner/program_cache.hpp"
#include "compiler/passes/pipeline.hpp"
#include "runtime/cpu/cpu_features.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

void add_device_option(OptionList& list, CompileOptions& options) {
  list.add("-d,--device", options.device,
           "cpu, or cpu:PROVIDER to prefer one provider's kernels; gpu, or gpu:N; auto: a GPU if there is one. "
           "A program runs on the device that it is for when none is named")
      .shows_default("cpu");
}

void add_device_options(OptionList& list, CompileOptions& options) {
  add_device_option(list, options);
  list.add("-t,--threads", options.threads, "threads of the CPU; default: as many as `devices` says")
      .between(0u, 1024u);
  add_target_options(list, options);
}

void add_target_options(OptionList& list, CompileOptions& options) {
  list.add("--isa", options.isa, "most instructions that kernels may use: " + joined(runtime::isa_names()))
      .shows_default();
  list.add("--kernels", options.kernels, "prefer the kernels of this provider, for example reference");
  list.flag("--only", options.only,
            "refuse the graph when kernels of another provider would run a part of it; --device cpu:PROVIDER or "
            "--kernels names the provider");
  list.add("--max-memory", options.max_memory,
           "most memory of weights, intermediates, scratch, prepared tables and bound tensors, and of constants while "
           "they are computed and packed; default, and 0: no limit")
      .size();
  list.add("--max-work", options.max_work,
           "most work of a run, known before anything runs: arithmetic operations plus bytes read and written, as in "
           "4G; default, and 0: no limit")
      .size();
  list.flag("--gpu-validation", options.gpu_validation,
            "let the Vulkan validation layers watch every call; what they say is an error");
  list.add("--fallback", options.fallback,
           "what runs a call that the GPU has no kernel for: none, or op: the CPU, call by call")
      .one_of({"none", "op"})
      .shows_default();
  list.flag("--no-verify", options.no_verify,
            "do not compare the constants of programs and binary graphs with their checksums");
  add_cache_option(list, options);
}

void add_cache_option(OptionList& list, CompileOptions& options) {
  list.flag("--no-cache", options.no_cache,
            "neither take programs and compiled shaders from the user's cache nor keep them there");
}

void add_compiler_options(OptionList& list, CompileOptions& options) {
  list.add("-O", options.level,
           "0: as the graph says; 1: without needless work; 2: arithmetic may be rearranged; 3: constants of any "
           "size are computed ahead")
      .between(0u, 3u)
      .shows_default();
  add_dimension_option(list, options.dimensions);
  list.add("--print-before", options.print_before, "print the graph before this pass (or all)").repeatable();
  list.add("--print-after", options.print_after, "print the graph after this pass (or all)").repeatable();
  list.add("--stop-after", options.stop_after, "stop the compiler after this pass");
  list.flag("--time-passes", options.time_passes, "print how long each pass took");
  list.flag("--stats", options.stats, "print what the program consists of: fused steps, reorders, memory, kernels");
}

void add_dimension_option(OptionList& list, std::vector<std::string>& dimensions) {
  list.add("--dim", dimensions, "NAME=SIZE of a named dimension; may be repeated").repeatable();
}

DimensionSizes dimension_sizes(const std::vector<std::string>& dimensions) {
  DimensionSizes sizes;
  for (const std::string& dimension : dimensions) {
    const std::size_t equals = dimension.rfind('=');
    std::uint32_t size = 0;
    const char* end = dimension.data() + dimension.size();
    if (equals != std::string::npos)
      if (const auto [stop, error] = std::from_chars(dimension.data() + equals + 1, end, size);
          error != std::errc{} || stop != end)
        size = 0;
    if (size == 0 || equals == 0)
      throw Error(ExitCode::usage,
                  "--dim " + in_quotes(dimension) + " is not of the form NAME=SIZE with a positive size");
    sizes.emplace_back(dimension.substr(0, equals), size);
  }
  return sizes;
}

void refuse_provider(const CompileOptions& options, std::string_view flag) {
  if (!api::parse_device_name(options.device).provider.empty())
    throw Error(ExitCode::usage,
                std::string(flag) + " chooses kernels, and so does --device " + in_quotes(options.device),
                "leave one of them out");
}

std::string_view compiler_only_option(const CompileOptions& options) {
  if (!options.device.empty() && !api::parse_device_name(options.device).provider.empty())
    return "--device cpu:PROVIDER";
  if (!options.kernels.empty()) return "--kernels";
  if (options.only) return "--only";
  if (!options.tuning.empty()) return "--tuning";
  if (options.level != CompileOptions().level) return "-O";
  if (!options.dimensions.empty()) return "--dim";
  if (!options.print_before.empty()) return "--print-before";
  if (!options.print_after.empty()) return "--print-after";
  if (!options.stop_after.empty()) return "--stop-after";
  if (options.time_passes) return "--time-passes";
  if (options.stats) return "--stats";
  return {};
}

bool shows_compiler(const CompileOptions& options) {
  return !options.print_before.empty() || !options.print_after.empty() || options.time_passes;
}

namespace {

/// Whether one of the passes that a print option names, or `all`, is `last` or comes before it.
bool names_pass_until(const compiler::Pass& last, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return name == "all" || &compiler::find_pass(name) <= &last; });
}

}  // namespace

void check_stop_shows(const CompileOptions& options) {
  if (options.stop_after.empty()) return;
  const compiler::Pass& last = compiler::find_pass(options.stop_after);
  if (options.time_passes || names_pass_until(last, options.print_before) ||
      names_pass_until(last, options.print_after))
    return;
  throw Error(ExitCode::usage,
              shows_compiler(options) ? "--stop-after " + options.stop_after + " ends before anything is printed"
                                      : "with --stop-after " + options.stop_after + " alone nothing would be shown",
              "--print-after " + options.stop_after + " shows the graph, --time-passes how long passes took");
}

compiler::Options compiler_options(const CompileOptions& options, std::ostream& log) {
  compiler::Options result;
  result.dimensions = dimension_sizes(options.dimensions);
  result.kernels = options.kernels;
  result.level = options.level;
  result.verify_constants = !options.no_verify;
  result.log = &log;
  result.print_before = options.print_before;
  result.print_after = options.print_after;
  result.stop_after = options.stop_after;
  result.time_passes = options.time_passes;
  result.stats = options.stats;
  return result;
}

ContextOptions context_options(const CompileOptions& options) {
  const std::string device = options.device.empty() ? "cpu" : options.device;
  const std::string provider = api::parse_device_name(device).provider;
  if (!provider.empty() && !options.kernels.empty() && provider != options.kernels)
    throw Error(ExitCode::usage,
                "--device " + device + " and --kernels " + options.kernels + " prefer different providers",
                "give one of them");
  const auto folder = options.no_cache ? std::nullopt : api::ProgramCache::user_folder();
  return {device,
          options.isa,
          options.threads,
          options.max_memory,
          options.gpu_validation,
          options.fallback == "op",
          folder ? folder->string() : std::string(),
          options.max_work};
}

}  // namespace webnn::cli
