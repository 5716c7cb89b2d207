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

  /// Compiles and prepares the graph, in the place of one that was compiled before. Options' target and callbacks are
  /// filled in here. False when there are diagnostics of severity error, or when `stop_after` ended the compilation
  /// early. Throws Error (resource) when the program needs more than `maxMemory`, before its arena, scratch and tensors
  /// are allocated.
  bool compile(compiler::Graph graph, compiler::Options options, schema::Diagnostics& diagnostics);

  /// Prepares a program, which is for this device, instead; the one before is destroyed. Throws Error as `compile`.
  void load(schema::Program program);

  /// Of the compiled graph, in the order of the file.
  std::span<const schema::Binding> inputs() const;
  std::span<const schema::Binding> outputs() const;

  /// Runs once: one view for each input (its descriptor's bytes), one vector for each output. Tensors are made by the
  /// first run and used again by later ones.
  std::vector<std::vector<std::byte>> run(std::span<const std::span<const std::byte>> inputs);

  // The parts of a run, each waited for.

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
  std::uint64_t max_memory_;
  runtime::Context context_;
  runtime::ExecutableId executable_;
  std::vector<runtime::NamedTensor> input_tensors_, output_tensors_;
};

}  // namespace webnn::api
