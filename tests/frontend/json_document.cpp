// JSON documents: places of every value, limits, and mistakes with their line and column.
#include "compiler/frontend/json/json_document.hpp"

#include <doctest/doctest.h>
#include <string>

#include "schema/render_diagnostics.hpp"

namespace webnn::tests::json_document_test {
namespace {

using namespace webnn::compiler;

/// A document with its text and diagnostics.
struct Parsed {
  explicit Parsed(std::string text_, JsonLimits limits = {})
      : text(std::move(text_)), document(JsonDocument::parse(text, "x.json", limits, diagnostics)) {}
  JsonValue root() const { return document->root(); }

  std::string text;
  Diagnostics diagnostics;
  std::optional<JsonDocument> document;
};

std::string place(const Location& location) {
  return std::to_string(location.line) + ":" + std::to_string(location.column) + " " + location.path;
}

}  // namespace

TEST_CASE("json document: values keep their kinds, and 64-bit integers their exact value") {
  const Parsed json(
      R"({"a": null, "b": true, "c": -9223372036854775808, "d": 18446744073709551615, "e": 0.5, "f": "\u00e9"})");
  REQUIRE(json.document);
  CHECK(json.root().size() == 6);
  CHECK(json.root().find("a").is(JsonValue::Kind::null));
  CHECK(json.root().find("b").boolean());
  CHECK(json.root().find("c").number() == Number(std::int64_t(-0x7fffffffffffffffll - 1)));
  CHECK(json.root().find("d").number() == Number(~std::uint64_t{0}));
  CHECK(json.root().find("e").number() == Number(0.5));
  CHECK(json.root().find("f").text() == "\xc3\xa9");
  CHECK_FALSE(json.root().find("g"));
}

TEST_CASE("json document: every value and key knows its line, column and path") {
  const Parsed json("{\"a\" : [1 ,2,\n  300, [4, -5]],\n \"b/c~\": {\"d\": \"x\"}, \"e\": 1}");
  REQUIRE(json.document);
  const JsonValue a = json.root().find("a");
  CHECK(place(json.root().location()) == "1:1 ");
  CHECK(place(a.location()) == "1:8 /a");
  CHECK(place(a.key_location()) == "1:2 /a");
  CHECK(place(a.element(0).location()) == "1:9 /a/0");
  CHECK(place(a.element(1).location()) == "1:12 /a/1");
  CHECK(place(a.element(2).location()) == "2:3 /a/2");
  CHECK(place(a.element(3).element(1).location()) == "2:12 /a/3/1");
  CHECK(place(json.root().find("b/c~").find("d").location()) == "3:16 /b~1c~0/d");
  CHECK(place(json.root().find("b/c~").find("d").key_location()) == "3:11 /b~1c~0/d");
  CHECK(place(json.root().find("e").location()) == "3:27 /e");
}

TEST_CASE("json document: a list of bytes takes one byte per element and still has places") {
  const Parsed json("[[ 0,255 ,\n 7 ], [1, 256], [3, [9]], [], [2, \"x\"]]");
  REQUIRE(json.document);
  const JsonValue list = json.root().element(0);
  REQUIRE(list.bytes());
  CHECK(list.bytes()->size() == 3);
  CHECK((*list.bytes())[1] == 255);
  CHECK(place(list.element(1).location()) == "1:6 /0/1");
  CHECK(place(list.element(2).location()) == "2:2 /0/2");
  CHECK_FALSE(json.root().element(1).bytes());
  CHECK(json.root().element(1).element(0).number() == Number(1));
  CHECK(place(json.root().element(1).element(1).location()) == "2:11 /1/1");
  CHECK(json.root().element(2).element(1).element(0).number() == Number(9));
  CHECK(json.root().element(3).bytes()->empty());
  std::size_t count = 0;
  for (const JsonValue value : list) count += value.is(JsonValue::Kind::number);
  CHECK(count == 3);
  CHECK(json.root().element(4).element(1).text() == "x");
}

TEST_CASE("json document: what is not JSON is reported at its place") {
  const auto report = [](std::string text, JsonLimits limits = {}) {
    const Parsed json(std::move(text), limits);
    CHECK(json.diagnostics.error_count() == 1);
    return render(json.diagnostics);
  };
  CHECK(report("{\"a\": 1,\n \"b\" 2}") ==
        "x.json:2:6: error[WNN0101]: this is not valid JSON: while parsing object separator - unexpected number "
        "literal; expected ':'\n");
  CHECK(report("[1, 2") ==
        "x.json:1:5: error[WNN0101]: this is not valid JSON: while parsing array - unexpected end of input; expected "
        "']'\n  hint: the file may be cut off\n");
  CHECK(report("").starts_with("x.json:1:1: error[WNN0101]"));
  CHECK(report(std::string("{}\0{", 4)) ==
        "x.json:1:3: error[WNN0101]: this is not valid JSON: the text holds a NUL byte\n");
  CHECK(report("[\"\xff\"]").starts_with("x.json:1:3: error[WNN0108]"));
  CHECK(report("[1e999]").starts_with("x.json:1:7: error[WNN0101]: the number is too large"));
  CHECK(report("[[[]]]", {.max_depth = 2}) ==
        "x.json:1:3: error[WNN0109]: arrays and objects are nested more than 2 deep\n");
  CHECK(report("[[], [], []]", {.max_values = 3}).starts_with("x.json:1:10: error[WNN0701]"));
  CHECK(report(std::string(100000, '[')).starts_with("x.json:1:65: error[WNN0109]"));
  CHECK(report("{} {}").starts_with("x.json:1:4: error[WNN0101]"));
  CHECK(report("[1, 2,]").starts_with("x.json:1:7: error[WNN0101]"));
  CHECK(report("[1, 2 ,\n]").ends_with("hint: remove the comma before it\n"));
  CHECK(report("{\"a\": ]}").find("comma") == std::string::npos);
  CHECK(report("{} {}").ends_with("hint: a file holds one value; put a second graph into a file of its own\n"));
  CHECK(report("{ // x\n}").ends_with("hint: JSON has no comments\n"));
  CHECK(report("['a']").ends_with("hint: strings are written in double quotes\n"));
  CHECK(report("[\"a\" \"b\"]").ends_with("hint: a comma may be missing before it\n"));
  CHECK(report("[,1]").starts_with("x.json:1:2: error[WNN0101]"));
  CHECK(report("[1 2]").starts_with("x.json:1:4: error[WNN0101]"));
  CHECK(report("[1, 02]").starts_with("x.json:1:"));
  CHECK(report("[1, 2").starts_with("x.json:1:5: error[WNN0101]"));
  CHECK(report("[1, 2,").starts_with("x.json:1:6: error[WNN0101]"));
}

TEST_CASE("json document: a key that is given twice is an error, and the first one counts") {
  const Parsed json("{\"a\": {\"k\": 1, \"k\": 2}, \"b\": 3, \"a\": 4}");
  REQUIRE(json.document);
  CHECK(json.root().find("a").find("k").number() == Number(1));
  CHECK(render(json.diagnostics) ==
        "x.json:1:16: error[WNN0104]: the key 'k' is given twice (/a/k)\n"
        "  hint: remove or rename one of the two\n"
        "x.json:1:33: error[WNN0104]: the key 'a' is given twice (/a)\n"
        "  hint: remove or rename one of the two\n");
}

TEST_CASE("diagnostics: rendered with source line and caret, and nothing reaches a terminal unescaped") {
  Diagnostics diagnostics;
  diagnostics.error(Code::bad_option, {"m\x1b.json", 2, 6, "/nodes/0"}, "it is 'wrong'").hints.push_back("do\nthis");
  const auto source = [](std::string_view) { return std::string_view("{\n\t\xc3\xa9\x07 x y\n}"); };
  CHECK(render(diagnostics, source) ==
        "m\\x1b.json:2:6: error[WNN0402]: it is 'wrong' (/nodes/0)\n"
        "    \xc3\xa9\\x07 x y\n"
        "          ^\n"
        "  hint: do\\x0athis\n");
}

}  // namespace webnn::tests::json_document_test
