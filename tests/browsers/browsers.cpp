// Tables of browsers: complete, and compared with graphs.
#include "compiler/browsers/browsers.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "schema/operators/operator_table.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/specification.hpp"

namespace webnn::tests::browsers_test {
namespace {

using namespace webnn::compiler;

std::vector<std::string> words_of(std::string_view list) {
  std::istringstream stream{std::string(list)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

constexpr const char* graph_text = R"({"format": "webnn-graph-json", "version": 2,
 "inputs": {"x": {"dataType": "float32", "shape": [1, 1, 1, 1, 2, 2]}, "q": {"dataType": "uint4", "shape": [2]},
            "i": {"dataType": "uint8", "shape": [2]}},
 "nodes": [{"id": "y", "op": "clamp", "inputs": ["x"]},
           {"id": "z", "op": "add", "inputs": ["i", "i"]},
           {"id": "all", "op": "concat", "inputs": ["i", "i", "i"], "options": {"axis": 0}},
           {"id": "less", "op": "lesser", "inputs": ["x", "x"]},
           {"id": "c", "op": "cast", "inputs": ["i"], "options": {"to": "uint64"}},
           {"id": "w", "op": "cast", "inputs": ["q"], "options": {"to": "float32"}}],
 "outputs": {"y": "y", "z": "z", "c": "c", "all": "all", "less": "less", "w": "w"}})";

}  // namespace

TEST_CASE("browsers: every operand of the specification's operators has limits, which allow some call") {
  for (const Browser& browser : browsers())
    for (const Operator& op : operator_table())
      for (const OperandRow& operand : op.operands) {
        CAPTURE(browser.name);
        CAPTURE(op.name);
        CAPTURE(operand.name);
        const OperandLimits* limits = limits_of(browser, op.name, operand.name);
        CHECK(has_operator(browser, op.name) == is_specified(op.name));
        CHECK((limits != nullptr) == is_specified(op.name));
        if (!limits) continue;
        CHECK(limits->max_rank >= operand.min_rank);
        CHECK(limits->min_rank <= operand.max_rank);
        bool takes_some = false;
        for (std::size_t type = 0; type < data_type_count; ++type)
          takes_some |= limits->types.contains(DataType(type)) && operand.types.contains(DataType(type));
        CHECK(takes_some);
      }
}

TEST_CASE("browsers: every word of the tables names an operator, and an operand of one of these operators") {
  for (const Browser& browser : browsers())
    for (const OperandLimits& limits : browser.limits) {
      CAPTURE(limits.operators);
      for (const std::string& operand : words_of(limits.operands))
        CHECK_MESSAGE((operand == "output" || std::ranges::any_of(words_of(limits.operators),
                                                                  [&](const std::string& name) {
                                                                    const auto op = find_operator(name);
                                                                    return op && row(*op).operand_index(operand) >= 0;
                                                                  })),
                      operand);
      for (const std::string& name : words_of(limits.operators)) CHECK_MESSAGE(find_operator(name), name);
    }
}

TEST_CASE("browsers: a name is an implementation or a family, and no name is given twice") {
  CHECK(browsers_named("chromium").size() == 2);
  CHECK(browsers_named("chromium-litert").size() == 1);
  CHECK(browsers_named("netscape").empty());
  std::vector<std::string_view> names = browser_names();
  std::ranges::sort(names);
  CHECK(std::ranges::adjacent_find(names) == names.end());
}

TEST_CASE("browsers: validate names what is refused, with node and place") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "m.json").string();
  write_file(file, graph_text);
  const CommandResult refused = webnn_cli({"validate", file, "--browser", "chromium-litert"});
  CHECK(refused.code == 4);
  CHECK(contains(refused.out, ", refused by chromium-litert: 6 errors\n"));
  for (const std::string line :
       {":2:72: error[WNN0704]: chromium-litert refuses the input 'q', which is uint4; it takes ",
        ":4:12: error[WNN0704]: chromium-litert refuses clamp 'y' with 6 dimensions for 'input'; it takes 0 to 5 ",
        ":5:12: error[WNN0704]: chromium-litert refuses add 'z' with uint8 for 'a' and 'b'; it takes float32, ",
        ":7:12: error[WNN0704]: chromium-litert refuses lesser 'less' with 6 dimensions for 'a' and 'b'; it takes ",
        ":8:12: error[WNN0704]: chromium-litert refuses cast 'c' with uint64 for 'output'; it takes ",
        ":9:12: error[WNN0704]: chromium-litert refuses cast 'w' with uint4 for 'input'; it takes "})
    CHECK_MESSAGE(contains(refused.err, line), line << "\n" << refused.err);

  const CommandResult taken = webnn_cli({"validate", file, "--browser", "chromium-onnxruntime"});
  CHECK(taken.code == 0);
  CHECK(contains(taken.out, ", taken by chromium-onnxruntime\n"));
  CHECK(webnn_cli({"validate", file, "--browser", "chromium"}).code == 4);
  CHECK(webnn_cli({"validate", file}).code == 0);
  const CommandResult json = webnn_cli({"validate", file, "--browser", "chromium", "--output-format", "json"});
  CHECK(json.code == 4);
  CHECK(contains(json.out + json.err, "WNN0704"));
}

TEST_CASE("browsers: what is wrong with the graph itself comes first, and an unknown browser lists the known ones") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "m.json").string();
  write_file(file, R"({"format": "webnn-graph-json", "version": 2, "inputs": {}, "nodes": [], "outputs": {}})");
  CHECK(webnn_cli({"validate", file, "--browser", "chromium"}).code == 3);
  const CommandResult unknown = webnn_cli({"validate", file, "--browser", "netscape"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "chromium, chromium-litert, chromium-onnxruntime"));
}

TEST_CASE("browsers: the model of the repository runs in Chromium") {
  const std::string digits = (source_dir() / "models/digits/digits.json").string();
  CHECK(webnn_cli({"validate", digits, "--browser", "chromium"}).code == 0);
}

}  // namespace webnn::tests::browsers_test
