#include "tests/harness/specification.hpp"

#include <set>
#include <sstream>
#include <string>

#include "tests/harness/paths.hpp"

namespace webnn::tests {

bool is_specified(std::string_view op) {
  static const auto words = [] {
    std::istringstream lines(read_file(source_dir() / "tests/javascript/signatures.txt"));
    std::set<std::string, std::less<>> found;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with('#')) continue;
      std::istringstream names(line.substr(line.find(':') + 1));  // of all the line if it has no colon
      for (std::string name; names >> name;) found.insert(name);
    }
    return found;
  }();
  return words.contains(op);
}

}  // namespace webnn::tests
