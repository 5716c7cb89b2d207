#include "tests/harness/graph_text.hpp"

#include <stdexcept>
#include <utility>

#include "compiler/ir/parse.hpp"
#include "schema/render_diagnostics.hpp"

namespace webnn::tests {

compiler::Graph parsed(std::string_view text) {
  schema::Diagnostics diagnostics;
  auto graph = compiler::parse(text, {}, diagnostics);
  // No check of doctest: fuzz targets, which have no test case, parse graphs as well.
  if (!graph || !diagnostics.all().empty()) throw std::runtime_error("a test's graph: " + render(diagnostics));
  return std::move(*graph);
}

compiler::Graph graph_of(const std::string& lines) { return parsed("graph \"g\" {\n" + lines + "}\n"); }

}  // namespace webnn::tests
