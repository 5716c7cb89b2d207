// Makes a model a program for one device: from the program file, from the user's cache, or by compiling it.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/runner/model.hpp"
#include "api/runner/program_cache.hpp"
#include "api/runner/slot.hpp"
#include "compiler/options.hpp"
#include "runtime/device.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/program.hpp"

namespace webnn::api {

/// How a model is compiled.
struct CompileRequest {
  compiler::Options options;             // target and callbacks into the runtime are filled in
  std::string provider;                  // its kernels are preferred unless the options choose; empty: none
  std::filesystem::path cache_folder;    // for programs of graph files; empty: no cache
  std::optional<schema::Target> target;  // another machine; nullopt: the device
  std::uint64_t max_memory = 0;          // limit for the memory of filled, folded and packed constants; 0: no limit
  std::shared_ptr<schema::MemoryAccount> account{};  // with which the graph was read; null: a new one for that limit
};

class Compilation {
 public:
  /// Finds the program; if there is none, reads the graph and gives its named dimensions their sizes. Nullopt when a
  /// program file is refused; the diagnostics say why. Throws Error like Model::graph and bind_dimensions. `device`
  /// must outlive the result.
  static std::optional<Compilation> start(Model model, const runtime::Device& device, CompileRequest request,
                                          schema::Diagnostics& diagnostics);

  const std::vector<Slot>& inputs() const { return inputs_; }
  const std::vector<Slot>& outputs() const { return outputs_; }
  /// Whether the program came from the user's cache.
  bool is_from_cache() const { return is_from_cache_; }
  /// The graph to be compiled, with sizes for all dimensions; null when there is a program.
  compiler::Graph* graph() { return graph_ ? &*graph_ : nullptr; }
  compiler::Options& options() { return request_.options; }

  /// Returns the program; called once. A graph is compiled, and its program stored in the cache. Nullopt when there are
  /// diagnostics of severity error, or when `stop_after` ended the compilation early.
  std::optional<schema::Program> finish(schema::Diagnostics& diagnostics);
  /// After `finish`: why the program could not be stored in the cache; empty: it was stored, or did not have to be.
  const std::string& why_not_kept() const { return why_not_kept_; }

 private:
  Compilation(const runtime::Device& device, CompileRequest request)
      : device_(&device),
        request_(std::move(request)),
        account_(request_.account ? request_.account : std::make_shared<schema::MemoryAccount>(request_.max_memory)) {}
  bool find_cached(const Model& model);
  void take(schema::Program program);

  const runtime::Device* device_;
  CompileRequest request_;
  std::shared_ptr<schema::MemoryAccount> account_;  // of the compilation
  std::vector<Slot> inputs_, outputs_;
  std::optional<schema::Program> program_;
  std::optional<compiler::Graph> graph_;
  std::optional<CachePlace> place_;
  bool is_from_cache_ = false;
  std::string why_not_kept_;
};

}  // namespace webnn::api
