// A model on its way to a program for one device: taken from the program file or from the user's cache, or compiled.
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
#include "schema/program.hpp"

namespace webnn::api {

/// How a model is compiled.
struct CompileRequest {
  compiler::Options options;             // the target and what the runtime lends are filled in
  std::string provider;                  // whose kernels are preferred unless the options say; empty: nobody's
  std::filesystem::path cache_folder;    // where programs of graph files are found and kept; empty: nowhere
  std::optional<schema::Target> target;  // of another machine; nullopt: the device's
};

class Compilation {
 public:
  /// Finds the program, or else reads the graph and gives its named dimensions their sizes. Nullopt when a program file
  /// is refused, which the diagnostics explain. Throws Error: as Model::graph and bind_dimensions. `device` must
  /// outlive it.
  static std::optional<Compilation> start(Model model, const runtime::Device& device, CompileRequest request,
                                          schema::Diagnostics& diagnostics);

  const std::vector<Slot>& inputs() const { return inputs_; }
  const std::vector<Slot>& outputs() const { return outputs_; }
  /// Whether the program came from the user's cache.
  bool is_from_cache() const { return is_from_cache_; }
  /// The graph that will be compiled, with sizes for all dimensions; null when there is a program.
  compiler::Graph* graph() { return graph_ ? &*graph_ : nullptr; }
  compiler::Options& options() { return request_.options; }

  /// The program; to be called once. A graph is compiled, and its program kept in the cache. Nullopt when there are
  /// diagnostics of severity error, or when `stop_after` ended the compilation early.
  std::optional<schema::Program> finish(schema::Diagnostics& diagnostics);
  /// After `finish`: why the program was not kept in the cache; empty: it was, or it need not be.
  const std::string& why_not_kept() const { return why_not_kept_; }

 private:
  Compilation(const runtime::Device& device, CompileRequest request) : device_(&device), request_(std::move(request)) {}
  bool find_cached(const Model& model);
  void take(schema::Program program);

  const runtime::Device* device_;
  CompileRequest request_;
  std::vector<Slot> inputs_, outputs_;
  std::optional<schema::Program> program_;
  std::optional<compiler::Graph> graph_;
  std::optional<CachePlace> place_;
  bool is_from_cache_ = false;
  std::string why_not_kept_;
};

/// Gives the graph's named dimensions their sizes. Throws Error: usage for a size that is missing, unknown or too large,
/// invalid_input when the graph is not correct with these sizes.
void bind_dimensions(compiler::Graph& graph, std::span<const std::pair<std::string, std::uint32_t>> sizes);

}  // namespace webnn::api
