// Conformance cases as `webnn-cli test` runs them: found in suites, each a name and something to run.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/programs/compile_options.hpp"
#include "cli/programs/open_model.hpp"
#include "cli/test/session_pool.hpp"
#include "schema/elements/compare_tensors.hpp"

namespace webnn::cli {

struct CaseOutcome {
  enum class Verdict : std::uint8_t { passed, failed, skipped };
  Verdict verdict = Verdict::failed;
  std::string message;        // of a failed or skipped case
  double tolerance_used = 0;  // largest share of the tolerance that an output needed; 0 when all were exact
};

/// One case. `run` may be called from any thread, once; it throws nothing.
struct TestCase {
  std::string suite;  // file name without its ending, or folder
  std::string name;
  std::function<CaseOutcome()> run;
};

struct CaseOptions {
  CompileOptions compile;
  LimitOptions limits;
  schema::Tolerance folder_tolerance{0, 2e-4, 0};  // of case folders, which bring none of their own
  std::shared_ptr<SessionPool> sessions;           // opened with the options' device
};

/// All cases of the suites, in order. A suite is a vector file (conformance or validation), a folder of such files, or
/// a case folder: a graph STEM.json beside STEM.input.NAME.npy and STEM.expected.NAME.npy; folders are searched to any
/// depth. Throws Error for a path that does not exist or a file that is no suite.
std::vector<TestCase> find_cases(const std::vector<std::string>& suites, const CaseOptions& options);

}  // namespace webnn::cli
