// The HTML report of a profile.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "cli/drawing/markup.hpp"
#include "cli/drawing/page.hpp"
#include "cli/drawing/picture_of_graph.hpp"
#include "cli/measure/bench_result.hpp"
#include "cli/output/summary.hpp"
#include "cli/profile/profile_report.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

std::string number_text(double value, const char* form = "%.4g") {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

/// From white for zero to red for the hottest step.
std::string heat_colour(double share_of_hottest) {
  const double heat = std::sqrt(std::clamp(share_of_hottest, 0.0, 1.0));
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", 255, int(255 - 130 * heat), int(255 - 190 * heat));
  return text;
}

std::string key_of(std::size_t step) { return "s" + std::to_string(step); }

double hottest(const Profile& profile) {
  return profile.by_time.empty() ? 0 : profile.steps[profile.by_time[0]].nanoseconds;
}

std::string step_tooltip(const StepProfile& step) {
  return step.label + ": " + time_text(step.nanoseconds) + ", " + number_text(step.share * 100) + " % of the run, " +
         step.kernel + ", " + step.layout + (step.sources.empty() ? "" : "; from " + sources_text(step));
}

/// One box for each step.
GraphPicture picture_of_steps(const Profile& profile) {
  GraphPicture picture{profile.model, {}, {}, {}};
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    const StepProfile& step = profile.steps[i];
    const std::string colour = heat_colour(hottest(profile) > 0 ? step.nanoseconds / hottest(profile) : 0);
    PictureBox box{
        step.is_reorder,
        {{operators_text(step), number_text(step.share * 100, "%.1f %%"), step_tooltip(step), colour, key_of(i)}}};
    picture.boxes.push_back(std::move(box));
    for (const std::size_t to : profile.followers[i]) {
      picture.arrows.push_back({std::uint32_t(i), std::uint32_t(to)});
      picture.labels.emplace_back();
    }
  }
  return picture;
}

std::string summary(const Profile& profile) {
  const auto text = [](const std::string& part) { return markup_text(part); };
  std::string html = "<h1>" + text(profile.model) + "</h1>\n<p>" + text(profile.device) + ", " +
                     schema::counted(profile.threads, "thread") + ". A run takes <b>" +
                     time_text(profile.run_nanoseconds) + "</b>, of which its steps " +
                     number_text(profile.steps_nanoseconds / profile.run_nanoseconds * 100) + " %. Profiling costs " +
                     number_text(profile.overhead() * 100, "%+.2f") + " %.</p>\n<p class=\"note\">";
  for (const Phase& phase : profile.phases)
    if (!phase.is_pass) html += text(phase.name) + " " + time_text(phase.milliseconds * 1e6) + " &nbsp; ";
  return html + "</p>\n";
}

std::string table(const Profile& profile) {
  std::ostringstream html;
  html << "<h2>Steps</h2>\n<div class=\"scroll\"><table id=\"steps\"><thead><tr>";
  for (const char* title : {"step", "us", "%", "cum %", "GFLOP/s", "GB/s", "% of limit"})
    html << "<th>" << title << "</th>";
  for (const char* title : {"bound", "operators", "kernel", "layout", "from"})
    html << "<th class=\"text\">" << title << "</th>";
  html << "</tr></thead><tbody>\n";
  for (const std::size_t i : profile.by_time) {
    const StepProfile& step = profile.steps[i];
    const double seconds = step.nanoseconds * 1e-9;
    html << "<tr data-key=\"" << key_of(i) << "\">";
    for (const double value : {double(i), step.nanoseconds * 1e-3, step.share * 100, step.cumulative * 100,
                               seconds > 0 ? double(step.cost.flops) / seconds * 1e-9 : 0,
                               seconds > 0 ? double(step.cost.bytes) / seconds * 1e-9 : 0,
                               seconds > 0 ? step.limit_nanoseconds / step.nanoseconds * 100 : 0})
      html << "<td>" << number_text(value, value < 1000 ? "%.4g" : "%.0f") << "</td>";
    for (const std::string& word :
         {std::string(step.memory_bound ? "memory" : "compute"), operators_text(step), step.kernel,
          step.layout + (step.is_reorder ? " (reorder)" : ""), sources_text(step)})
      html << "<td class=\"text\">" << markup_text(word) << "</td>";
    html << "</tr>\n";
  }
  html << "</tbody></table></div>\n";
  return html.str();
}

/// A logarithmic axis.
struct Axis {
  double low, high, begin, end;
  double at(double value) const {
    const double share = (std::log10(std::max(value, low)) - std::log10(low)) / (std::log10(high) - std::log10(low));
    return begin + std::clamp(share, 0.0, 1.0) * (end - begin);
  }
};

std::string svg_text(double x, double y, const std::string& text, const char* anchor = "middle") {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" +
         markup_text(text) + "</text>";
}

std::string svg_line(double x1, double y1, double x2, double y2, const char* colour) {
  return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) + "\" y2=\"" +
         coordinate(y2) + "\" stroke=\"" + colour + "\"/>";
}

/// FLOP/s over FLOP per byte, with a roof for each measured bandwidth.
std::string roofline(const Profile& profile) {
  constexpr double width = 900, height = 420, left = 70, bottom = 380;
  const double peak = std::max(1.0, profile.limits.flops_per_second);
  const Axis x{0.01, 10000, left, width - 20}, y{peak * 1e-5, peak * 2, bottom, 20};
  std::ostringstream svg;
  svg << "<h2>Roofline</h2>\n<p class=\"note\">Each dot is a step, as large as its share of the run: what it computes "
         "for "
         "each byte that it touches, and how fast. The lines are what this machine reached with graphs made for "
         "it.</p>\n"
      << "<svg id=\"roofline\" width=\"" << width << "\" height=\"" << height
      << "\" font-size=\"11\" font-family=\"sans-serif\">";
  for (double value = x.low; value <= x.high * 1.01; value *= 10)
    svg << svg_line(x.at(value), bottom, x.at(value), 20, "#eee")
        << svg_text(x.at(value), bottom + 16, number_text(value));
  for (double value = std::pow(10, std::ceil(std::log10(y.low))); value <= y.high; value *= 10)
    svg << svg_line(left, y.at(value), width - 20, y.at(value), "#eee")
        << svg_text(left - 6, y.at(value) + 4, number_text(value * 1e-9), "end");
  svg << svg_text(width / 2, height - 6, "FLOP for each byte") << svg_text(4, 14, "GFLOP/s", "start");
  for (const auto& [bytes, speed] : profile.limits.bandwidth) {
    const double ridge = peak / speed;
    svg << svg_line(x.at(x.low), y.at(x.low * speed), x.at(ridge), y.at(peak), "#47a")
        << svg_text(x.at(x.low) + 4, y.at(x.low * speed) - 4,
                    number_text(speed * 1e-9, "%.3g") + " GB/s at " + size_text(std::uint64_t(bytes)), "start");
  }
  const double slowest = profile.limits.bandwidth.empty() ? peak : profile.limits.bandwidth.back().second;
  svg << svg_line(x.at(peak / slowest * 0.02), y.at(peak), width - 20, y.at(peak), "#a44")
      << svg_text(width - 24, y.at(peak) - 5, number_text(peak * 1e-9, "%.3g") + " GFLOP/s", "end");
  for (std::size_t i = 0; i < profile.steps.size(); ++i) {
    const StepProfile& step = profile.steps[i];
    if (step.cost.flops == 0 || step.cost.bytes == 0 || step.nanoseconds <= 0) continue;
    svg << "<circle class=\"line\" data-key=\"" << key_of(i) << "\" cx=\""
        << coordinate(x.at(double(step.cost.flops) / double(step.cost.bytes))) << "\" cy=\""
        << coordinate(y.at(double(step.cost.flops) / step.nanoseconds * 1e9)) << "\" r=\""
        << coordinate(3 + 18 * std::sqrt(step.share))
        << "\" fill=\"#e08030\" fill-opacity=\"0.55\" stroke=\"#803000\"><title>" << markup_text(step_tooltip(step))
        << "</title></circle>";
  }
  svg << "</svg>\n";
  return svg.str();
}

/// Which bytes of the arena are in use during which steps.
std::string memory_plan(const Profile& profile) {
  constexpr double width = 1100, height = 360, left = 80, bottom = 330;
  const double steps = std::max<double>(1, double(profile.steps.size()));
  const double bytes = std::max<double>(1, double(profile.arena_bytes));
  const auto x = [&](double step) { return left + (width - left - 10) * step / steps; };
  const auto y = [&](double offset) { return bottom - (bottom - 10) * offset / bytes; };
  constexpr std::array colours{"#8fb8de", "#b9d6a3", "#e6c88a", "#d9a3c1", "#a9a6d6", "#8fcfc5"};
  std::ostringstream svg;
  svg << "<h2>Memory plan</h2>\n<p class=\"note\">The arena of " << size_text(profile.arena_bytes)
      << " over the steps; each box is a value, as high as its bytes.</p>\n<svg id=\"memory\" width=\"" << width
      << "\" height=\"" << height << "\" font-size=\"11\" font-family=\"sans-serif\">"
      << svg_line(left, bottom, width - 10, bottom, "#999") << svg_line(left, bottom, left, 10, "#999")
      << svg_text(left - 6, y(bytes) + 8, size_text(profile.arena_bytes), "end")
      << svg_text(left - 6, bottom, "0", "end")
      << svg_text(width / 2, height - 8, "step 0 to " + std::to_string(profile.steps.size()));
  for (std::size_t i = 0; i < profile.arena.size(); ++i) {
    const ArenaUse& use = profile.arena[i];
    svg << "<rect x=\"" << coordinate(x(double(use.first_step))) << "\" y=\""
        << coordinate(y(double(use.offset + use.bytes))) << "\" width=\""
        << coordinate(std::max(1.0, x(double(use.last_step + 1)) - x(double(use.first_step)))) << "\" height=\""
        << coordinate(std::max(0.5, y(double(use.offset)) - y(double(use.offset + use.bytes)))) << "\" fill=\""
        << colours[i % colours.size()] << "\" stroke=\"#666\" stroke-width=\"0.4\"><title>"
        << markup_text(use.name + ": " + size_text(use.bytes) + " at " + std::to_string(use.offset) + ", steps " +
                       std::to_string(use.first_step) + " to " + std::to_string(use.last_step))
        << "</title></rect>";
  }
  svg << "</svg>\n";
  return svg.str();
}

std::string passes(const Profile& profile) {
  std::string html = "<h2>Passes of the compiler</h2>\n<table><tbody>\n";
  bool any = false;
  for (const Phase& phase : profile.phases) {
    if (!phase.is_pass) continue;
    any = true;
    html += "<tr><td class=\"text\">" + markup_text(phase.name) + "</td><td>" +
            number_text(phase.milliseconds, "%.3f") + " ms</td></tr>\n";
  }
  return any ? html + "</tbody></table>\n" : std::string();
}

constexpr std::string_view table_script = R"JS(
const body = document.querySelector('#steps tbody');
document.querySelectorAll('#steps th').forEach((title, column) => {
  let falling = true;
  title.addEventListener('click', () => {
    const value = row => {
      const text = row.cells[column].textContent, number = Number(text);
      return Number.isNaN(number) ? text : number;
    };
    const rows = [...body.rows].sort((a, b) => value(a) < value(b) ? 1 : value(a) > value(b) ? -1 : 0);
    if (!falling) rows.reverse();
    falling = !falling;
    body.append(...rows);
  });
});
for (const row of body.rows) row.addEventListener('click', () => mark(row.dataset.key, true));
)JS";

}  // namespace

std::string profile_page(const Profile& profile) {
  const std::string body =
      summary(profile) +
      "<h2>Steps as a graph</h2>\n<p class=\"note\">The redder, the longer. Drag to move, wheel to "
      "zoom, click to mark; rounded boxes are reorders. <input class=\"find\" type=\"search\" "
      "placeholder=\"find an operator\"></p>\n<div class=\"viewport\">\n" +
      svg_of(picture_of_steps(profile)) + "</div>\n" + table(profile) + roofline(profile) + memory_plan(profile) +
      passes(profile);
  return html_page(profile.model + ", profile", body, std::string(viewport_script()) + std::string(table_script));
}

}  // namespace webnn::cli
