#include "tests/docs/page.hpp"

#include <fnmatch.h>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace webnn::tests {
namespace {

constexpr std::string_view fence = "```", file_mark = "<!-- file: ", mark_end = " -->";

/// A pattern of fnmatch for a line in which only `...` stands for something else.
std::string pattern_of(std::string_view line) {
  std::string pattern;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line.substr(at).starts_with("...")) {
      pattern += '*';
      at += 2;
    } else {
      if (std::string_view("*?[\\").find(line[at]) != std::string_view::npos) pattern += '\\';
      pattern += line[at];
    }
  }
  return pattern;
}

}  // namespace

std::vector<PageBlock> blocks_of(std::string_view page) {
  std::vector<PageBlock> blocks;
  std::istringstream lines{std::string(page)};
  std::string file_name;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.starts_with(file_mark) && line.ends_with(mark_end))
      file_name = line.substr(file_mark.size(), line.size() - file_mark.size() - mark_end.size());
    if (!line.starts_with(fence)) continue;
    const std::string language = line.substr(fence.size());
    PageBlock block;
    block.line = number + 1;
    block.name = std::exchange(file_name, {});
    if (!block.name.empty())
      block.kind = PageBlock::Kind::file;
    else if (language == "text" && !blocks.empty() && blocks.back().kind == PageBlock::Kind::commands)
      block.kind = PageBlock::Kind::printed;
    else if (language != "sh")
      throw std::runtime_error("line " + std::to_string(number) +
                               ": a block that is neither a file, nor commands, nor "
                               "what commands print");
    for (; std::getline(lines, line) && line != fence; ++number) block.content += line + "\n";
    ++number;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::string missing_line(std::string_view expected, std::string_view output) {
  std::istringstream wanted{std::string(expected)}, printed{std::string(output)};
  for (std::string line; std::getline(wanted, line);) {
    if (line == "...") continue;
    const std::string pattern = pattern_of(line);
    bool found = false;
    for (std::string candidate; !found && std::getline(printed, candidate);)
      found = fnmatch(pattern.c_str(), candidate.c_str(), 0) == 0;
    if (!found) return line;
  }
  return {};
}

}  // namespace webnn::tests
