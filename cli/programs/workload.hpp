// What a MODEL argument names, read once and made ready on devices as often as a command wants: for commands that run
// the same graph in several ways (bench, compare, profile).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/session.hpp"
#include "cli/inputs/input_spec.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/model_file.hpp"

namespace webnn::cli {

/// Inputs or outputs with their names.
std::vector<InputSlot> input_slots(const compiler::Graph& graph);
std::vector<InputSlot> output_slots(const compiler::Graph& graph);
std::vector<InputSlot> slots_of(std::span<const schema::Binding> bindings);

/// Throws Error (usage) when an option is given that means nothing for a program, which is compiled already.
void refuse_compiler_options(const std::string& program, const CompileOptions& compile, const LimitOptions& limits);

/// A view on each tensor's bytes.
std::vector<std::span<const std::byte>> views_of(std::span<const compiler::Tensor> tensors);

/// What getting ready took, in milliseconds.
struct ReadyTimes {
  double compile = 0;  // 0 of a program
  double prepare = 0;  // kernels, constants and memory
  std::vector<compiler::PassTime> passes;
};

struct Ready {
  std::unique_ptr<api::Session> session;
  ReadyTimes times;
};

class Workload {
 public:
  /// Reads a graph (with its weights mapped) or a program file. Reports what is wrong with it and throws Error.
  Workload(const std::string& file, const LimitOptions& limits, Console& console);

  const std::string& file() const { return file_; }
  /// The file's name without folder and ending.
  std::string name() const;
  /// Null for a program. Named dimensions have no size yet.
  const compiler::Graph* graph() const { return graph_ ? &*graph_ : nullptr; }
  /// Hands pages of its files back, which come again when they are read: so that memory is counted where it is used.
  void release_pages() const;
  /// Reading and checking the file.
  double load_milliseconds() const { return load_milliseconds_; }

  /// The options with the device that this runs on, where they leave it open (chosen_device.hpp).
  CompileOptions settled(CompileOptions options, Console& console) const;
  /// Compiles (a graph) and prepares for the options' device, threads and dimensions; may be called any number of
  /// times. Diagnostics go to the console. Throws Error: as `compile` and `run` do.
  Ready prepare(const CompileOptions& options, Console& console) const;

 private:
  std::string file_;
  LimitOptions limits_;
  std::optional<compiler::Graph> graph_;
  std::optional<ProgramFile> program_;
  double load_milliseconds_ = 0;
};

}  // namespace webnn::cli
