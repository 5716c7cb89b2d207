// Tables of every README: a formatter that breaks lines tears them apart, and a renderer shows what is left of them
// without a word.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/harness/paths.hpp"
#include "tests/structure/sources.hpp"

namespace webnn::tests::tables_test {
namespace {

/// Cells of a row of a Markdown table: what stands between bars that neither a backslash nor a code span takes away.
std::size_t cells_of(const std::string& line) {
  std::size_t bars = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else
      bars += line[i] == '|';
  }
  return bars - 1;
}

bool is_row(const std::string& line) { return line.starts_with("|"); }

/// "| --- | ---: |"
bool is_rule(const std::string& line) {
  return is_row(line) && line.find_first_not_of("|-: ") == std::string::npos && line.find("---") != std::string::npos;
}

/// What is wrong with the tables of a page, one line each.
std::vector<std::string> torn_tables(const std::string& text) {
  std::vector<std::string> problems;
  const std::vector<std::string> lines = lines_of(text);
  bool in_code = false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].starts_with("```")) in_code = !in_code;
    if (in_code) continue;
    const auto at = [&] { return "line " + std::to_string(i + 1) + ": "; };
    const bool first = is_row(lines[i]) && (i == 0 || !is_row(lines[i - 1]));
    if (first && (i + 1 == lines.size() || !is_rule(lines[i + 1]))) problems.push_back(at() + "a table without a rule");
    if (is_row(lines[i]) && !lines[i].ends_with("|")) problems.push_back(at() + "a row that does not end with a bar");
    if (is_row(lines[i]) && !first && cells_of(lines[i]) != cells_of(lines[i - 1]))
      problems.push_back(at() + "another number of cells than the row above");
    if (!is_row(lines[i]) && i > 0 && is_row(lines[i - 1]) && !lines[i].empty())
      problems.push_back(at() + "text that hangs on a table");
  }
  return problems;
}

TEST_CASE("structure: the tables of every README are whole") {
  std::vector<SourceFile> pages = source_files({".md"});
  pages.push_back({"README.md", read_file(source_dir() / "README.md")});
  std::size_t rows = 0;
  for (const SourceFile& page : pages) {
    for (const std::string& problem : torn_tables(page.text)) FAIL_CHECK(page.path << ", " << problem);
    const std::vector<std::string> lines = lines_of(page.text);
    rows += std::size_t(std::ranges::count_if(lines, is_row));
  }
  CHECK(rows > 200);
}

TEST_CASE("structure: torn tables are noticed") {
  CHECK(torn_tables("| a | b |\n|---|---|\n| `x\\|y` | c |\n\ntext\n").empty());
  CHECK(torn_tables("| a | b |\n|---|---|\n| a \\| b | c |\n").empty());
  CHECK(torn_tables("| a | b |\n|---|---|\n| c | d that was\nbroken |\n").size() >= 2);
  CHECK(torn_tables("| a | b |\n|---|---|\n| c |\n").size() == 1);
  CHECK(torn_tables("| a | b | |---|---|\n").size() == 1);
}

struct CommentLine {
  std::size_t indent = 0;  // of the text behind the slashes
  std::string text;
};

/// Of a line that is nothing but a comment; no text for others.
CommentLine comment_of(const std::string& line) {
  const std::size_t slashes = line.find_first_not_of(' ');
  if (slashes == std::string::npos || line.compare(slashes, 2, "//") != 0) return {};
  const std::size_t begin = line.find_first_not_of("/ ", slashes);
  return begin == std::string::npos ? CommentLine{} : CommentLine{begin, line.substr(begin)};
}

/// Whether the third line is what a formatter leaves of a row with columns, or of an item of a list: one word alone, no
/// further right than the row begins, behind a row that was too long.
bool is_torn(const std::string& row_line, const std::string& word_line, const std::string& next_line) {
  const CommentLine row = comment_of(row_line), word = comment_of(word_line), next = comment_of(next_line);
  const bool is_row = row.text.starts_with("- ") || row.text.find("  ") != std::string::npos;
  const bool alone = !word.text.empty() && word.text.find(' ') == std::string::npos;
  return is_row && alone && !next.text.empty() && row_line.size() > 100 && word.indent == row.indent;
}

TEST_CASE("structure: comments with columns are whole") {
  std::size_t seen = 0;
  for (const SourceFile& file : source_files({".cpp", ".hpp", ".h", ".def"})) {
    const std::vector<std::string> lines = lines_of(file.text);
    for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
      CHECK_MESSAGE(!is_torn(lines[i - 1], lines[i], lines[i + 1]),
                    file.path << ", line " << i + 1 << ": a formatter has torn a row with columns");
      ++seen;
    }
  }
  CHECK(seen > 10000);
  const std::string row = "//   name   " + std::string(100, 'x');
  CHECK(is_torn(row, "//   the", "//          end of it"));
  CHECK_FALSE(is_torn(row, "//          the", "//          end of it"));
}

}  // namespace
}  // namespace webnn::tests::tables_test
