// Skipped test cases and parts of them, and the closing lines `failed: NAME: WHY`, `N skipped` and `N passed, N failed`.
#include "tests/harness/skip.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fnmatch.h>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/harness/checks.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests {
namespace {

/// What the reporter has counted so far. It outlives no run: a process runs its test cases once.
struct Tally {
  std::string test_case;           // the running one
  bool skipped = false;            // whether that one is
  bool skipped_in_part = false;    // whether parts of it are
  std::string first_failure;       // of that one: "FILE:LINE: WHAT", in one line
  std::vector<std::string> lines;  // "skipped: NAME: REASON", "skipped part: NAME: PART: REASON"
  unsigned passed_cases = 0, skipped_cases = 0, failed_cases = 0, cases_without_checks = 0;
};
Tally& tally() {
  static Tally only;
  return only;
}

/// "user" or "ci": what is installed on this machine, as tests/allowed_skips.txt has it.
std::string root_kind() {
  const char* kind = std::getenv("WEBNN_ROOT_KIND");
  return kind && *kind ? kind : "user";
}

/// Whether a row of tests/allowed_skips.txt fits: columns with two or more spaces between them, a root or `any`, a
/// pattern of file names (fnmatch) for what is skipped, and why it may be.
bool allowed(const std::string& what) {
  std::istringstream rows(read_file(source_dir() / "tests/allowed_skips.txt"));
  for (std::string row; std::getline(rows, row);) {
    if (row.empty() || row.starts_with('#')) continue;
    const std::size_t root_end = row.find("  ");
    const std::size_t pattern = row.find_first_not_of(' ', root_end);
    const std::size_t pattern_end = row.find("  ", pattern);
    if (pattern_end == std::string::npos)
      throw std::runtime_error("tests/allowed_skips.txt: fewer than three columns: " + row);
    const std::string root = row.substr(0, root_end);
    if (root != "any" && root != root_kind()) continue;
    if (fnmatch(row.substr(pattern, pattern_end - pattern).c_str(), what.c_str(), 0) == 0) return true;
  }
  return false;
}

void note(const std::string& heading, const std::string& what) {
  const std::string line = heading + what;
  if (std::ranges::find(tally().lines, line) != tally().lines.end()) return;
  tally().lines.push_back(line);
  if (!allowed(what))
    FAIL_CHECK("tests/allowed_skips.txt does not let a root of kind '" << root_kind() << "' skip " << what);
}

/// Keeps the first failure of the running test case, for its closing line: in one line, and cut. An exception has no
/// file.
void keep_first_failure(const char* file, int line, std::string what) {
  if (!tally().first_failure.empty()) return;
  std::ranges::replace(what, '\n', ' ');
  constexpr std::size_t enough = 400;
  if (what.size() > enough) what = what.substr(0, enough) + " ...";
  const std::filesystem::path path(file);
  if (!path.empty()) what.insert(0, path.lexically_relative(source_dir()).string() + ":" + std::to_string(line) + ": ");
  tally().first_failure = what;
}

struct ClosingLines : doctest::IReporter {
  explicit ClosingLines(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {
    for (const std::string& line : tally().lines) std::printf("%s\n", line.c_str());
    std::printf("%zu skipped\n%u passed, %u failed\n", tally().lines.size(), tally().passed_cases,
                tally().failed_cases);
  }
  void test_case_start(const doctest::TestCaseData& test_case) override {
    tally().test_case = test_case.m_name;
    tally().skipped = tally().skipped_in_part = false;
    tally().first_failure.clear();
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    // Renewing golden files is no check.
    const bool only_skips = tally().skipped || (tally().skipped_in_part && stats.numAssertsCurrentTest == 0);
    const bool without_checks = stats.numAssertsCurrentTest == 0 && !only_skips && !blessing();
    tally().cases_without_checks += without_checks;
    if (only_skips && !tally().skipped)
      tally().lines.push_back("skipped: " + tally().test_case + ": none of its parts can run");
    if (stats.failure_flags != 0 || without_checks) {
      ++tally().failed_cases;
      std::printf("failed: %s: %s\n", tally().test_case.c_str(),
                  tally().first_failure.empty() ? "it checks nothing" : tally().first_failure.c_str());
    } else if (only_skips)
      ++tally().skipped_cases;
    else
      ++tally().passed_cases;
  }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    keep_first_failure("", 0, std::string("it threw ") + exception.error_string.c_str());
  }
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData& check) override {
    if (!check.m_failed) return;
    std::string what = std::string(check.m_expr) + " is " + check.m_decomp.c_str();
    if (check.m_threw) what = std::string(check.m_expr) + " threw " + check.m_exception.c_str();
    keep_first_failure(check.m_file, check.m_line, what);
  }
  void log_message(const doctest::MessageData& message) override {
    if ((message.m_severity & doctest::assertType::is_warn) == 0)
      keep_first_failure(message.m_file, message.m_line, message.m_string.c_str());
  }
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

}  // namespace

unsigned cases_without_checks() { return tally().cases_without_checks; }

void skip(std::string_view reason) {
  tally().skipped = true;
  note("skipped: ", tally().test_case + ": " + std::string(reason));
}

void skip_part(std::string_view part, std::string_view reason) {
  tally().skipped_in_part = true;
  note("skipped part: ", tally().test_case + ": " + std::string(part) + ": " + std::string(reason));
}

}  // namespace webnn::tests

REGISTER_LISTENER("closing-lines", 100, webnn::tests::ClosingLines);
