// Conformance cases for `webnn-cli test`: each found in a suite, with a name and a function to run.
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
  std::string message;        // for a failed or skipped case
  double tolerance_used = 0;  // largest share of its tolerance that an output needed; 0 when all were exact
  bool is_refused = false;  // failed for want of memory, threads or what a limit allows, which says nothing of results
};

/// One case. `run` may be called from any thread, once; it throws nothing.
struct TestCase {
  std::string suite;  // file name without extension, or folder
  std::string name;
  std::function<CaseOutcome()> run;
};

struct CaseOptions {
  CompileOptions compile;
  LimitOptions limits;
  schema::Tolerance folder_tolerance{0, 2e-4, 0};  // for case folders, which have no tolerances of their own
  std::shared_ptr<SessionPool> sessions;           // opened with the options' device
  bool onnx = false;                               // the suites are folders of ONNX's own tests
};

/// All cases of the suites, in order. A suite is a vector file (conformance or validation), a folder of such files, or
/// a case folder: a graph file STEM.* with STEM.input.NAME.npy and STEM.expected.NAME.npy next to it. Folders are
/// searched recursively. Throws Error for a path that does not exist or a file that is not a suite.
std::vector<TestCase> find_cases(const std::vector<std::string>& suites, const CaseOptions& options);

}  // namespace webnn::cli
