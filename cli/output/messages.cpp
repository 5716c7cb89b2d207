#include "cli/output/messages.hpp"

#include <algorithm>
#include <ostream>
#include <set>
#include <vector>

#include "cli/json/json.hpp"
#include "cli/output/percent_encoding.hpp"
#include "schema/text.hpp"
#include "schema/version.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

Json diagnostic_json(const Diagnostic& diagnostic) {
  const Location& at = diagnostic.location;
  return {{"code", row(diagnostic.code).text()},
          {"severity", name_of(diagnostic.severity)},
          {"file", at.file},
          {"line", at.line},
          {"column", at.column},
          {"path", at.path},
          {"message", diagnostic.message},
          {"hints", diagnostic.hints}};
}

Json diagnostics_json(const Diagnostics& diagnostics) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.all()) list.push_back(diagnostic_json(diagnostic));
  return list;
}

/// A value of a GitHub workflow command.
std::string github_escaped(std::string_view text, bool property) {
  std::string result;
  for (const char c : text) {
    if (c == '%')
      result += "%25";
    else if (c == '\n')
      result += "%0A";
    else if (c == '\r')
      result += "%0D";
    else if (property && c == ',')
      result += "%2C";
    else if (property && c == ':')
      result += "%3A";
    else
      result += c;
  }
  return result;
}

/// GitHub takes files of 10 MB with at most 25,000 results, and shows 5,000 of them.
constexpr std::size_t most_sarif_results = 5000;

Json sarif_result(const Diagnostic& diagnostic) {
  const Location& at = diagnostic.location;
  constexpr std::string_view plain_in_uri = "-._~/!$&'()*+,;=@";  // RFC 3986
  Json physical{{"artifactLocation", {{"uri", percent_encoded(at.file, plain_in_uri)}}}};
  if (at.line != 0) physical["region"] = {{"startLine", at.line}, {"startColumn", std::max(at.column, 1u)}};
  Json location{{"physicalLocation", physical}};
  if (!at.path.empty()) location["logicalLocations"] = {{{"fullyQualifiedName", at.path}}};
  std::string message = diagnostic.message;
  for (const std::string& hint : diagnostic.hints) message += "; " + hint;
  return {{"ruleId", row(diagnostic.code).text()},
          {"level", name_of(diagnostic.severity)},
          {"message", {{"text", message}}},
          {"locations", Json::array({location})}};
}

}  // namespace

void print_text_report(std::ostream& out, const Diagnostics& diagnostics, const SourceText& source,
                       const Style& style) {
  std::size_t printed = 0;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (printed++ == most_printed) break;
    out << render(diagnostic, diagnostics, source, style);
  }
  if (diagnostics.all().size() > most_printed)
    out << "... and " << diagnostics.all().size() - most_printed << " more; --output-format json prints all\n";
}

void print_json_report(std::ostream& out, const Diagnostics& diagnostics, const Json* files) {
  Json report{{"schema", "webnn-cli/diagnostics/1"}};
  if (files) report["files"] = *files;
  report["diagnostics"] = diagnostics_json(diagnostics);
  out << report.dump() << "\n";
}

void print_github_report(std::ostream& out, const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    const Location& at = diagnostic.location;
    const std::string_view level = diagnostic.severity == Severity::note ? "notice" : name_of(diagnostic.severity);
    out << "::" << level << " file=" << github_escaped(at.file, true);
    if (at.line != 0) out << ",line=" << at.line << ",col=" << at.column;
    out << ",title=" << row(diagnostic.code).text() << "::" << github_escaped(escaped(diagnostic.message), false);
    for (const std::string& hint : diagnostic.hints) out << "%0Ahint: " << github_escaped(escaped(hint), false);
    out << "\n";
  }
}

void print_sarif_report(std::ostream& out, const Diagnostics& diagnostics) {
  std::vector<const Diagnostic*> kept;
  for (const Diagnostic& diagnostic : diagnostics.all()) kept.push_back(&diagnostic);
  const std::size_t all = kept.size();
  if (all > most_sarif_results) {
    std::ranges::stable_sort(kept, {}, [](const Diagnostic* one) { return one->severity != Severity::error; });
    kept.resize(most_sarif_results);
  }
  Json rules = Json::array(), results = Json::array();
  std::set<Code> seen;
  for (const Diagnostic* diagnostic : kept) {
    const DiagnosticCode& code = row(diagnostic->code);
    if (seen.insert(diagnostic->code).second)
      rules.push_back({{"id", code.text()}, {"name", code.title}, {"fullDescription", {{"text", code.explanation}}}});
    results.push_back(sarif_result(*diagnostic));
  }
  const Json driver{{"name", "webnn-cli"}, {"version", version}, {"rules", std::move(rules)}};
  Json run{{"tool", {{"driver", driver}}}, {"results", std::move(results)}};
  if (all > kept.size()) {
    const std::string left_out = std::to_string(all - kept.size()) + " of " + std::to_string(all) +
                                 " results are left out; --output-format json has all";
    const Json notification{{"level", "warning"}, {"message", {{"text", left_out}}}};
    run["invocations"] =
        Json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", Json::array({notification})}}});
  }
  out << Json{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
              {"version", "2.1.0"},
              {"runs", Json::array({run})}}
             .dump()
      << "\n";
}

void print_report(std::ostream& out, std::ostream& err, std::string_view format, const Diagnostics& diagnostics,
                  const SourceText& source) {
  if (format == "json")
    print_json_report(out, diagnostics);
  else if (format == "github")
    print_github_report(out, diagnostics);
  else if (format == "sarif")
    print_sarif_report(out, diagnostics);
  else
    print_text_report(err, diagnostics, source);
}

void note_fallback(Console& console, std::span<const std::string_view> operators) {
  std::string names;
  for (const std::string_view name : operators) names += (names.empty() ? "" : ", ") + std::string(name);
  if (!names.empty()) remark(console, Severity::note, "on the CPU, because the GPU has no kernel for them: " + names);
}

void report_diagnostics(Console& console, const Diagnostics& diagnostics, const SourceText& source) {
  if (!console.messages) return print_text_report(console.err, diagnostics, source, style_of(console));
  for (const Diagnostic& diagnostic : diagnostics.all()) console.messages->diagnostics.add(diagnostic);
}

void report_error(Console& console, ErrorMessage error) {
  if (console.messages) {
    console.messages->errors.push_back(std::move(error));
    return;
  }
  const Style style = style_of(console);
  console.err << style.error << "webnn-cli:" << style.end << " " << error.message << "\n";
  for (const std::string& hint : error.hints) console.err << style.hint << "hint:" << style.end << " " << hint << "\n";
}

Style style_of(const Console& console) { return console.has_colors ? terminal_style : Style{}; }

void remark(Console& console, Severity severity, const std::string& message) {
  if (!console.remarked.insert(message).second) return;
  if (console.messages) {
    console.messages->remarks.push_back({severity, message});
    return;
  }
  const Style style = style_of(console);
  console.err << style.of(severity) << name_of(severity) << ":" << style.end << " " << escaped(message) << "\n";
}

void inform(Console& console, const std::string& message) {
  if (console.messages)
    remark(console, Severity::note, message);
  else
    console.err << escaped(message) << "\n";
}

void detail(Console& console, const std::string& message) {
  if (console.is_verbose) remark(console, Severity::note, message);
}

ErrorMessage message_of(const Error& error) {
  ErrorMessage message{error.what(), {}};
  if (!error.hint().empty()) message.hints.push_back(error.hint());
  return message;
}

std::string messages_json(const Messages& messages, int exit_code) {
  Json errors = Json::array();
  for (const ErrorMessage& error : messages.errors)
    errors.push_back({{"message", error.message}, {"hints", error.hints}});
  Json remarks = Json::array();
  for (const Remark& remark : messages.remarks)
    remarks.push_back({{"severity", name_of(remark.severity)}, {"message", remark.message}});
  return Json{{"schema", "webnn-cli/messages/1"},
              {"exitCode", exit_code},
              {"errors", std::move(errors)},
              {"remarks", std::move(remarks)},
              {"diagnostics", diagnostics_json(messages.diagnostics)}}
             .dump() +
         "\n";
}

void finish_report(Console& console, int exit_code) {
  if (!console.messages) return;
  const Messages& said = *console.messages;
  if (!said.errors.empty() || !said.remarks.empty() || !said.diagnostics.all().empty())
    console.err << messages_json(said, exit_code);
  console.messages.reset();
}

}  // namespace webnn::cli
