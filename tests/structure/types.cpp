// Every type has a name of its own in its namespace. Two with one name in different files compile and link, and then the
// linker keeps one destructor for both: no tool that we have says so.
#include <doctest/doctest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/structure/sources.hpp"

namespace webnn::tests::types_test {
namespace {

/// The types that a file defines outside of functions, classes and anonymous namespaces, with their namespaces.
std::set<std::string> types_of(const std::string& text) {
  static const std::regex opening(R"(^namespace ([\w:]*) ?\{.*)");
  static const std::regex type(R"(^(?:struct|class|enum class)(?: WEBNN_API)? (\w+)(?: final)?(?: :[^:].*)? \{.*)");
  std::vector<std::string> spaces;
  std::set<std::string> types;
  for (const std::string& line : lines_of(text)) {
    std::smatch match;
    if (line.starts_with("}  // namespace") && !spaces.empty()) spaces.pop_back();
    if (std::regex_match(line, match, opening)) spaces.push_back(match[1]);
    if (!std::regex_match(line, match, type)) continue;
    std::string name;
    bool is_local = false;
    for (const std::string& space : spaces) {
      is_local = is_local || space.empty();
      name += space + "::";
    }
    if (!is_local) types.insert(name + match[1].str());
  }
  return types;
}

}  // namespace

TEST_CASE("structure: no two files define a type of one name in one namespace") {
  std::map<std::string, std::string> places;
  for (const SourceFile& file : source_files({".hpp", ".cpp"})) {
    if (file.path.starts_with("examples/") || file.path.starts_with("api/examples/"))
      continue;  // programs of their own
    for (const std::string& type : types_of(file.text)) {
      const auto [at, is_new] = places.emplace(type, file.path);
      CHECK_MESSAGE(is_new, type << " is defined in " << at->second << " and in " << file.path);
    }
  }
  CHECK(places.size() > 500);
  CHECK(types_of("namespace a {\nnamespace {\nstruct B {\n};\n}  // namespace\nclass C final : public D {\n};\n"
                 "}  // namespace a\n") == std::set<std::string>{"a::C"});
}

}  // namespace webnn::tests::types_test
