#include "cli/programs/compile_model.hpp"

#include "api/devices.hpp"
#include "cli/output/messages.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/tuning/tuning_file.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/processors.hpp"
#include "schema/error.hpp"
#include "schema/saturating.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

api::CompileRequest compile_request(const CompileOptions& options, const runtime::Device& device, const Target& target,
                                    Console& console) {
  api::CompileRequest request;
  request.options = compiler_options(options, console.err);
  request.options.tuning = load_tuning(options, machine_class(device, target, options.threads), console);
  request.options.max_work = options.max_work;
  request.max_memory = options.max_memory;
  request.provider = api::parse_device_name(options.device).provider;
  if (const auto folder = options.no_cache ? std::nullopt : api::ProgramCache::user_folder())
    request.cache_folder = *folder;
  return request;
}

void refuse_compiler_options(const std::string& program, const CompileOptions& compile, const LimitOptions& limits) {
  std::string_view refused = compiler_only_option(compile);
  if (!limits.base_directory.empty()) refused = "--base-dir";
  if (!limits.weights_file.empty()) refused = "--weights-file";
  const LimitOptions usual;
  if (limits.max_model_bytes != usual.max_model_bytes) refused = "--max-model-size";
  if (limits.max_nodes != usual.max_nodes) refused = "--max-nodes";
  if (limits.max_tensor_bytes != usual.max_tensor_bytes) refused = "--max-tensor-bytes";
  if (!limits.constant_inputs.empty()) refused = "--constant-input";
  if (!limits.allowed.empty()) refused = "--allow";
  if (!refused.empty())
    throw Error(ExitCode::usage,
                std::string(refused) + " is for graphs, and " + in_quotes(program) + " is a compiled program",
                "give it to `webnn-cli compile`, which writes programs");
}

void check_inputs_fit(std::span<const api::Slot> inputs, const CompileOptions& options) {
  Saturating bytes;
  for (const api::Slot& input : inputs) bytes += byte_length(input.descriptor);
  if (options.max_memory != 0 && bytes.value() > options.max_memory)
    throw Error(ExitCode::resource, "the graph's inputs need " + std::to_string(bytes.value()) +
                                        " bytes of memory, the limit is " + std::to_string(options.max_memory));
}

std::optional<Program> finish_program(api::Compilation& compilation, const CompileOptions& options, Console& console,
                                      Diagnostics& diagnostics) {
  const runtime::Team team(runtime::threads_for(options.threads));
  std::optional<Program> program = compilation.finish(diagnostics);
  if (!program) return std::nullopt;
  if (const std::string& why = compilation.why_not_kept(); !why.empty())
    remark(console, Severity::note, "the program is not kept in the cache: " + why);
  if (!check_providers(*program, options, console, diagnostics)) return std::nullopt;
  note_fallback(console, fallen_back(*program));
  return program;
}

}  // namespace webnn::cli
