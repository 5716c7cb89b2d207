#include "cli/output/run_report.hpp"

#include <algorithm>
#include <cstdio>
#include <iomanip>
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

/// NaN, which is the statistic of no numbers, as null.
Json statistic_json(const Number& value) { return value.is_nan() ? Json() : number_json(value); }

/// An integer exactly, another number with `digits` significant digits.
std::string short_text(const Number& value, int digits) {
  if (value.is_nan()) return "nan";  // printf has "-nan", too
  if (value.kind() != Number::Kind::real) return value.text();
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value.as_double());
  return text;
}

void print_best(std::ostream& out, const RunReport& report, const Output& output, std::size_t nan_count) {
  std::vector<std::pair<std::string, Ranked>> lines;
  std::size_t width = 8;
  for (const Ranked& ranked : best_elements(output.tensor, report.top)) {
    lines.emplace_back(short_text(ranked.value, 4), ranked);
    width = std::max(width, lines.back().first.size());
  }
  for (const auto& [value, ranked] : lines) {
    out << "  " << std::setw(int(width)) << value << "  " << std::setw(6) << ranked.index;
    if (!report.labels.empty()) out << "  " << escaped(report.labels[ranked.index]);
    out << "\n";
  }
  if (nan_count != 0) out << "  and NaN, which has no rank: " << nan_count << "\n";
}

}  // namespace

void print_run_text(std::ostream& out, const RunReport& report) {
  for (const Output& output : report.outputs) {
    const OperandDescriptor& descriptor = output.tensor.descriptor;
    out << escaped(output.name) << ": " << descriptor.text() << "\n";
    const Statistics statistics = statistics_of(output.tensor);
    if (ranked_count(report, output) != 0) {
      print_best(out, report, output, statistics.nan_count);
      if (!report.values) continue;
    }
    out << "  min " << short_text(statistics.min, 6) << "  max " << short_text(statistics.max, 6) << "  mean "
        << short_text(statistics.mean, 6) << "  NaN " << statistics.nan_count << "  infinite "
        << statistics.infinity_count << "\n"
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
