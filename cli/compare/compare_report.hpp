// The report of `compare`: a verdict for each output, and the first operator that differs.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cli/compare/divergence.hpp"
#include "cli/compare/verdict.hpp"
#include "cli/json/json.hpp"
#include "cli/test/test_report.hpp"

namespace webnn::cli {

/// The texts for a divergence.
struct DivergenceText {
  std::string label, op;            // of the first operator
  std::vector<std::string> others;  // labels of operators that differ only together with it
  std::string reason;
  std::vector<TensorVerdict> verdicts;
};
DivergenceText text_of(const Divergence& divergence, const compiler::Graph& checked);

struct CompareReport {
  std::string expected, actual;  // descriptions of the two sides
  std::vector<TensorVerdict> verdicts;
  bool searched = false;  // whether a divergence was searched for
  std::optional<DivergenceText> divergence;

  bool passed() const;
};

void print_compare_text(std::ostream& out, const CompareReport& report);
/// {"schema": "webnn-cli/compare/1", "expected", "actual", "passed", "outputs": [...], "firstDivergence"}
Json compare_json(const CompareReport& report);
/// One case for each output, for a JUnit report.
std::vector<CaseResult> cases_of(const CompareReport& report);

}  // namespace webnn::cli
