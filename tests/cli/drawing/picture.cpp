// Pictures of graphs: what shares a box, what is written, and whether a browser shows it.
#include <doctest/doctest.h>
#include <sstream>

#include "cli/drawing/markup.hpp"
#include "cli/drawing/page.hpp"
#include "cli/drawing/picture_of_graph.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/machine/browser.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::picture_test {
namespace {

using namespace webnn::cli;

constexpr std::string_view residual = R"(graph "residual" {
  %x = input float32[1, 8, 6, 6]
  %w = constant float32[8, 8, 3, 3] {0...}
  %c = conv2d(%x, %w) {padding=[1, 1, 1, 1]}
  %r = relu(%c)
  %s = sigmoid(%r)
  %sum = add(%s, %x)
  %t = tanh(%sum)
  output "t" = %t
}
)";

TEST_CASE("picture: operators without a branch between them share a box, weights are written into their line") {
  const GraphPicture picture = picture_of(parsed(residual));
  REQUIRE(picture.boxes.size() == 4);  // x, the chain to s, the sum with tanh, t
  CHECK(picture.boxes[0].is_rounded);
  const std::vector<PictureLine>& chain = picture.boxes[1].lines;
  REQUIRE(chain.size() == 3);
  CHECK(chain[0].text == "conv2d");
  CHECK(chain[0].detail == "8x8x3x3 -> 1x8x6x6");
  CHECK(chain[2].text == "sigmoid");
  CHECK(picture.boxes[2].lines.size() == 2);
  CHECK(picture.arrows.size() == 4);
  CHECK(picture.labels[0] == "1x8x6x6");
}

TEST_CASE("picture: a long chain is several boxes") {
  std::ostringstream text;
  text << "graph \"long\" {\n  %v0 = input float32[2]\n";
  for (int i = 1; i <= 30; ++i) text << "  %v" << i << " = relu(%v" << i - 1 << ")\n";
  text << "  output \"y\" = %v30\n}\n";
  const GraphPicture picture = picture_of(parsed(text.str()));
  CHECK(picture.boxes.size() == 2 + 3);
  for (const PictureBox& box : picture.boxes) CHECK(box.lines.size() <= longest_box);
}

TEST_CASE("picture: names from a file cannot break out of the markup") {
  CHECK(markup_text("<b a=\"'&\n") == "&lt;b a=&quot;&#39;&amp;\\x0a");
  CHECK(script_json(R"({"a": "</script><!--"})") == R"({"a": "\u003c/script>\u003c!--"})");
  const compiler::Graph graph = parsed(
      "graph \"<script>\" {\n  %\"a<b>\\\"&\" = input float32[2]\n  %y = relu(%\"a<b>\\\"&\")\n  output \"y\" = "
      "%y\n}\n");
  const std::string svg = svg_of(picture_of(graph));
  CHECK(contains(svg, "a&lt;b&gt;"));
  CHECK_FALSE(contains(svg, "a<b>"));
}

TEST_CASE("picture: DOT is what Graphviz reads") {
  std::ostringstream dot;
  print_dot(dot, picture_of(parsed(residual)));
  CHECK(contains(dot.str(), "digraph \"residual\" {"));
  CHECK(contains(dot.str(), "n0 -> n1 [label=\"1x8x6x6\"]"));
  const ScratchFolder scratch;
  write_file(scratch.path() / "g.dot", dot.str());
  if (!has_program("dot")) return skip_part("what dot reads", "dot is not installed");
  CHECK(run_shell("dot -Tsvg " + shell_word(scratch.path() / "g.dot")).status == 0);
}

TEST_CASE("cli inspect: --html is one page that needs nothing else, and a browser shows every operator") {
  const ScratchFolder scratch;
  const auto page = scratch.path() / "page.html";
  const CommandResult result =
      webnn_cli({"inspect", (source_dir() / "models/digits/digits.json").string(), "--html", page.string()});
  REQUIRE(result.code == 0);
  const std::string text = read_file(page);
  for (const char* word : {"src=", "href=", "@import", "url(http", "fetch("}) CHECK_FALSE(contains(text, word));
  for (const char* op : {"conv2d", "maxPool2d", "gemm", "softmax"}) CHECK(contains(text, op));
  const auto document = page_without_errors(page);
  if (!document) return;
  CHECK(contains(*document, "transform: translate("));
}

}  // namespace
}  // namespace webnn::tests::picture_test
