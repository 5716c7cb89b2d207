// What this project's own code does with the classes of webnn.hpp beyond what stands there: compile graphs that come
// from files, call operators by their id.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/webnn.hpp"
#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

struct Internals {
  static const runtime::Device& device(const Context& context);

  /// Compiles a graph for a context and makes it ready to run. Nullopt when there are diagnostics of severity error.
  /// Throws Error: resource when the graph needs more than the context's maxMemory.
  static std::optional<Graph> compile(const Context& context, compiler::Graph graph, compiler::Options options,
                                      schema::Diagnostics& diagnostics);

  /// Makes a program ready to run. Throws Error: program when a constant's bytes are not those that were written,
  /// resource as `compile`.
  static Graph prepare(const Context& context, schema::Program program);

  /// OperatorMethods' one way into the graph: operands and attributes follow the operator's row.
  static std::vector<Operand> call(GraphBuilder& builder, schema::OperatorId op, const std::vector<Operand>& operands,
                                   schema::Attributes attributes, const std::string& label);
};

}  // namespace webnn::api
