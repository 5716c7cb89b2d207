// Patterns: what matches, what does not, and what a table of rewrites refuses to do.
#include <doctest/doctest.h>

#include "compiler/ir/pattern.hpp"
#include "compiler/ir/print.hpp"
#include "compiler/ir/verify.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/error.hpp"
#include "tests/harness/graph_text.hpp"

namespace webnn::tests::pattern_test {
namespace {

using namespace webnn::compiler;

std::string error_of(std::string_view text) {
  std::string error;
  CHECK(!parse_pattern(text, error));
  return error;
}

/// Whether the pattern matches at the node that gives %y.
std::optional<Match> match_at_y(const Graph& graph, std::string_view text) {
  std::string error;
  const auto pattern = parse_pattern(text, error);
  REQUIRE_MESSAGE(pattern, error);
  static ConstantFacts facts;  // matches refer to it
  facts = {};
  return match(graph, graph.value(graph.find_value("y")).producer, *pattern, facts);
}

bool matches(const std::string& lines, std::string_view text) {
  const Graph graph = graph_of(lines);
  return match_at_y(graph, text).has_value();
}

TEST_CASE("pattern: a text with choices stands for one pattern for each form") {
  using Forms = std::vector<std::string>;
  CHECK(forms_of("relu(?x)") == Forms{"relu(?x)"});
  CHECK(forms_of("<relu(?x)|neg(?x)>") == Forms{"relu(?x)", "neg(?x)"});
  CHECK(forms_of("add(<a|b|c>, <d|e>)") ==
        Forms{"add(a, d)", "add(a, e)", "add(b, d)", "add(b, e)", "add(c, d)", "add(c, e)"});
  CHECK(forms_of("f(<a|g(<b|c>)>)") == Forms{"f(a)", "f(g(b))", "f(g(c))"});
  for (const char* text : {"relu(<?x | ?y", "relu(<?x | <?y>", "relu(<>)", "relu(?x | ?y)", "relu(?x>)"}) {
    CAPTURE(text);
    for (const std::string& form : forms_of(text)) CHECK(error_of(form) != "");
  }
}

constexpr const char* two_inputs = "%a = input float32[2, 2]\n%b = input float32[2, 2]\n";

TEST_CASE("pattern: captures are values, and the same name is the same value") {
  const std::string lines = std::string(two_inputs) + "%y = sub(%a, %b)\noutput \"y\" = %y\n";
  const Graph graph = graph_of(lines);
  const auto found = match_at_y(graph, "sub(?p, ?q)");
  REQUIRE(found);
  CHECK(found->value("p") == graph.find_value("a"));
  CHECK(found->value("q") == graph.find_value("b"));
  CHECK(!found->value("other").valid());
  CHECK(!matches(lines, "sub(?p, ?p)"));
  CHECK(!matches(lines, "add(?p, ?q)"));
  CHECK(matches(std::string(two_inputs) + "%y = sub(%a, %a)\noutput \"y\" = %y\n", "sub(?p, ?p)"));
}

TEST_CASE("pattern: operands of commutative operators match in both orders, together") {
  const std::string lines =
      std::string(two_inputs) + "%r = relu(%a)\n%n = neg(%b)\n%m = mul(%n, %r)\n%y = add(%b, %m)\noutput \"y\" = %y\n";
  CHECK(matches(lines, "add(mul(relu(?p), neg(?q)), ?q)"));
  CHECK(matches(lines, "add(?q, mul(neg(?q), relu(?p)))"));
  CHECK(!matches(lines, "add(mul(relu(?p), neg(?q)), ?p)"));
  // The first order fits the inner operator alone; only the second one fits the whole.
  CHECK(matches(std::string(two_inputs) + "%m = mul(%a, %b)\n%y = sub(%m, %b)\noutput \"y\" = %y\n",
                "sub(mul(?p, ?q), ?p)"));
  CHECK(!matches(std::string(two_inputs) + "%y = sub(%a, %b)\noutput \"y\" = %y\n", "sub(relu(?q), ?p)"));
}

TEST_CASE("pattern: numbers are constants all of whose elements have that value") {
  const auto with = [](const char* constant, const char* pattern) {
    return matches("%a = input float32[2, 2]\n%c = constant float32[2] " + std::string(constant) +
                       "\n%y = mul(%a, %c)\noutput \"y\" = %y\n",
                   pattern);
  };
  CHECK(with("{1...}", "mul(?x, 1)"));
  CHECK(with("{1...}", "mul(1, ?x)"));
  CHECK(!with("{1, 2}", "mul(?x, 1)"));
  CHECK(with("{0...}", "mul(?x, 0)"));
  CHECK(!with("{0...}", "mul(?x, -0)"));
  CHECK(!with("{-0...}", "mul(?x, 0)"));
  CHECK(with("{-0...}", "mul(?x, -0)"));
  CHECK(!with("{0, -0}", "mul(?x, 0)"));
  CHECK(with("{1, 2}", "mul(?x, ?c:constant)"));
  CHECK(!with("{1, 2}", "mul(?c:constant, ?d:constant)"));

  const auto with_integer = [](const char* constant, const char* pattern) {
    return matches("%a = input uint8[2]\n%c = constant uint8[2] " + std::string(constant) +
                       "\n%y = add(%a, %c)\noutput \"y\" = %y\n",
                   pattern);
  };
  CHECK(with_integer("{0...}", "add(?x, -0)"));
  CHECK(!with_integer("{0...}", "add(?x, 0.5)"));
  CHECK(!with_integer("{255...}", "add(?x, -1)"));
}

TEST_CASE("pattern: inner results have no other use and are no output, unless they are captured") {
  const std::string inner = std::string(two_inputs) + "%r = relu(%a)\n%y = neg(%r)\noutput \"y\" = %y\n";
  const std::string as_output = inner + "output \"r\" = %r\n";
  const std::string used = inner + "%z = abs(%r)\noutput \"z\" = %z\n";
  CHECK(matches(inner, "neg(relu(?x))"));
  CHECK(!matches(as_output, "neg(relu(?x))"));
  CHECK(!matches(used, "neg(relu(?x))"));
  CHECK(matches(as_output, "neg(?r=relu(?x))"));
  CHECK(matches(used, "neg(?r=relu(?x))"));
}

TEST_CASE("pattern: attributes are compared with what the operator works with, given or not") {
  const std::string given = "%x = input float32[2, 3]\n%y = gather(%x, %i) {axis=0}\noutput \"y\" = %y\n";
  const std::string index = "%i = input int32[1]\n";
  const std::string absent = "%x = input float32[2, 3]\n%y = gather(%x, %i)\noutput \"y\" = %y\n";
  const std::string other = "%x = input float32[2, 3]\n%y = gather(%x, %i) {axis=1}\noutput \"y\" = %y\n";
  for (const char* pattern : {"gather(?x, ?i)", "gather(?x, ?i) {axis=0}"}) {
    CHECK(matches(index + given, pattern));
    CHECK(matches(index + absent, pattern));
    CHECK(!matches(index + other, pattern));
  }
  CHECK(matches(index + other, "gather(?x, ?i) {...}"));
  const Graph graph = graph_of(index + absent);
  const auto found = match_at_y(graph, "gather(?x, ?i) {axis=?axis}");
  REQUIRE(found);
  CHECK(std::get<std::int64_t>(*found->attribute("axis")) == 0);

  const std::string transposes =
      "%x = input float32[2, 3]\n%t = transpose(%x)\n%y = transpose(%t) {permutation=[1, 0]}\n";
  CHECK(matches(transposes + "output \"y\" = %y\n", "transpose(transpose(?x) {permutation=?p}) {permutation=?p}"));
  CHECK(!matches("%x = input float32[2]\n%y = clamp(%x) {minValue=0}\noutput \"y\" = %y\n", "clamp(?x)"));
}

TEST_CASE("pattern: an absent attribute is captured as absent and stays so") {
  Graph graph = graph_of("%x = input float32[2]\n%n = neg(%x)\n%y = clamp(%n) {maxValue=1}\noutput \"y\" = %y\n");
  const Rewrite row{"test", "clamp(neg(?x)) {minValue=?a, maxValue=?b}", "clamp(?x) {minValue=?a, maxValue=?b}"};
  CHECK(RewriteSet({&row, 1}).apply(graph) == 1);
  CHECK(print(graph, graph.value(graph.find_value("y")).producer) == "%y = clamp(%x) {maxValue=1} : float32[2]");
}

TEST_CASE("pattern: optional operands are there, absent, or either") {
  const std::string lines = "%x = input float32[1, 1, 2, 2]\n%w = input float32[1, 1, 1, 1]\n%b = input float32[1]\n";
  const std::string with = lines + "%y = conv2d(%x, %w, bias=%b)\noutput \"y\" = %y\n";
  const std::string without = lines + "%y = conv2d(%x, %w)\noutput \"y\" = %y\n";
  CHECK(!matches(with, "conv2d(?x, ?w)"));
  CHECK(matches(without, "conv2d(?x, ?w)"));
  CHECK(matches(with, "conv2d(?x, ?w, bias=?b)"));
  CHECK(!matches(without, "conv2d(?x, ?w, bias=?b)"));
  CHECK(matches(with, "conv2d(?x, ?w, bias=?b:optional)"));
  CHECK(matches(without, "conv2d(?x, ?w, bias=?b:optional)"));
}

TEST_CASE("pattern: a family stands for its operators, attributes and all") {
  Graph graph = graph_of("%x = input float32[2, 3]\n%t = transpose(%x)\n%y = elu(%t) {alpha=2}\noutput \"y\" = %y\n");
  CHECK(!match_at_y(graph, "?f:binary(?a, ?b)"));
  CHECK(!match_at_y(graph, "?f:reduction(?a)"));
  const Rewrite row{"test", "?f:unary(transpose(?x) {...})", "transpose(?f(?x))"};
  CHECK(RewriteSet({&row, 1}).apply(graph) == 1);
  CHECK(print(graph).find("elu(%x) {alpha=2} : float32[2, 3]") != std::string::npos);
  CHECK(verify(graph).empty());
}

TEST_CASE("pattern: nodes with post-ops or several outputs are left alone") {
  CHECK(!matches("%x = input float32[2]\n%y = neg(%x) -> relu\noutput \"y\" = %y\n", "neg(?x)"));
  CHECK(!matches("%x = input float32[2]\n%n = neg(%x) -> relu\n%y = neg(%n)\noutput \"y\" = %y\n", "neg(neg(?x))"));
}

TEST_CASE("rewrite: the root's name and label carry over, and its inner nodes are erased") {
  Graph graph = graph_of("%x = input float32[2]\n%n = neg(%x)\n%y = add(%x, %n) label \"sum\"\noutput \"out\" = %y\n");
  const Rewrite row{"test", "add(?x, neg(?y))", "sub(?x, ?y)"};
  CHECK(RewriteSet({&row, 1}).apply(graph) == 1);
  CHECK(print(graph) ==
        "graph \"g\" {\n  %x = input float32[2]\n  %y = sub(%x, %x) : float32[2] label \"sum\"\n"
        "  output \"out\" = %y\n}\n");
}

TEST_CASE("rewrite: numbers in a replacement are constants of the type that their place asks for") {
  Graph graph = graph_of("%x = input float16[2]\n%y = neg(%x)\noutput \"out\" = %y\n");
  const Rewrite row{"test", "neg(?x)", "mul(?x, -1)"};
  CHECK(RewriteSet({&row, 1}).apply(graph) == 1);
  CHECK(print(graph).find("constant float16[] {-1}") != std::string::npos);
}

TEST_CASE("rewrite: a replacement with another type or shape is refused, and leaves nothing behind") {
  Graph graph = graph_of("%x = input float32[2]\n%y = neg(%x)\noutput \"out\" = %y\n");
  const std::string before = print(graph);
  const Rewrite shape{"test", "neg(?x)", "reduceSum(relu(?x))"};
  CHECK(RewriteSet({&shape, 1}).apply(graph) == 0);
  const Rewrite type{"test", "neg(?x)", "isNaN(?x)"};
  CHECK(RewriteSet({&type, 1}).apply(graph) == 0);
  const Rewrite call{"test", "neg(?x)", "matmul(relu(?x), ?x)"};
  CHECK(RewriteSet({&call, 1}).apply(graph) == 0);
  CHECK(print(graph) == before);
  CHECK(verify(graph).empty());
}

TEST_CASE("rewrite: a row that undoes itself ends all the same") {
  Graph graph = graph_of("%x = input float32[2]\n%y = add(%x, %x)\noutput \"out\" = %y\n");
  const Rewrite row{"test", "add(?x, ?y)", "add(?y, ?x)"};
  CHECK(RewriteSet({&row, 1}).apply(graph) > 0);
  CHECK(verify(graph).empty());
}

TEST_CASE("pattern: texts that are no pattern are refused with a reason") {
  CHECK(error_of("") == "expected a pattern, found the end of the line (column 1)");
  CHECK(error_of("rellu(?x)") == "there is no operator 'rellu' (column 6)");
  CHECK(error_of("relu()") == "relu lacks operand 'input' (column 7)");
  CHECK(error_of("relu(?x, ?y)") == "relu takes at most 1 operands (column 12)");
  CHECK(error_of("relu(?x) {alpha=1}") == "relu has no attribute 'alpha' (column 11)");
  CHECK(error_of("cast(?x)") == "cast lacks attribute 'dataType' (column 9)");
  CHECK(error_of("relu(?x) ?y") == "expected the end, found '?y' (column 10)");
  CHECK(error_of("?x:something") == "expected 'constant', 'optional' or a family, found 'something' (column 4)");
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "neg(";
  CHECK(error_of(deep).starts_with("the pattern is nested too deeply"));
  const Rewrite row{"broken", "relu(?x", "?x"};
  CHECK_THROWS_AS(RewriteSet({&row, 1}), Error);
}

}  // namespace
}  // namespace webnn::tests::pattern_test
