#include "compiler/frontend/format.hpp"

#include <algorithm>

namespace webnn::compiler {

Formats frontend_formats() {
#define FORMAT(name) &name##_format,
#define TOOL_FORMAT(name)
  static constexpr const Format* table[] = {
#include "compiler/frontend/formats.def"
  };
#undef TOOL_FORMAT
#undef FORMAT
  return table;
}

const Format* format_named(Formats formats, std::string_view name) {
  const auto found = std::ranges::find(formats, name, &Format::name);
  return found == formats.end() ? nullptr : *found;
}

bool is_of_format(const Format& format, std::string_view content) {
  return format.begins && format.begins(content) && (!format.mark || format.mark(content) == format.marked);
}

const Format* recognise(Formats formats, std::string_view content) {
  decltype(Format::mark) asked = nullptr;  // once for all formats that have the same: it may read the whole file
  std::string mark;
  for (const Format* format : formats) {
    if (!format->begins || !format->begins(content)) continue;
    if (!format->mark) return format;
    if (format->mark != asked) mark = (asked = format->mark)(content);
    if (mark == format->marked) return format;
  }
  return nullptr;
}

const Format* format_to_read(Formats formats, std::string_view content) {
  for (const Format* format : formats)
    if (format->read && format->begins && format->begins(content)) return format;
  return nullptr;
}

std::vector<const Format*> read_formats(Formats formats) {
  std::vector<const Format*> found;
  std::ranges::copy_if(formats, std::back_inserter(found), [](const Format* format) { return format->read; });
  return found;
}

std::vector<const Format*> written_formats(Formats formats) {
  std::vector<const Format*> found;
  std::ranges::copy_if(formats, std::back_inserter(found), [](const Format* format) { return format->write; });
  return found;
}

bool is_graph_suffix(Formats formats, std::string_view suffix) {
  return std::ranges::any_of(formats, [&](const Format* format) {
    return format->holds == Holds::graph && format->read && format->suffix == suffix;
  });
}

std::string_view text_start(std::string_view content) {
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  for (;;) {
    content.remove_prefix(std::min(content.find_first_not_of(" \t\r\n"), content.size()));
    if (!content.starts_with('#')) return content;
    content.remove_prefix(std::min(content.find('\n'), content.size()));
  }
}

}  // namespace webnn::compiler
