// A model: the graph or the program that a source holds.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "api/runner/source.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/diagnostics.hpp"

namespace webnn::api {

/// Gets what was found in a model file, perhaps nothing, with the file's lines. It may throw.
using Report = std::function<void(const schema::Diagnostics&, const schema::SourceText&)>;

class Model {
 public:
  /// Of a source; a graph is read when it is first asked for. `report` may be null: nobody is told.
  Model(Source source, ReadOptions options, Report report = {});
  /// Of a graph at hand.
  explicit Model(compiler::Graph graph, std::string name = {});

  const std::string& name() const { return source_.name; }
  bool is_program() const { return source_.holds(compiler::Holds::program); }
  const Source& source() const { return source_; }
  const ReadOptions& reading() const { return options_; }

  /// Reads the graph. Whether it is correct; its mistakes are in `diagnostics`. Throws Error (io) when a file cannot be
  /// read at all.
  bool read(schema::Diagnostics& diagnostics);
  /// The graph, read at the first call; named dimensions have no size yet. Throws Error when
  /// the graph is not correct, or the source is a program, after that was reported: invalid_input, or io when weights
  /// are missing.
  const compiler::Graph& graph();
  /// The same, and the model has it no longer.
  compiler::Graph take_graph();
  /// The same without weights where their file is missing: gives how many constants have bytes that mean nothing.
  std::size_t read_without_weights();

 private:
  bool read(schema::Diagnostics& diagnostics, std::size_t* missing);
  void read_or_throw(std::size_t* missing);

  Source source_;
  ReadOptions options_;
  Report report_;
  std::optional<compiler::Graph> graph_;
};

}  // namespace webnn::api
