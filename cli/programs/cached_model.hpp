// What commands that run graphs have to do with the program cache: ask it before they compile, and tell it afterwards.
#pragma once

#include <optional>

#include "cli/programs/compile_options.hpp"
#include "cli/programs/model_file.hpp"
#include "cli/programs/program_cache.hpp"

namespace webnn::cli {

/// One model's place in the user's cache. Nothing here fails: without a cache every model is compiled.
class CachedModel {
 public:
  /// `options`: those that the graph would be compiled with. `provider`: whose kernels the device's name prefers. No
  /// cache is used when the options say so or ask to look at
  /// the compiler, when the user has no folder for it, or when the model came from standard input.
  CachedModel(const ModelFile& model, const LimitOptions& limits, const CompileOptions& compile,
              const compiler::Options& options, const runtime::Device& device, std::string_view provider);

  /// The program, if it is there. If not, others who want the same one wait from now on until this object dies.
  std::optional<schema::Program> find();
  /// Keeps what was compiled, and lets others find it; says on the console why it does not, if it should have.
  void keep(const schema::Program& program, Console& console);

 private:
  const runtime::Device& device_;
  bool verify_;
  std::optional<ProgramCache> cache_;
  std::optional<CacheKey> key_;
  ProgramCache::Lock lock_;
};

/// The program of a graph file for a device, from the cache or compiled and kept there: all that a command needs which
/// has no use for the graph itself. Reports diagnostics on the console; throws Error when the graph is not correct.
/// Nullopt when it cannot be compiled, or after --stop-after.
std::optional<schema::Program> program_of_model(const ModelFile& model, const LimitOptions& limits,
                                                const CompileOptions& compile, const runtime::Device& device,
                                                std::string_view provider, Console& console,
                                                schema::Diagnostics& diagnostics);

}  // namespace webnn::cli
