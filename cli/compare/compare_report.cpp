#include "cli/compare/compare_report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "cli/json/json.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

std::string number_text(double value, const char* form = "%.3g") {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string ulp_text(std::uint64_t ulp) { return ulp == no_ulp_distance ? "NaN" : std::to_string(ulp); }

std::string_view word_of(const TensorVerdict& verdict) {
  if (!verdict.passed) return "DIFFERENT";
  return verdict.comparison.max_ulp == 0 ? "equal" : "within tolerance";
}

void print_verdict(std::ostream& out, const TensorVerdict& verdict) {
  const Comparison& comparison = verdict.comparison;
  const Shape& shape = verdict.descriptor.shape;
  out << "  " << escaped(verdict.name) << ": " << verdict.descriptor.text() << "  " << word_of(verdict) << "\n";
  if (!verdict.problem.empty()) {
    out << "    " << verdict.problem << "\n";
    return;
  }
  out << "    error      max " << number_text(comparison.max_absolute);
  if (comparison.max_ulp != 0)
    out << " at " << place_text(shape, comparison.max_absolute_at) << ", mean " << number_text(comparison.mean_absolute)
        << ", max relative " << number_text(comparison.max_relative) << ", max " << ulp_text(comparison.max_ulp)
        << " ULP at " << place_text(shape, comparison.max_ulp_at);
  out << "\n    likeness   cosine " << number_text(comparison.cosine, "%.9g") << ", PSNR "
      << number_text(comparison.peak_to_noise, "%.4g") << " dB\n    oddities   NaN "
      << comparison.expected_oddities.nans << " expected, " << comparison.actual_oddities.nans << " actual; infinite "
      << comparison.expected_oddities.infinities << " expected, " << comparison.actual_oddities.infinities
      << " actual\n    tolerance  " << text_of(verdict.tolerance, verdict.cosine_limit) << ": " << comparison.mismatches
      << " of " << comparison.count << " elements beyond ("
      << number_text(comparison.count ? 100.0 * double(comparison.mismatches) / double(comparison.count) : 0) << " %)";
  if (const std::string smallest = smallest_tolerance(verdict); !smallest.empty())
    out << "; would pass with " << smallest;
  out << "\n";
}

/// JSON has no infinity and no NaN.
Json finite(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

Json verdict_json(const TensorVerdict& verdict) {
  const Comparison& comparison = verdict.comparison;
  Json json{{"name", verdict.name},
            {"dataType", name_of(verdict.descriptor.type)},
            {"shape", std::vector<std::uint32_t>(verdict.descriptor.shape.begin(), verdict.descriptor.shape.end())},
            {"passed", verdict.passed}};
  if (!verdict.problem.empty()) {
    json["problem"] = verdict.problem;
    return json;
  }
  json.update(
      {{"elements", comparison.count},
       {"mismatches", comparison.mismatches},
       {"maxAbsolute", finite(comparison.max_absolute)},
       {"maxAbsoluteAt", comparison.max_absolute_at},
       {"meanAbsolute", finite(comparison.mean_absolute)},
       {"maxRelative", finite(comparison.max_relative)},
       {"maxUlp", comparison.max_ulp == no_ulp_distance ? Json("NaN") : Json(comparison.max_ulp)},
       {"maxUlpAt", comparison.max_ulp_at},
       {"cosine", finite(comparison.cosine)},
       {"psnr", finite(comparison.peak_to_noise)},
       {"nan", {{"expected", comparison.expected_oddities.nans}, {"actual", comparison.actual_oddities.nans}}},
       {"infinite",
        {{"expected", comparison.expected_oddities.infinities}, {"actual", comparison.actual_oddities.infinities}}},
       {"tolerance",
        {{"ulp", verdict.tolerance.ulp},
         {"atol", finite(verdict.tolerance.absolute)},
         {"rtol", verdict.tolerance.relative}}},
       {"wouldPassWith", smallest_tolerance(verdict)}});
  if (verdict.cosine_limit) json["tolerance"]["cos"] = *verdict.cosine_limit;
  return json;
}

std::string sentence_of(const DivergenceText& divergence) {
  if (divergence.label.empty()) return divergence.reason;
  std::string text = "operator " + in_quotes(divergence.label) + " (" + divergence.op + ")";
  if (!divergence.others.empty()) {
    text += " with";
    for (std::size_t i = 0; i < std::min<std::size_t>(divergence.others.size(), 8); ++i)
      text += (i ? ", " : " ") + in_quotes(divergence.others[i]);
    if (divergence.others.size() > 8) text += " and " + std::to_string(divergence.others.size() - 8) + " more";
  }
  return text + (divergence.reason.empty() ? "" : ": " + divergence.reason);
}

}  // namespace

DivergenceText text_of(const Divergence& divergence, const compiler::Graph& checked) {
  DivergenceText text{{}, {}, {}, divergence.reason, divergence.verdicts};
  for (const compiler::NodeId id : divergence.nodes) {
    const compiler::Node& node = checked.node(id);
    std::string label = node.label.empty() ? checked.value(node.outputs[0]).name : node.label;
    if (text.label.empty()) {
      text.label = std::move(label);
      text.op = row(node.op).name;
    } else {
      text.others.push_back(std::move(label));
    }
  }
  return text;
}

bool CompareReport::passed() const { return !divergence && std::ranges::all_of(verdicts, &TensorVerdict::passed); }

void print_compare_text(std::ostream& out, const CompareReport& report) {
  out << "expected  " << escaped(report.expected) << "\nactual    " << escaped(report.actual) << "\n";
  for (const TensorVerdict& verdict : report.verdicts) print_verdict(out, verdict);
  const auto agreeing = std::ranges::count_if(report.verdicts, &TensorVerdict::passed);
  const bool is_all_of_one = agreeing == 1 && report.verdicts.size() == 1;
  out << agreeing << " of " << counted(report.verdicts.size(), "output") << " " << (is_all_of_one ? "agrees" : "agree")
      << "\n";
  if (!report.searched) return;
  if (!report.divergence) {
    out << "no operator differs\n";
    return;
  }
  out << "first divergence: " << sentence_of(*report.divergence) << "\n";
  for (const TensorVerdict& verdict : report.divergence->verdicts) print_verdict(out, verdict);
}

Json compare_json(const CompareReport& report) {
  Json outputs = Json::array();
  for (const TensorVerdict& verdict : report.verdicts) outputs.push_back(verdict_json(verdict));
  Json json{{"schema", "webnn-cli/compare/1"},
            {"expected", report.expected},
            {"actual", report.actual},
            {"passed", report.passed()},
            {"outputs", std::move(outputs)}};
  if (!report.searched) return json;
  json["firstDivergence"] = nullptr;
  if (report.divergence) {
    Json results = Json::array();
    for (const TensorVerdict& verdict : report.divergence->verdicts) results.push_back(verdict_json(verdict));
    json["firstDivergence"] = {{"label", report.divergence->label},
                               {"operator", report.divergence->op},
                               {"with", report.divergence->others},
                               {"reason", report.divergence->reason},
                               {"results", std::move(results)}};
  }
  return json;
}

std::vector<CaseResult> cases_of(const CompareReport& report) {
  std::vector<CaseResult> cases;
  const std::string suite = report.expected + " / " + report.actual;
  for (const TensorVerdict& verdict : report.verdicts) {
    std::string message = verdict.problem;
    if (!verdict.passed && message.empty())
      message = std::to_string(verdict.comparison.mismatches) + " of " + std::to_string(verdict.comparison.count) +
                " elements beyond " + text_of(verdict.tolerance, verdict.cosine_limit) + "; would pass with " +
                smallest_tolerance(verdict);
    const auto kind = verdict.passed ? CaseOutcome::Verdict::passed : CaseOutcome::Verdict::failed;
    cases.push_back({suite, verdict.name, {kind, std::move(message), 0}, 0});
  }
  if (report.searched)
    cases.push_back({suite,
                     "first divergence",
                     {report.divergence ? CaseOutcome::Verdict::failed : CaseOutcome::Verdict::passed,
                      report.divergence ? sentence_of(*report.divergence) : std::string(), 0},
                     0});
  return cases;
}

}  // namespace webnn::cli
