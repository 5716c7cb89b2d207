#include "cli/test/test_report.hpp"

#include <cmath>
#include <map>
#include <ostream>

#include "cli/drawing/markup.hpp"
#include "cli/json/json.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using schema::escaped;
using Verdict = CaseOutcome::Verdict;

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view names[] = {"passed", "failed", "skipped"};
  return names[std::size_t(verdict)];
}

std::string seconds_text(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", seconds);
  return text;
}

}  // namespace

Tally tally_of(const std::vector<CaseResult>& results) {
  Tally tally;
  for (const CaseResult& result : results) {
    if (result.outcome.verdict == Verdict::passed) ++tally.passed;
    if (result.outcome.verdict == Verdict::failed) ++tally.failed;
    if (result.outcome.verdict == Verdict::skipped) ++tally.skipped;
  }
  return tally;
}

void print_test_text(std::ostream& out, const std::vector<CaseResult>& results, bool audit) {
  for (const CaseResult& result : results) {
    if (result.outcome.verdict != Verdict::passed)
      out << name_of(result.outcome.verdict) << "  " << escaped(result.suite) << ": " << escaped(result.name)
          << "\n        " << result.outcome.message << "\n";
    else if (audit && result.outcome.tolerance_used >= 0.5)
      out << "near    " << escaped(result.suite) << ": " << escaped(result.name) << " needs "
          << std::lround(result.outcome.tolerance_used * 100) << " % of its tolerance\n";
  }
  const Tally tally = tally_of(results);
  out << tally.passed << " passed, " << tally.failed << " failed, " << tally.skipped << " skipped\n";
}

void print_test_json(std::ostream& out, const std::vector<CaseResult>& results) {
  const Tally tally = tally_of(results);
  Json cases = Json::array();
  for (const CaseResult& result : results)
    cases.push_back({{"suite", result.suite},
                     {"name", result.name},
                     {"verdict", name_of(result.outcome.verdict)},
                     {"message", result.outcome.message},
                     {"toleranceUsed", result.outcome.tolerance_used},
                     {"seconds", result.seconds}});
  const Json report{{"schema", "webnn-cli/test/1"},
                    {"passed", tally.passed},
                    {"failed", tally.failed},
                    {"skipped", tally.skipped},
                    {"cases", std::move(cases)}};
  out << report.dump() << "\n";
}

std::string junit_text(const std::vector<CaseResult>& results) {
  std::map<std::string, std::vector<const CaseResult*>> suites;
  for (const CaseResult& result : results) suites[result.suite].push_back(&result);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const auto& [suite, members] : suites) {
    Tally tally;
    double seconds = 0;
    for (const CaseResult* result : members) {
      tally.failed += result->outcome.verdict == Verdict::failed;
      tally.skipped += result->outcome.verdict == Verdict::skipped;
      seconds += result->seconds;
    }
    text += "  <testsuite name=\"" + markup_text(suite) + "\" tests=\"" + std::to_string(members.size()) +
            "\" failures=\"" + std::to_string(tally.failed) + "\" skipped=\"" + std::to_string(tally.skipped) +
            "\" time=\"" + seconds_text(seconds) + "\">\n";
    for (const CaseResult* result : members) {
      text += "    <testcase classname=\"" + markup_text(suite) + "\" name=\"" + markup_text(result->name) +
              "\" time=\"" + seconds_text(result->seconds) + "\"";
      const std::string message = markup_text(result->outcome.message);
      if (result->outcome.verdict == Verdict::passed)
        text += "/>\n";
      else if (result->outcome.verdict == Verdict::failed)
        text += "><failure message=\"" + message + "\"/></testcase>\n";
      else
        text += "><skipped message=\"" + message + "\"/></testcase>\n";
    }
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace webnn::cli
