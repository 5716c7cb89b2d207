#include "tests/harness/graph_text.hpp"

#include <doctest/doctest.h>
#include <utility>

#include "compiler/ir/parse.hpp"

namespace webnn::tests {

compiler::Graph parsed(std::string_view text) {
  schema::Diagnostics diagnostics;
  auto graph = compiler::parse(text, {}, diagnostics);
  for (const schema::Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
  REQUIRE(graph);
  return std::move(*graph);
}

compiler::Graph graph_of(const std::string& lines) { return parsed("graph \"g\" {\n" + lines + "}\n"); }

}  // namespace webnn::tests
