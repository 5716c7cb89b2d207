// `webnn-cli explain CODE`: what a diagnostic means and what to do about it.
#include <memory>

#include "cli/command.hpp"
#include "schema/diagnostics.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

/// Breaks a paragraph into lines of at most 80 bytes.
void print_wrapped(std::ostream& out, std::string_view text) {
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column != 0 && column + 1 + word.size() > 80) {
      out << "\n";
      column = 0;
    }
    if (column != 0) out << ' ';
    out << word;
    column += word.size() + (column != 0 ? 1 : 0);
  }
  out << "\n";
}

}  // namespace

Action declare_explain(OptionList& list) {
  auto code = std::make_shared<std::string>();
  list.add("code", *code, "a diagnostic's code, like WNN0101; without one, all are listed");
  return [code](Console& console) {
    if (code->empty()) {
      for (std::size_t i = 0; i < diagnostic_code_count; ++i) {
        const DiagnosticCode& known = row(Code(i));
        console.out << known.text() << "  " << known.title << "\n";
      }
      return ExitCode::success;
    }
    const auto found = find_diagnostic_code(*code);
    if (!found)
      throw Error(ExitCode::usage, "no diagnostic has the code " + in_quotes(*code),
                  "`webnn-cli explain` lists all codes");
    console.out << row(*found).text() << ": " << row(*found).title << "\n\n";
    print_wrapped(console.out, row(*found).explanation);
    return ExitCode::success;
  };
}

}  // namespace webnn::cli
