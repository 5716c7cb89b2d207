// A model: the graph or the program in a source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "api/runner/source.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::api {

/// Receives the diagnostics of a model file, possibly none, and the lines of the file. It may throw.
using Report = std::function<void(const schema::Diagnostics&, const schema::SourceText&)>;

class Model {
 public:
  /// From a source; a graph is read when it is first needed. `report` may be null.
  Model(Source source, compiler::LoadOptions options, Report report = {});
  /// From an existing graph.
  explicit Model(compiler::Graph graph, std::string name = {});

  const std::string& name() const { return source_.name; }
  bool is_program() const { return source_.holds(compiler::Holds::program); }
  const Source& source() const { return source_; }
  const compiler::LoadOptions& reading() const { return options_; }

  /// Limits what reading a graph computes: compiler::LoadOptions::max_work.
  void limit_work(std::uint64_t limit) { options_.max_work = limit; }

  /// The graph with these sizes for its named dimensions. A graph that computes shapes from them is read for these
  /// sizes. Throws Error like `graph`, and like bind_dimensions. The model has no graph afterwards.
  compiler::Graph take_graph_with(std::span<const std::pair<std::string, std::uint32_t>> sizes);
  /// Whether the graph is another one for other sizes of its dimensions (Format::computes_shapes).
  bool computes_shapes() const { return source_.format && source_.format->computes_shapes; }

  /// The graph, if it is there already; else null.
  const compiler::Graph* known_graph() const { return graph_ ? &*graph_ : nullptr; }
  /// Reads the graph. Returns whether it is correct; its mistakes are in `diagnostics`. Throws Error (io) when a file
  /// cannot be read at all.
  bool read(schema::Diagnostics& diagnostics);
  /// The graph, read at the first call; named dimensions have no size yet. When the graph is not correct, or the source
  /// is a program, it reports that and throws Error: invalid_input, or io when weights are missing.
  const compiler::Graph& graph();
  /// The same, but moves the graph out of the model.
  compiler::Graph take_graph();
  /// Like `graph`, but tolerates missing weights files. Returns the number of constants whose bytes are meaningless.
  std::size_t read_without_weights();

 private:
  bool read(schema::Diagnostics& diagnostics, std::size_t* missing);
  void read_or_throw(std::size_t* missing);

  Source source_;
  compiler::LoadOptions options_;
  Report report_;
  std::optional<compiler::Graph> graph_;
};

/// Gives the graph's named dimensions their sizes. Throws Error: usage for a size that is missing, unknown or too
/// large; invalid_input when the graph is not correct with these sizes.
void bind_dimensions(compiler::Graph& graph, std::span<const std::pair<std::string, std::uint32_t>> sizes);

}  // namespace webnn::api
