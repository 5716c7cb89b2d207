// What `run` prints about the outputs: for each a summary, its greatest elements or all elements, as text or JSON.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "compiler/frontend/npy.hpp"

namespace webnn::cli {

struct Output {
  std::string name;
  compiler::Tensor tensor;
};

struct RunReport {
  std::vector<Output> outputs;
  std::size_t top = 0;              // number of greatest elements to print; 0: none
  bool values = false;              // prints every element
  std::vector<std::string> labels;  // for elements of outputs with the same number of elements
  std::vector<double> runs;         // milliseconds of each run, if there are several
};

void print_run_text(std::ostream& out, const RunReport& report);
/// {"schema": "webnn-cli/run/1", "outputs": [...]}; elements in row-major order, NaN and infinities as strings; the greatest
/// elements without NaN, of which "nanCount" is the number.
void print_run_json(std::ostream& out, const RunReport& report);

/// "3 runs: the first 1.23 ms, the others 0.80 .. 0.95 ms, median 0.85 ms"
std::string runs_text(const std::vector<double>& milliseconds);

}  // namespace webnn::cli
