// A page of docs/ as a test reads it: files that it shows, commands, and what they print.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace webnn::tests {

struct PageBlock {
  enum class Kind {
    file,      // below "<!-- file: NAME -->": written before the commands that follow
    commands,  // of language `sh`: run in bash, in one folder for the whole page
    printed,   // of language `text`, after commands: each line is printed, in this order; `...` stands for anything
  };
  Kind kind = Kind::commands;
  std::string name;  // of a file
  std::string content;
  std::size_t line = 0;  // in the page, of the block's first
};

/// The blocks of code in a page of Markdown. Throws std::runtime_error for one that is none of the three kinds.
std::vector<PageBlock> blocks_of(std::string_view page);

/// The first line of `expected` that `output` lacks; empty: none.
std::string missing_line(std::string_view expected, std::string_view output);

}  // namespace webnn::tests
