#include "cli/drawing/markup.hpp"

#include <cstdio>

#include "schema/text.hpp"

namespace webnn::cli {

std::string markup_text(std::string_view text) {
  std::string result;
  for (const char c : schema::escaped(text)) {
    if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '"')
      result += "&quot;";
    else if (c == '\'')
      result += "&#39;";
    else
      result += c;
  }
  return result;
}

std::string script_json(std::string json) {
  std::string result;
  for (const char c : json) result += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return result;
}

std::string coordinate(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string result = text;
  while (result.ends_with('0')) result.pop_back();
  if (result.ends_with('.')) result.pop_back();
  return result == "-0" ? "0" : result;
}

}  // namespace webnn::cli
