// A session: compiles a graph for a device and runs it. The shortest way from a graph to numbers.
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

  /// Compiles and prepares the graph, replacing an earlier one. The target and callbacks of the options are set here.
  /// False when there are diagnostics of severity error, or when `stop_after` ended the compilation early. Throws Error
  /// (resource) when the program needs more than `maxMemory`, before its arena, scratch and tensors are allocated.
  bool compile(compiler::Graph graph, compiler::Options options, schema::Diagnostics& diagnostics);

  /// Prepares a program for this device instead; the earlier one is destroyed. Throws Error as `compile`.
  void load(schema::Program program);

  /// The bindings of the compiled graph, in file order.
  std::span<const schema::Binding> inputs() const;
  std::span<const schema::Binding> outputs() const;

  /// Runs once: takes one view for each input (its descriptor's bytes) and returns one vector for each output. The
  /// first run creates tensors, which later runs reuse.
  std::vector<std::vector<std::byte>> run(std::span<const std::span<const std::byte>> inputs);

  // The parts of a run; each waits for its end.

  void write(std::span<const std::span<const std::byte>> inputs);
  void compute() { context_.compute(bindings()); }
  /// `times` has an entry for each step of the program.
  void compute_timed(std::span<runtime::StepTime> times) { context_.compute_timed(bindings(), times); }
  std::vector<std::vector<std::byte>> read();

  runtime::Context& context() { return context_; }
  runtime::ExecutableId executable() const { return executable_; }
  const schema::Program& program() const { return context_.executable(executable_).program(); }

 private:
  std::shared_ptr<runtime::Bindings> bindings() { return context_.bind(executable_, input_tensors_, output_tensors_); }

  std::string provider_;
  runtime::Limits limits_;
  runtime::Context context_;
  runtime::ExecutableId executable_;
  std::vector<runtime::NamedTensor> input_tensors_, output_tensors_;
};

}  // namespace webnn::api
