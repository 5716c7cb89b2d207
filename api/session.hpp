// A graph, compiled for a device and ready to run: the shortest way from a file's graph to numbers.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "api/context_options.hpp"
#include "compiler/compiler.hpp"
#include "runtime/context.hpp"
#include "schema/error.hpp"

namespace webnn::api {

class Session {
 public:
  /// Opens the device. Throws Error (usage, device).
  explicit Session(const ContextOptions& options);

  /// Compiles and prepares the graph. Options' target and callbacks are filled in here. False when there are
  /// diagnostics of severity error, or when `stop_after` ended the compilation early. Throws Error (resource) when the
  /// program needs more than `maxMemory`, before its arena, scratch and tensors are allocated.
  bool compile(compiler::Graph graph, compiler::Options options, schema::Diagnostics& diagnostics);

  /// Of the compiled graph, in the order of the file.
  std::span<const schema::Binding> inputs() const;
  std::span<const schema::Binding> outputs() const;

  /// Runs once: one view for each input (its descriptor's bytes), one vector for each output. Tensors are made by the
  /// first run and used again by later ones.
  std::vector<std::vector<std::byte>> run(std::span<const std::span<const std::byte>> inputs);

  runtime::Context& context() { return context_; }
  runtime::ExecutableId executable() const { return executable_; }

 private:
  const schema::Program& program() const { return context_.executable(executable_).program(); }

  std::string provider_;
  std::uint64_t max_memory_;
  runtime::Context context_;
  runtime::ExecutableId executable_;
  std::vector<runtime::NamedTensor> input_tensors_, output_tensors_;
};

}  // namespace webnn::api
