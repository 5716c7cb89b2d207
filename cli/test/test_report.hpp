// Results of `webnn-cli test` as text, JSON and JUnit XML.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/test/test_case.hpp"

namespace webnn::cli {

struct CaseResult {
  std::string suite, name;
  CaseOutcome outcome;
  double seconds = 0;
};

struct Tally {
  std::size_t passed = 0, failed = 0, skipped = 0;
};
Tally tally_of(const std::vector<CaseResult>& results);

/// The failures one by one, then "N passed, N failed, N skipped". With `audit`, also the passes that needed at least
/// half of their tolerance.
void print_test_text(std::ostream& out, const std::vector<CaseResult>& results, bool audit);
/// {"schema": "webnn-cli/test/1", "passed", "failed", "skipped", "cases": [...]}
void print_test_json(std::ostream& out, const std::vector<CaseResult>& results);
/// One <testsuite> for each suite.
std::string junit_text(const std::vector<CaseResult>& results);

}  // namespace webnn::cli
