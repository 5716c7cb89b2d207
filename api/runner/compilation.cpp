#include "api/runner/compilation.hpp"

#include <utility>

#include "api/runner/compile_program.hpp"
#include "api/runner/read_program.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::api {

using namespace schema;

std::optional<Compilation> Compilation::start(Model model, const runtime::Device& device, CompileRequest request,
                                              Diagnostics& diagnostics) {
  Compilation result(device, std::move(request));
  const AccountScope scope(result.account_);
  compiler::Options& options = result.request_.options;
  if (model.is_program()) {
    std::optional<Program> program = read_program_for(device, model.source().content, model.source().name, diagnostics);
    if (!program) return std::nullopt;
    if (!options.verify_constants) program->constant_checksums.clear();
    result.take(std::move(*program));
    return result;
  }
  if (result.find_cached(model)) return result;
  model.limit_work(options.max_work);
  options.file_name = model.name();
  result.graph_ = model.take_graph_with(std::exchange(options.dimensions, {}));
  result.inputs_ = input_slots(*result.graph_);
  result.outputs_ = output_slots(*result.graph_);
  return result;
}

void Compilation::take(Program program) {
  inputs_ = slots_of(program.inputs);
  outputs_ = slots_of(program.outputs);
  program_ = std::move(program);
}

bool Compilation::find_cached(const Model& model) {
  const Source& source = model.source();
  if (request_.cache_folder.empty() || request_.target || !source.is_file()) return false;
  ProgramCache cache(request_.cache_folder);
  const auto secret = cache.secret(why_not_kept_);
  if (!secret) return false;
  auto key = cache_key(source.content, load_options(source, model.reading()), request_.options, *device_,
                       request_.provider, *secret);
  if (!key) return false;
  place_.emplace(std::move(cache), std::move(*key));
  std::optional<Program> program = place_->find(*device_, request_.options.verify_constants);
  is_from_cache_ = program.has_value();
  if (program) take(std::move(*program));
  return is_from_cache_;
}

std::optional<Program> Compilation::finish(Diagnostics& diagnostics) {
  if (program_) return std::exchange(program_, std::nullopt);
  const AccountScope scope(account_);
  std::optional<Program> program =
      compile_program_for(request_.target.value_or(device_->target()), *std::exchange(graph_, std::nullopt),
                          std::move(request_.options), *device_, request_.provider, diagnostics);
  if (program && place_) why_not_kept_ = place_->keep(*program);
  return program;
}

}  // namespace webnn::api
