#include "cli/compile_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>

#include "cli/program_cache.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

void add_device_option(CLI::App& app, CompileOptions& options) {
  app.add_option("-d,--device", options.device,
                 "cpu, or cpu:PROVIDER to prefer one provider's kernels; gpu, or gpu:N; auto: a GPU if there is one. "
                 "A program runs on the device that it is for when none is named")
      ->default_str("cpu")
      ->envname("WEBNN_CLI_DEVICE");
}

void add_device_options(CLI::App& app, CompileOptions& options) {
  add_device_option(app, options);
  app.add_option("-t,--threads", options.threads, "threads of the CPU; default: as many as `devices` says")
      ->check(CLI::Range(0u, 1024u))
      ->envname("WEBNN_CLI_THREADS");
  add_target_options(app, options);
}

void add_target_options(CLI::App& app, CompileOptions& options) {
  app.add_option("--isa", options.isa, "most instructions that kernels may use: baseline, avx2, avx512, amx or native")
      ->capture_default_str()
      ->envname("WEBNN_CLI_ISA");
  app.add_option("--kernels", options.kernels, "prefer the kernels of this provider, for example reference")
      ->envname("WEBNN_CLI_KERNELS");
  app.add_flag("--only", options.only,
               "refuse the graph when kernels of another provider would run a part of it; --device cpu:PROVIDER or "
               "--kernels names the provider");
  app.add_option("--max-memory", options.max_memory,
                 "most memory of weights, intermediates, scratch and bound tensors; default: no limit")
      ->transform(CLI::AsSizeValue(false))
      ->envname("WEBNN_CLI_MAX_MEMORY");
  app.add_flag("--gpu-validation", options.gpu_validation,
               "let the Vulkan validation layers watch every call; what they say is an error")
      ->envname("WEBNN_CLI_GPU_VALIDATION");
  app.add_option("--fallback", options.fallback,
                 "what runs a call that the GPU has no kernel for: none, or op: the CPU, call by call")
      ->check(CLI::IsMember({"none", "op"}))
      ->capture_default_str()
      ->envname("WEBNN_CLI_FALLBACK");
  app.add_flag("--no-verify", options.no_verify,
               "do not compare the constants of programs and binary graphs with their checksums")
      ->envname("WEBNN_CLI_NO_VERIFY");
  add_cache_option(app, options);
}

void add_cache_option(CLI::App& app, CompileOptions& options) {
  app.add_flag("--no-cache", options.no_cache,
               "neither take programs and compiled shaders from the user's cache nor keep them there")
      ->envname("WEBNN_CLI_NO_CACHE");
}

void add_compiler_options(CLI::App& app, CompileOptions& options) {
  app.add_option("-O", options.level,
                 "0: as the graph says; 1: without needless work; 2: arithmetic may be rearranged; 3: constants of any "
                 "size are computed ahead")
      ->check(CLI::Range(0u, 3u))
      ->capture_default_str();
  add_dimension_option(app, options.dimensions);
  app.add_option("--print-before", options.print_before, "print the graph before this pass (or all)")
      ->expected(1)
      ->take_all();
  app.add_option("--print-after", options.print_after, "print the graph after this pass (or all)")
      ->expected(1)
      ->take_all();
  app.add_option("--stop-after", options.stop_after, "stop the compiler after this pass");
  app.add_flag("--time-passes", options.time_passes, "print how long each pass took");
  app.add_flag("--stats", options.stats, "print what the program consists of: fused steps, reorders, memory, kernels");
}

void add_dimension_option(CLI::App& app, std::vector<std::string>& dimensions) {
  app.add_option("--dim", dimensions, "NAME=SIZE of a named dimension; may be repeated")->expected(1)->take_all();
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

std::string_view compiler_only_option(const CompileOptions& options) {
  if (options.device.starts_with("cpu:")) return "--device cpu:PROVIDER";
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

void check_stop_shows(const CompileOptions& options) {
  if (options.stop_after.empty() || shows_compiler(options)) return;
  throw Error(ExitCode::usage, "with --stop-after " + options.stop_after + " alone nothing would be shown",
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

void bind_dimensions(compiler::Graph& graph, compiler::Options& options) {
  bind_dimensions(graph, options.dimensions);
  options.dimensions.clear();
}

void bind_dimensions(compiler::Graph& graph, const DimensionSizes& sizes) {
  const auto errors = graph.bind_dimensions(sizes);
  if (errors.empty()) return;
  const compiler::Graph::BindError& error = errors.front();
  if (!error.node.valid()) throw Error(ExitCode::usage, error.message, error.hint);
  throw Error(ExitCode::invalid_input, in_quotes(graph.node(error.node).label) + ": " + error.message,
              "with these sizes of the named dimensions this is not a correct call");
}

ContextOptions context_options(const CompileOptions& options) {
  const auto folder = options.no_cache ? std::nullopt : ProgramCache::user_folder();
  return {options.device.empty() ? "cpu" : options.device,
          options.isa,
          options.threads,
          options.max_memory,
          options.gpu_validation,
          options.fallback == "op",
          folder ? folder->string() : std::string()};
}

}  // namespace webnn::cli
