// What differs between two graphs, or between two programs: each is a list of named parts with facts about them, and
// lists are compared.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/output/console.hpp"
#include "compiler/ir/graph.hpp"
#include "schema/error.hpp"
#include "schema/program.hpp"

namespace webnn::cli {

/// A node, a constant, an input, ... The name tells it from others of its kind.
struct Part {
  std::string kind, name;
  std::vector<std::pair<std::string, std::string>> facts;
};

/// `with_content`: also what constants hold.
std::vector<Part> parts_of(const compiler::Graph& graph, bool with_content);
std::vector<Part> parts_of(const schema::Program& program);

struct Difference {
  enum class Change : std::uint8_t { changed, only_first, only_second };
  struct Fact {
    std::string name, first, second;  // empty: this side has none
  };
  Change change = Change::changed;
  std::string kind, name;
  std::vector<Fact> facts;  // those that differ
};

/// In the order of the first list, then what only the second one has. Of lists that differ in nothing else, where their
/// order does.
std::vector<Difference> differences_of(const std::vector<Part>& first, const std::vector<Part>& second);

/// Prints them, as text or JSON, and whether what constants hold was compared. Success when there are none, else
/// `negative`.
schema::ExitCode print_differences(Console& console, bool json, const std::string& first, const std::string& second,
                                   const std::vector<Difference>& differences, bool with_content);

}  // namespace webnn::cli
