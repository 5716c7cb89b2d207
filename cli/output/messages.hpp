// Prints diagnostics: as text for people, and as JSON, GitHub annotations or SARIF for machines.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output/console.hpp"
#include "schema/diagnostics.hpp"
#include "schema/error.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::cli {

class Json;

/// The values of `--output-format` for diagnostics.
inline constexpr std::string_view report_formats[] = {"text", "json", "github", "sarif"};

/// The maximum number of diagnostics printed as text; a last line counts the rest.
inline constexpr std::size_t most_printed = 100;

void print_text_report(std::ostream& out, const schema::Diagnostics& diagnostics, const schema::SourceText& source,
                       const schema::Style& style = {});
/// {"schema": "webnn-cli/diagnostics/1", "files": [...], "diagnostics": [...]}; without "files" if there is no list.
void print_json_report(std::ostream& out, const schema::Diagnostics& diagnostics, const Json* files = nullptr);
/// One `::error file=..,line=..::message` line each.
void print_github_report(std::ostream& out, const schema::Diagnostics& diagnostics);
/// SARIF 2.1.0.
void print_sarif_report(std::ostream& out, const schema::Diagnostics& diagnostics);

/// Selects one of the above; text goes to `err`, the others to `out`.
void print_report(std::ostream& out, std::ostream& err, std::string_view format, const schema::Diagnostics& diagnostics,
                  const schema::SourceText& source = {});

// ---- messages besides the data: text on `console.err` at once, or with --output-format json one object at the end

void report_diagnostics(Console& console, const schema::Diagnostics& diagnostics, const schema::SourceText& source);
/// "webnn-cli: MESSAGE", and a line for each hint.
void report_error(Console& console, ErrorMessage error);
ErrorMessage message_of(const schema::Error& error);
/// {"schema": "webnn-cli/messages/1", "exitCode": 3, "errors": [{"message", "hints"}, ...],
///  "remarks": [{"severity", "message"}, ...], "diagnostics": [...]}
std::string messages_json(const Messages& messages, int exit_code);
/// "warning: MESSAGE" or "note: MESSAGE"; each is printed only once.
void remark(Console& console, schema::Severity severity, const std::string& message);
/// A line about what the command did, for example a file that it wrote; among remarks, it is a note.
void inform(Console& console, const std::string& message);
/// A note that only --verbose prints.
void detail(Console& console, const std::string& message);
/// The text style for `console.err`.
schema::Style style_of(const Console& console);
/// Names the operators that the CPU runs in a program for a GPU (schema/program.hpp: fallen_back), if there are any.
void note_fallback(Console& console, std::span<const std::string_view> operators);
/// Prints the collected messages, if any.
void finish_report(Console& console, int exit_code);

}  // namespace webnn::cli
