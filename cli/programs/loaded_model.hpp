// What a MODEL argument names, read once and made ready on devices as often as a command wants: for commands that run
// the same model in several ways (bench, compare, profile).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/runner/model.hpp"
#include "api/runner/session.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"

namespace webnn::cli {

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

class LoadedModel {
 public:
  /// Reads a graph (with its weights mapped) or a program file. Only graphs that compute shapes get the sizes in the
  /// limits already here. What it takes counts against the options' limits of memory and work. Reports what is wrong
  /// with it and throws Error. The console must outlive it.
  LoadedModel(const std::string& file, const LimitOptions& limits, const CompileOptions& options, Console& console);
  LoadedModel(const LoadedModel&) = delete;
  LoadedModel& operator=(const LoadedModel&) = delete;

  const std::string& file() const { return file_; }
  /// The file's name without folder and ending.
  std::string name() const;
  /// Null for a program. Named dimensions have no size yet, unless the graph computes shapes from them.
  const compiler::Graph* graph() const { return model_.known_graph(); }
  /// The graph with these sizes for its named dimensions ("batch=4"). Must not be called for a program.
  compiler::Graph graph_with(const std::vector<std::string>& dimensions) const;
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
  double load_milliseconds_ = 0;
  api::Model model_;
};

}  // namespace webnn::cli
