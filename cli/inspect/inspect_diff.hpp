// The differences between two graphs or two programs: each is turned into a list of named parts with facts about them,
// and the lists are compared.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/output/console.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// A node, a constant, an input, ... The name is unique among parts of the same kind.
struct Part {
  std::string kind, name;
  std::vector<std::pair<std::string, std::string>> facts;
};

/// `with_content` includes the contents of constants.
std::vector<Part> parts_of(const compiler::Graph& graph, bool with_content);
std::vector<Part> parts_of(const schema::Program& program);

struct Difference {
  enum class Change : std::uint8_t { changed, only_first, only_second };
  struct Fact {
    std::string name, first, second;  // empty: not present on this side
  };
  Change change = Change::changed;
  std::string kind, name;
  std::vector<Fact> facts;  // that differ
};

/// In the order of the first list, followed by parts that only the second one has. For lists that differ in nothing
/// else, tells where their order differs.
std::vector<Difference> differences_of(const std::vector<Part>& first, const std::vector<Part>& second);

/// Prints the differences, as text or JSON, and whether contents of constants were compared. Success when there are
/// none, otherwise `negative`.
schema::ExitCode print_differences(Console& console, bool json, const std::string& first, const std::string& second,
                                   const std::vector<Difference>& differences, bool with_content);

}  // namespace webnn::cli
