// The functions of this project's own code that use the classes of webnn.hpp beyond their public interface: compiling
// graphs from files, calling operators by id, the C interface's rule for the end of tensors.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/runner/source.hpp"
#include "api/webnn.hpp"
#include "compiler/compiler.hpp"
#include "runtime/device.hpp"

namespace webnn::api {

struct Internals {
  static const runtime::Device& device(const Context& context);
  /// The context's maxMemory and maxWork, for reading a graph.
  static std::uint64_t max_memory(const Context& context);
  static std::uint64_t max_work(const Context& context);

  /// Compiles a graph for a context and prepares it. Nullopt when there are diagnostics of severity error.
  /// Throws Error: resource when the graph needs more than the context's maxMemory or maxWork.
  static std::optional<Graph> compile(const Context& context, compiler::Graph graph, compiler::Options options,
                                      schema::Diagnostics& diagnostics);

  /// Reads the graph in a source and compiles it for a context. Throws Error as loadGraph does; `warning` may be empty.
  static Graph load(const Context& context, Source source, const compiler::LoadOptions& reading,
                    compiler::Options compiling, const std::function<void(const std::string&)>& warning);

  /// The tensor's pending reads fail when its last handle ends; else they are answered.
  static void fail_reads_at_end(const Tensor& tensor);

  /// Prepares a program. Throws Error: program when a constant differs from its checksum; resource as `compile`.
  static Graph prepare(const Context& context, schema::Program program);

  /// The single entry of OperatorMethods into the graph: operands and attributes are in the order of the operator's
  /// row.
  static std::vector<Operand> call(GraphBuilder& builder, schema::OperatorId op, const std::vector<Operand>& operands,
                                   schema::Attributes attributes, const std::string& label);
  /// The same for a caller that has room for so many results. Throws Error (usage), and adds nothing, when it gives
  /// another number.
  static std::vector<Operand> call(GraphBuilder& builder, schema::OperatorId op, const std::vector<Operand>& operands,
                                   schema::Attributes attributes, const std::string& label, std::size_t room);
};

}  // namespace webnn::api
