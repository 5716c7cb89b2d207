#include "cli/programs/cached_model.hpp"

#include "api/compile_program.hpp"
#include "cli/output/messages.hpp"
#include "cli/tuning/tuning_file.hpp"

namespace webnn::cli {

using namespace schema;

CachedModel::CachedModel(const ModelFile& model, const LimitOptions& limits, const CompileOptions& compile,
                         const compiler::Options& options, const runtime::Device& device, std::string_view provider)
    : device_(device), verify_(!compile.no_verify) {
  const auto folder = ProgramCache::user_folder();
  if (compile.no_cache || !folder || model.name == standard_input_name) return;
  key_ = cache_key(model.content, load_options(model, limits), options, device, provider);
  if (key_) cache_.emplace(*folder);
}

std::optional<Program> CachedModel::find() {
  if (!cache_) return std::nullopt;
  if (auto program = cache_->find(*key_, device_, verify_)) return program;
  lock_ = cache_->lock(*key_);
  return cache_->find(*key_, device_, verify_);  // somebody may have made it while this one waited
}

void CachedModel::keep(const Program& program, Console& console) {
  if (!cache_) return;
  if (std::string why; !cache_->keep(*key_, program, why))
    remark(console, Severity::note, "the program is not kept in the cache: " + why);
  lock_ = {};
}

std::optional<Program> program_of_model(const ModelFile& model, const LimitOptions& limits,
                                        const CompileOptions& compile, const runtime::Device& device,
                                        std::string_view provider, Console& console, Diagnostics& diagnostics) {
  compiler::Options options = compiler_options(compile, console.err);
  options.tuning = load_tuning(compile, device.target(), console);
  CachedModel cached(model, limits, compile, options, device, provider);
  if (auto program = cached.find()) return program;
  compiler::Graph graph = open_model(model, limits, console);
  bind_dimensions(graph, options);
  auto program = api::compile_program(std::move(graph), std::move(options), device, provider, diagnostics);
  if (program) cached.keep(*program, console);
  return program;
}

}  // namespace webnn::cli
