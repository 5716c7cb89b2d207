#include "cli/output/run_report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "cli/json/json.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/output/summary.hpp"
#include "schema/elements/number.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

bool has_labels(const RunReport& report, const Output& output) {
  return report.labels.size() == element_count(output.tensor.descriptor.shape);
}

/// The number of an output's greatest elements to show.
std::size_t ranked_count(const RunReport& report, const Output& output) {
  return report.labels.empty() || has_labels(report, output) ? report.top : 0;
}

/// Infinities as among values; NaN, which is the statistic of no numbers, as null.
Json statistic_json(double value) { return std::isinf(value) ? Json(Number(value).text()) : Json(value); }

void print_best(std::ostream& out, const RunReport& report, const Output& output) {
  for (const Ranked& ranked : best_elements(output.tensor, report.top)) {
    char line[64];
    std::snprintf(line, sizeof line, "  %8.4f  %6zu", ranked.value, ranked.index);
    out << line;
    if (!report.labels.empty()) out << "  " << escaped(report.labels[ranked.index]);
    out << "\n";
  }
}

}  // namespace

void print_run_text(std::ostream& out, const RunReport& report) {
  for (const Output& output : report.outputs) {
    const OperandDescriptor& descriptor = output.tensor.descriptor;
    out << escaped(output.name) << ": " << descriptor.text() << "\n";
    if (ranked_count(report, output) != 0) {
      print_best(out, report, output);
      if (!report.values) continue;
    }
    const Statistics statistics = statistics_of(output.tensor);
    char line[128];
    std::snprintf(line, sizeof line, "  min %.6g  max %.6g  mean %.6g", statistics.min, statistics.max,
                  statistics.mean);
    out << line << "  NaN " << statistics.nan_count << "  infinite " << statistics.infinity_count << "\n"
        << "  [" << first_values(output.tensor, report.values ? element_count(descriptor.shape) : 8) << "]\n";
  }
}

void print_run_json(std::ostream& out, const RunReport& report) {
  Json list = Json::array();
  for (const Output& output : report.outputs) {
    const Statistics statistics = statistics_of(output.tensor);
    Json json = descriptor_json(output.name, output.tensor.descriptor);
    json.update({{"min", statistic_json(statistics.min)},
                 {"max", statistic_json(statistics.max)},
                 {"mean", statistic_json(statistics.mean)},
                 {"nanCount", statistics.nan_count},
                 {"infinityCount", statistics.infinity_count}});
    if (ranked_count(report, output) != 0) json["top"] = Json::array();
    for (const Ranked& ranked : best_elements(output.tensor, ranked_count(report, output))) {
      Json entry{{"index", ranked.index}, {"value", statistic_json(ranked.value)}};
      if (has_labels(report, output)) entry["label"] = report.labels[ranked.index];
      json["top"].push_back(std::move(entry));
    }
    if (report.values) json["values"] = values_json(output.tensor);
    list.push_back(std::move(json));
  }
  Json json{{"schema", "webnn-cli/run/1"}, {"outputs", std::move(list)}};
  if (!report.runs.empty()) json["runMilliseconds"] = report.runs;
  out << json.dump() << "\n";
}

std::string runs_text(const std::vector<double>& milliseconds) {
  const auto text = [](double time) { return time_text(time * 1e6); };
  const std::vector<double> others(milliseconds.begin() + 1, milliseconds.end());
  const auto [least, most] = std::ranges::minmax(others);
  return counted(milliseconds.size(), "run") + ": the first " + text(milliseconds[0]) + ", the others " + text(least) +
         " .. " + text(most) + ", median " + text(median_of(others));
}

}  // namespace webnn::cli
