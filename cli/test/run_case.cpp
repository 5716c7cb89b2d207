#include "cli/test/run_case.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "api/runner/session.hpp"
#include "cli/inputs/bound_inputs.hpp"
#include "cli/programs/provider_check.hpp"
#include "cli/test/lost_subnormals.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;
using compiler::NamedTensor;

CaseOutcome failed(std::string message) { return {CaseOutcome::Verdict::failed, std::move(message), 0}; }

namespace {

/// The share of its tolerance that a comparison needed; 1 is the limit.
double share_used(const Comparison& comparison, const Tolerance& tolerance) {
  if (comparison.max_ulp == 0 || comparison.max_absolute == 0) return 0;
  double share = INFINITY;
  if (tolerance.ulp > 0) share = std::min(share, double(comparison.max_ulp) / tolerance.ulp);
  if (tolerance.absolute > 0) share = std::min(share, comparison.max_absolute / tolerance.absolute);
  return std::isfinite(share) ? share : 0;
}

std::string mismatch_text(const NamedTensor& expected, const Comparison& comparison) {
  char text[200];
  std::snprintf(text, sizeof text, ": %zu of %zu elements differ, first at %zu; largest error %.3g or %.0f ULP",
                comparison.mismatches, comparison.count, comparison.first_mismatch.value_or(0), comparison.max_absolute,
                double(comparison.max_ulp));
  return "output " + in_quotes(expected.name) + text;
}

}  // namespace

CaseOutcome run_graph(compiler::Graph graph, const std::vector<NamedTensor>& inputs,
                      const std::vector<NamedTensor>& expected, const Tolerance& tolerance,
                      const CaseOptions& options) {
  std::ostringstream log;
  Diagnostics diagnostics;
  auto taken = options.sessions->take();
  api::Session& session = *taken;
  const runtime::Device& device = session.context().device();
  const std::string device_name(device.name());
  std::optional<LostSubnormals> lost_numbers;
  if (!device.keeps_subnormals()) lost_numbers = LostSubnormals::of(graph, inputs, expected);
  if (!session.compile(std::move(graph), compiler_options(options.compile, log), diagnostics)) {
    CaseOutcome outcome = failed("does not compile: " + render(diagnostics));
    if (exit_code_of(diagnostics) == ExitCode::unsupported) outcome.message = "not supported: " + render(diagnostics);
    return outcome;
  }
  if (const std::string wanted = wanted_provider(options.compile); !wanted.empty()) {
    const auto others = other_providers(session.program(), wanted);
    if (options.compile.only && !others.empty())
      return failed("not supported: no kernel of " + in_quotes(wanted) + " runs " + text_of(others));
    options.sessions->add_others(others);
  }
  const auto find = [](const std::vector<NamedTensor>& tensors, const std::string& name) -> const NamedTensor* {
    const auto found = std::ranges::find(tensors, name, &NamedTensor::name);
    return found == tensors.end() ? nullptr : &*found;
  };
  std::vector<compiler::Tensor> data;
  for (const Binding& binding : session.inputs()) {
    const NamedTensor* input = find(inputs, binding.name);
    if (!input) return failed("the case has no data for input " + in_quotes(binding.name));
    data.push_back(compiler::narrowed(input->tensor, binding.descriptor, "input " + in_quotes(binding.name)));
    if (data.back().descriptor != binding.descriptor)
      return failed("input " + in_quotes(binding.name) + " is " + data.back().descriptor.text() + ", the graph wants " +
                    binding.descriptor.text());
  }
  const std::vector<std::vector<std::byte>> results = session.run(views_of(data));
  const std::vector<Binding> outputs(session.outputs().begin(), session.outputs().end());
  options.sessions->give(std::move(taken));

  CaseOutcome outcome{CaseOutcome::Verdict::passed, {}, 0};
  for (NamedTensor wanted : expected) {
    const auto binding = std::ranges::find(outputs, wanted.name, &Binding::name);
    if (binding == outputs.end()) return failed("the graph has no output " + in_quotes(wanted.name));
    wanted.tensor = compiler::narrowed(wanted.tensor, binding->descriptor, "output " + in_quotes(wanted.name));
    if (binding->descriptor != wanted.tensor.descriptor)
      return failed("output " + in_quotes(wanted.name) + " is " + binding->descriptor.text() + ", expected is " +
                    wanted.tensor.descriptor.text());
    const auto index = std::size_t(binding - outputs.begin());
    const Comparison comparison =
        compare_tensors(wanted.tensor.descriptor, results[index], wanted.tensor.data.view(), tolerance);
    if (!comparison.passed() && lost_numbers && lost_numbers->explain(wanted, results[index], tolerance)) {
      outcome.verdict = CaseOutcome::Verdict::skipped;  // unless another output is wrong
      outcome.message = "the case has subnormal numbers, which " + device_name + " does not keep; " +
                        mismatch_text(wanted, comparison);
      continue;
    }
    if (!comparison.passed()) return failed(mismatch_text(wanted, comparison));
    outcome.tolerance_used = std::max(outcome.tolerance_used, share_used(comparison, tolerance));
  }
  return outcome;
}

}  // namespace webnn::cli
