// Proposes kernels and layouts from the measured times of a graph's calls.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/tuning.hpp"
#include "schema/kernels/kernel_table.hpp"

namespace webnn::cli {

/// A call of the default program, and the measurements of its candidates.
struct TimedCall {
  std::string text;        // compiler::call_text
  schema::KernelId usual;  // in the default program
  schema::Layout usual_layout = schema::Layout::row_major;
  std::size_t steps = 0;
  std::vector<schema::KernelId> kernels = {};  // candidates, the usual one first

  struct Time {
    schema::KernelId kernel;
    schema::Layout layout;
    std::vector<double> nanoseconds;  // of one step, by trial
    double median() const;
  };
  std::vector<Time> times = {};

  Time& time_of(schema::KernelId kernel, schema::Layout layout);
  /// Null: it never ran in this layout.
  const Time* fastest(schema::Layout layout) const;
  const Time* usual_time() const;
};

using PreferenceTable = std::map<std::string, compiler::CallPreference, std::less<>>;  // by call

/// The fastest rows for calls where they beat the usual row by more than `least_gain`, as a share of its time.
/// `nanoseconds_per_byte` is the cost of reordering; if it is above 0, calls may also ask for another layout.
PreferenceTable propose(const std::vector<TimedCall>& calls, double least_gain, double nanoseconds_per_byte);

}  // namespace webnn::cli
