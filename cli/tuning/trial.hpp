// A program as one trial of a tuning: prepared, with data, and with the calls that its steps make.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/context.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// How a call was run.
struct Way {
  std::string call;  // compiler::call_text
  schema::KernelId kernel;
  schema::Layout layout = schema::Layout::row_major;  // of its activations, if their two layouts differ
  bool operator==(const Way&) const = default;
};

/// By step of the program.
std::vector<Way> ways_of(const schema::Program& program);

/// The tensors for a graph's inputs and outputs, shared by all programs for it.
class TrialTensors {
 public:
  /// Inputs get random numbers.
  TrialTensors(runtime::Context& context, const schema::Program& program, std::uint64_t max_tensor_bytes);
  ~TrialTensors();
  TrialTensors(const TrialTensors&) = delete;
  TrialTensors& operator=(const TrialTensors&) = delete;

  std::shared_ptr<runtime::Bindings> bind(runtime::ExecutableId executable) const;

 private:
  runtime::Context& context_;
  std::vector<std::string> names_;  // of inputs, then outputs
  std::vector<runtime::TensorId> inputs_, outputs_;
};

class Trial {
 public:
  Trial(runtime::Context& context, const TrialTensors& tensors, schema::Program program);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  const std::vector<Way>& ways() const { return ways_; }
  /// Bytes of each step's outputs.
  const std::vector<std::uint64_t>& output_bytes() const { return output_bytes_; }

  /// Runs once; returns nanoseconds.
  double run();
  /// Runs once and records the times of the steps. Returns the nanoseconds of the whole run.
  double run_timed();
  /// The median of the recorded times of each step, in nanoseconds; clears the record.
  std::vector<double> take_step_times();

 private:
  runtime::Context& context_;
  std::vector<Way> ways_;
  std::vector<std::uint64_t> output_bytes_;
  runtime::ExecutableId executable_;
  std::shared_ptr<runtime::Bindings> bindings_;
  std::vector<std::vector<double>> times_;  // by step
  std::vector<runtime::StepTime> last_;
};

}  // namespace webnn::cli
