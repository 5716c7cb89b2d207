// `webnn-cli test SUITE...`: conformance and validation vectors and case folders, in parallel.
#include <atomic>
#include <chrono>
#include <fnmatch.h>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <thread>

#include "api/kernels.hpp"
#include "cli/command.hpp"
#include "cli/output/messages.hpp"
#include "cli/output/output_files.hpp"
#include "cli/programs/chosen_device.hpp"
#include "cli/programs/compile_options.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/test/test_report.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "compiler/passes/parts/choose_kernel.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;
using Verdict = CaseOutcome::Verdict;

struct TestOptions {
  std::vector<std::string> suites;
  CaseOptions cases;
  unsigned jobs = 1;
  std::string filter, expected_failures, junit, format = "text";
  bool audit = false;
};

std::string full_name(const std::string& suite, const std::string& name) { return suite + ": " + name; }

/// The cases that may fail, each with a part of the message that it must fail with; empty: any message will do.
using ExpectedFailures = std::map<std::string, std::string>;

/// Lines "SUITE: NAME" or "SUITE: NAME => MESSAGE"; '#' starts a comment line.
ExpectedFailures read_expected_failures(const std::string& file) {
  ExpectedFailures expected;
  if (file.empty()) return expected;
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 24;
  std::istringstream stream(compiler::read_whole_file(file, most_bytes));
  constexpr std::string_view arrow = " => ";
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t at = std::min(line.find(arrow), line.size());
    expected[line.substr(0, at)] = at == line.size() ? std::string() : line.substr(at + arrow.size());
  }
  return expected;
}

/// An expected failure that fails counts as skipped; one that passes, or fails with another message, counts as failed,
/// so that the list stays current.
void apply_expected_failures(std::vector<CaseResult>& results, const ExpectedFailures& expected) {
  ExpectedFailures unmatched = expected;
  for (CaseResult& result : results) {
    const auto found = expected.find(full_name(result.suite, result.name));
    if (found == expected.end()) continue;
    unmatched.erase(found->first);
    CaseOutcome& outcome = result.outcome;
    if (outcome.verdict == Verdict::failed && outcome.message.find(found->second) != std::string::npos)
      outcome = {Verdict::skipped, "expected to fail: " + outcome.message, 0};
    else if (outcome.verdict == Verdict::failed)
      outcome.message += "; expected was: " + found->second;
    else if (outcome.verdict == Verdict::passed)
      outcome = {Verdict::failed, "passed, but is listed as an expected failure", 0};
  }
  for (const auto& [name, message] : unmatched)
    results.push_back({"expected failures", name, {Verdict::failed, "no case has this name", 0}, 0});
}

std::vector<CaseResult> run_all(const std::vector<TestCase>& cases, unsigned jobs) {
  std::vector<CaseResult> results(cases.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < cases.size(); i = next++) {
      const auto start = std::chrono::steady_clock::now();
      results[i] = {cases[i].suite, cases[i].name, cases[i].run(), 0};
      results[i].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < jobs; ++i) workers.emplace_back(work);
  work();
  workers.clear();  // joins the threads
  return results;
}

/// Cases that were only refused say nothing of the results.
ExitCode exit_code_of(const std::vector<CaseResult>& results) {
  ExitCode code = ExitCode::success;
  for (const CaseResult& result : results) {
    if (result.outcome.verdict != Verdict::failed) continue;
    if (!result.outcome.is_refused) return ExitCode::negative;
    code = ExitCode::resource;
  }
  return code;
}

ExitCode test(TestOptions options, Console& console) {
  refuse_standard_output("--junit", options.junit);
  check_only(options.cases.compile);
  settle_device(options.cases.compile, console);
  ContextOptions of_cases = context_options(options.cases.compile);
  if (of_cases.threads == 0) of_cases.threads = 1;  // cases run side by side
  options.cases.sessions = std::make_shared<SessionPool>(std::move(of_cases));
  ExpectedFailures expected_failures = read_expected_failures(options.expected_failures);
  CaseOptions case_options = options.cases;
  case_options.limits.shares_dimensions = true;  // a suite may have cases of graphs with and without them
  std::vector<TestCase> cases = find_cases(options.suites, case_options);
  if (cases.empty()) throw Error(ExitCode::usage, "there are no cases in what was named");
  if (!options.filter.empty()) {
    const auto filtered = [&](const std::string& name) {
      return fnmatch(options.filter.c_str(), name.c_str(), 0) != 0;
    };
    std::erase_if(cases, [&](const TestCase& one) { return filtered(full_name(one.suite, one.name)); });
    std::erase_if(expected_failures, [&](const auto& one) { return filtered(one.first); });
  }
  if (cases.empty())
    throw Error(ExitCode::usage, "no case matches", "the filter is matched with 'SUITE: NAME', for example '*conv2d*'");

  // What no case could run with ends the command, before each of them fails.
  SessionPool& sessions = *options.cases.sessions;
  sessions.open();
  const compiler::Options compiling = compiler_options(options.cases.compile, console.err);
  if (!compiling.kernels.empty()) compiler::check_provider(api::kernel_table(), compiling.kernels);
  std::vector<CaseResult> results = run_all(cases, options.jobs);
  sessions.with_device([&](const runtime::Device& device) {
    remark_device(console, device, std::max(options.cases.compile.threads, 1u));
  });
  note_fallback(console, sessions.fallen_back());
  remark_others(console, wanted_provider(options.cases.compile), sessions.others());
  apply_expected_failures(results, expected_failures);
  if (!options.junit.empty()) write_whole_file(options.junit, junit_text(results));
  if (options.format == "json")
    print_test_json(console.out, results);
  else
    print_test_text(console.out, results, options.audit);
  return exit_code_of(results);
}

}  // namespace

Action declare_test(OptionList& list) {
  auto options = std::make_shared<TestOptions>();
  list.add("suites", options->suites, "vector files, case folders, or folders of them").required();
  list.flag("--onnx", options->cases.onnx,
            "the suites are ONNX's own tests: folders with model.onnx and test_data_set_0");
  list.add("-j,--jobs", options->jobs, "cases at a time").between(1u, 256u).shows_default();
  list.add("--filter", options->filter, "only cases whose 'SUITE: NAME' matches this glob");
  list.add("--expected-failures", options->expected_failures,
           "a file of lines 'SUITE: NAME' or 'SUITE: NAME => MESSAGE': cases that must fail, so");
  list.add("--atol", options->cases.folder_tolerance.absolute, "absolute tolerance of case folders")
      .between(0.0, std::numeric_limits<double>::max())
      .shows_default();
  list.add("--junit", options->junit, "write a JUnit report to this file");
  list.add("--output-format", options->format, "text or json").one_of({"text", "json"});
  list.flag("--audit", options->audit, "list passes that use half of their tolerance or more");
  add_device_options(list, options->cases.compile);
  add_dimension_option(list, options->cases.limits.dimensions);
  add_limit_options(list, options->cases.limits);
  list.allow_sandbox();
  return [options](Console& console) { return test(*options, console); };
}

}  // namespace webnn::cli
