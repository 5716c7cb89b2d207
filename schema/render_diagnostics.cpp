#include "schema/render_diagnostics.hpp"

#include <algorithm>
#include <cstdint>

#include "schema/text.hpp"

namespace webnn::schema {
namespace {

constexpr std::size_t longest_line = 100;  // bytes shown of a source line; minified files have one line only

std::string_view line_of(std::string_view source, std::uint32_t line) {
  for (; line > 1; --line) {
    const std::size_t end = source.find('\n');
    if (end == source.npos) return {};
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find('\n'));
  if (source.ends_with('\r')) source.remove_suffix(1);
  return source;
}

bool within_character(char c) { return (std::uint8_t(c) & 0xc0u) == 0x80u; }

std::size_t displayed_width(std::string_view text) {
  return text.size() - std::size_t(std::count_if(text.begin(), text.end(), within_character));
}

std::string spaced(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '\t', ' ');
  return escaped(result);
}

/// The source line with a caret under `column`; of a long line only the part around the column.
std::string caret_lines(std::string_view line, std::uint32_t column) {
  const std::size_t at = std::min<std::size_t>(column - 1, line.size());
  std::size_t begin = at > longest_line / 2 && line.size() > longest_line ? at - longest_line / 2 : 0;
  while (begin > 0 && begin < line.size() && within_character(line[begin])) --begin;
  if (begin == 0) {  // indentation is not needed here
    begin = std::min(line.find_first_not_of(" \t"), at);
  }
  std::size_t end = std::min(line.size(), begin + longest_line);
  while (end < line.size() && within_character(line[end])) ++end;
  const std::string before = spaced(line.substr(begin, at - begin));
  const std::string after = spaced(line.substr(at, end - at));
  return "    " + before + after + "\n    " + std::string(displayed_width(before), ' ') + "^\n";
}

}  // namespace

std::string_view Style::of(Severity severity) const {
  return severity == Severity::error ? error : severity == Severity::warning ? warning : note;
}

std::string render(const Diagnostic& diagnostic, std::string_view source, const Style& style) {
  const Location& place = diagnostic.location;
  const std::string end(style.end);
  std::string text;
  if (!place.file.empty()) text += escaped(place.file) + ":";
  if (place.line != 0) text += std::to_string(place.line) + ":" + std::to_string(place.column) + ":";
  if (!text.empty()) text = std::string(style.place) + text + end + ' ';
  text += std::string(style.of(diagnostic.severity)) + std::string(name_of(diagnostic.severity)) + "[" +
          row(diagnostic.code).text() + "]:" + end + " ";
  text += escaped(diagnostic.message);
  if (!place.path.empty()) text += " (" + escaped(place.path) + ")";
  text += '\n';
  if (place.line != 0 && place.column != 0)
    if (const std::string_view line = line_of(source, place.line); !line.empty())
      text += caret_lines(line, place.column);
  for (const std::string& hint : diagnostic.hints)
    text += "  " + std::string(style.hint) + "hint:" + end + " " + escaped(hint) + "\n";
  return text;
}

std::string render(const Diagnostic& diagnostic, const Diagnostics& diagnostics, const SourceText& source,
                   const Style& style) {
  std::string_view text = source ? source(diagnostic.location.file) : std::string_view{};
  if (text.empty()) text = diagnostics.source(diagnostic.location.file);
  return render(diagnostic, text, style);
}

std::string render(const Diagnostics& diagnostics, const SourceText& source) {
  constexpr std::size_t most_told = 100;  // each is looked for in the file
  const std::size_t count = diagnostics.all().size();
  std::string text;
  for (std::size_t i = 0; i < std::min(count, most_told); ++i)
    text += render(diagnostics.all()[i], diagnostics, source);
  return count > most_told ? text + "... and " + std::to_string(count - most_told) + " more\n" : text;
}

}  // namespace webnn::schema
