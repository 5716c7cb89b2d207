// Options that every command which compiles a graph has in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/context_options.hpp"
#include "cli/options/option_list.hpp"
#include "compiler/ir/graph.hpp"
#include "compiler/options.hpp"

namespace webnn::cli {

struct CompileOptions {
  std::string device;  // empty: not said; see settle_device
  std::string isa = "native";
  unsigned threads = 0;  // 0: as many as the process may use
  unsigned level = 2;    // -O
  bool no_verify = false;
  bool no_cache = false;
  std::string kernels;
  bool only = false;                    // kernels of one provider or none
  std::string tuning;                   // a tuning file; empty: none
  std::vector<std::string> dimensions;  // "batch=4"
  std::vector<std::string> print_before, print_after;
  std::string stop_after;
  bool time_passes = false;
  bool stats = false;
  std::uint64_t max_memory = 0;  // bytes; 0: no limit
  std::uint64_t max_work = 0;    // operations plus bytes of a run; 0: no limit
  bool gpu_validation = false;
  std::string fallback = "none";  // or "op"
};

/// --device, --isa, --threads, --kernels, --only, --max-memory, --max-work, --no-verify, --no-cache, --gpu-validation, --fallback:
/// for every command that runs graphs.
void add_device_options(OptionList& list, CompileOptions& options);
/// --device alone.
void add_device_option(OptionList& list, CompileOptions& options);
/// The same without --device and --threads, for commands that take several of these.
void add_target_options(OptionList& list, CompileOptions& options);
/// --no-cache alone.
void add_cache_option(OptionList& list, CompileOptions& options);
/// -O, --dim and those that show what the compiler does: for commands that compile one graph.
void add_compiler_options(OptionList& list, CompileOptions& options);

/// --dim alone.
void add_dimension_option(OptionList& list, std::vector<std::string>& dimensions);

using DimensionSizes = std::vector<std::pair<std::string, std::uint32_t>>;
/// Throws Error (usage) for a text that is not NAME=SIZE.
DimensionSizes dimension_sizes(const std::vector<std::string>& dimensions);

/// The first of the options that is given and only tells the compiler something, as it is written; empty: none.
std::string_view compiler_only_option(const CompileOptions& options);
/// Throws Error (usage) when --device prefers the kernels of a provider, which contradicts the option `flag`.
void refuse_provider(const CompileOptions& options, std::string_view flag);

/// Whether the options show what passes do: --print-before, --print-after, --time-passes.
bool shows_compiler(const CompileOptions& options);
/// Throws Error (usage) when --stop-after would end all work before anything is shown.
void check_stop_shows(const CompileOptions& options);

/// The compiler's options; texts for people go to `log`. Throws Error (usage) for a malformed --dim.
compiler::Options compiler_options(const CompileOptions& options, std::ostream& log);

/// Device, threads, memory limit and the user's folder for compiled shaders; without --threads, as many as it may use.
ContextOptions context_options(const CompileOptions& options);

}  // namespace webnn::cli
