// The text form: what print writes, parse reads back, and what it says about texts that are wrong.
#include <doctest/doctest.h>
#include <random>

#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests::text_form_test {
namespace {

using namespace webnn::compiler;

const PrintOptions exact{.exact = true};

std::string all_messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    text += std::to_string(diagnostic.location.line) + ":" + std::to_string(diagnostic.location.column) + ": " +
            diagnostic.message + "\n";
    for (const std::string& hint : diagnostic.hints) text += "  " + hint + "\n";
  }
  return text;
}

std::optional<Graph> read(std::string_view text) {
  Diagnostics diagnostics;
  auto graph = parse(text, {}, diagnostics);
  CHECK_MESSAGE(graph.has_value(), all_messages(diagnostics));
  return graph;
}

std::string messages(std::string_view text) {
  Diagnostics diagnostics;
  CHECK(!parse(text, {}, diagnostics));
  return all_messages(diagnostics);
}

/// The text of a graph with these lines inside.
std::string graph_of(std::string_view lines) { return "graph \"g\" {\n" + std::string(lines) + "}\n"; }

TEST_CASE("text form: a graph as people see it") {
  const char* text = R"(graph "small" quantized {
  %image = input float32[batch<=2, 3, 4, 4]
  %mask = input uint8["two words"<=3]
  %filter = constant float32[2, 3, 1, 1] {1, -0, 0.5, 3, 1e-05, Infinity}
  %"layer 1/bias" = constant float32[2] {0.25...}
  %scale = constant float16[] {2}
  %y = conv2d(%image, %filter, bias=%"layer 1/bias") {strides=[2, 2], inputLayout="nchw"} -> relu -> clamp {maxValue=6} : float32[2, 2, 2, 2] label "conv \"1\""
  %a, %b = split(%mask) {splits=[1, 2]} : uint8[1], uint8[2]
  %joined = concat(%b, %a) {axis=0} : uint8[3]
  %half = cast(%y) {dataType=float16} -> sub(%scale, _) : float16[2, 2, 2, 2]
  output "größe" = %half
  output "joined" = %joined
}
)";
  const auto graph = read(text);
  REQUIRE(graph);
  CHECK(verify(*graph).empty());
  CHECK(print(*graph, exact) == text);
  CHECK(graph->node({0}).label == "conv \"1\"");
  CHECK(graph->node({1}).label == "a");
  CHECK(graph->named_dimensions().size() == 2);
}

TEST_CASE("text form: large constants are shown by size and hash, or whole") {
  const auto graph =
      read(graph_of("%c = constant uint8[10] 0x00010203040506070809\n%y = identity(%c)\noutput \"y\" = %y\n"));
  REQUIRE(graph);
  CHECK(print(*graph).find("%c = constant uint8[10] <10 bytes, hash ") != std::string::npos);
  CHECK(print(*graph, exact).find("0x00010203040506070809") != std::string::npos);

  SUBCASE("an elided constant is refused") {
    CHECK(messages(print(*graph)).find("2:27: the content of %c was left out") != std::string::npos);
  }
  SUBCASE("unless somebody has its bytes") {
    ParseOptions options;
    options.constant = [&](std::string_view name, const OperandDescriptor&) {
      return std::optional(graph->value(graph->find_value(name)).data);
    };
    Diagnostics diagnostics;
    const auto again = parse(print(*graph), options, diagnostics);
    REQUIRE(again);
    CHECK(print(*again, exact) == print(*graph, exact));
  }
}

TEST_CASE("text form: NaN and 4-bit constants keep their bits") {
  const char* lines = R"(  %nan = constant float32[2] 0x0000803f0100c07f
  %four = constant int4[3] 0x2103
  %x = identity(%nan) : float32[2]
  %y = identity(%four) : int4[3]
  output "x" = %x
  output "y" = %y
)";
  const auto graph = read(graph_of(lines));
  REQUIRE(graph);
  CHECK(print(*graph, exact) == graph_of(lines));
}

TEST_CASE("text form: random graphs print the same after reading") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    const Graph graph = random_graph(
        seed, {.nodes = 15, .odd_names = seed % 2 == 0, .post_ops = seed % 3 == 0, .named_dimensions = seed % 5 == 0});
    REQUIRE(verify(graph) == std::vector<std::string>{});
    const std::string text = print(graph, exact);
    const auto again = read(text);
    REQUIRE(again);
    CHECK(verify(*again) == std::vector<std::string>{});
    CHECK(print(*again, exact) == text);
  }
}

TEST_CASE("text form: every mistake is reported at its place") {
  CHECK(messages("") == "1:1: there is no graph\n");
  CHECK(messages("hello") == "1:1: expected 'graph', found 'hello'\n2:1: there is no graph\n");
  CHECK(messages("graph \"g\" {\n") == "2:1: the graph is not closed by '}'\n");
  CHECK(messages(graph_of("%x = input float33[2]\n")) == "2:12: expected a data type, found 'float33'\n");
  CHECK(messages(graph_of("%x = input float32[0]\n")) == "2:20: expected a dimension of 1 to 2147483647, found '0'\n");
  CHECK(messages(graph_of("%x = input float32[1,1,1,1,1,1,1,1,1]\n")) == "2:36: a shape has at most 8 dimensions\n");
  CHECK(messages(graph_of("%x = constant float32[2] {1}\n")) == "2:27: expected 2 elements, found 1\n");
  CHECK(messages(graph_of("%x = constant uint8[2] {1, 256}\n")) == "2:28: expected an element of uint8, found '256'\n");
  CHECK(messages(graph_of("%x = constant uint8[2] 0x00\n")) == "2:24: expected 2 bytes, found 2 hexadecimal digits\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%x = input float32[2]\n")) == "3:1: %x is defined already\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = rellu(%x)\n")) ==
        "3:6: there is no operator 'rellu'\n  did you mean 'relu'?\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x) : float32[3]\n")) ==
        "3:17: %y is float32[2], found float32[3]\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x, %x)\n")) == "3:15: relu takes at most 1 operands\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x) {alpha=1}\n")) ==
        "3:16: relu has no attribute 'alpha'\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x) -> add(_)\n")) ==
        "3:18: post-op 'add' takes 2 operands, such as '_', found 1\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x) -> add(_, _3)\n")) ==
        "3:18: operand '_3' is from more steps back than there are\n");
  CHECK(messages(graph_of("%x = input float32[2]\n%y = relu(%x) -> add(_, _1)\n")) ==
        "3:25: expected a value, found '_1'\n");
  CHECK(messages(graph_of("%y = \"un")).find("2:6: expected an operator, found a text without its closing quote") == 0);
}

TEST_CASE("text form: a mistake is reported once, not at each use of what the line would have defined") {
  CHECK(messages(
            graph_of("%x = input float32[2]\n%y = rellu(%x)\n%z = relu(%y)\noutput \"z\" = %z\noutput \"q\" = %q\n")) ==
        "3:6: there is no operator 'rellu'\n  did you mean 'relu'?\n6:14: no line above defines %q\n");
}

TEST_CASE("text form: constants that would take too much memory are refused before it is taken") {
  CHECK(messages(graph_of("%x = constant uint8[2000000000] {0...}\n")) ==
        "2:33: the constants take more than 268435456 bytes\n");
}

TEST_CASE("text form: mutated texts give a sound graph or an error, never a crash") {
  std::mt19937 engine(7);
  const auto below = [&](std::size_t count) { return std::size_t(engine()) % count; };
  const std::string alphabet = "%?\"\\{}[]()<>=,:.-+0123456789xaef_ \n&@\xff";
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::string text = print(random_graph(seed % 20, {.nodes = 6, .odd_names = true, .post_ops = true}), exact);
    for (int change = 0; change < 4; ++change) {
      const std::size_t at = below(text.size());
      const std::size_t kind = below(4);
      if (kind == 0) text[at] = alphabet[below(alphabet.size())];
      if (kind == 1) text.insert(at, 1, alphabet[below(alphabet.size())]);
      if (kind == 2) text.erase(at, 1 + below(8));
      if (kind == 3) text.insert(at, text.substr(below(text.size()), below(40)));
      if (text.empty()) text = "g";
    }
    Diagnostics diagnostics;
    ParseOptions options;
    options.max_constant_bytes = 1u << 20;
    const auto graph = parse(text, options, diagnostics);
    if (graph)
      CHECK(verify(*graph) == std::vector<std::string>{});
    else
      CHECK(diagnostics.has_errors());
  }
}

}  // namespace
}  // namespace webnn::tests::text_form_test
