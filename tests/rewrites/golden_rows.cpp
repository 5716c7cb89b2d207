// Rows of the tables of rewrites for which test_rewrites.cpp has no law, because chance hardly makes the constants that
// their guards ask for: each applies to a golden file of its pass, which shows what it does.
#include <algorithm>
#include <doctest/doctest.h>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "api/oracle/evaluate.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/passes/parts/constant_folder.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::golden_rows_test {
namespace {

using namespace webnn::compiler;
namespace fs = std::filesystem;

struct Table {
  std::string_view name;
  std::string_view pass;
  std::span<const Rewrite> rows;
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"quantize", "quantize", quantize_rewrites()},
      {"quantize_operands", "quantize", quantize_operands_rewrites()},
      {"unfold_normalization", "fold_into", unfold_normalization_rewrites()},
      {"fold_into", "fold_into", fold_into_rewrites()},
      {"divide_concats", "divide_concats", divide_concats_rewrites()},
  };
  return all;
}

/// The graphs in golden files of a pass, before the pass.
std::vector<Graph> golden_graphs(std::string_view pass) {
  std::vector<Graph> graphs;
  for (const auto& file : fs::directory_iterator(source_dir() / "tests/passes" / pass)) {
    const std::string text = read_file(file.path());
    Diagnostics diagnostics;
    auto graph = parse(text.substr(0, text.find("---\n")), {}, diagnostics);
    REQUIRE_MESSAGE(graph, file.path().string());
    graphs.push_back(std::move(*graph));
  }
  return graphs;
}

/// Patterns ask for constants: what rows have made of constants is folded, except that weights stay quantised.
void fold_constants(Unit& unit) {
  constexpr std::uint64_t growth = 8;
  ConstantFolder folder(unit, growth);
  for (const NodeId id : unit.graph.order())
    if (unit.graph.node(id).op != "dequantizeLinear"_op) folder.fold(id, growth);
}

/// The rows of one table, each on its own, so that it is known which one applies.
class CountedRows {
 public:
  explicit CountedRows(std::span<const Rewrite> rows) : rows_(rows) {
    for (const Rewrite& row : rows) sets_.emplace_back(std::span(&row, 1));
  }

  /// Applies the rows wherever one does; the first of several, as a table does.
  void apply(Unit& unit) {
    for (bool changed = true; changed; fold_constants(unit)) {
      changed = false;
      for (const NodeId id : unit.graph.order())
        if (unit.graph.node(id).alive) changed = apply_at(unit.graph, id) || changed;
    }
  }
  std::vector<std::string> missing() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!applied_.contains(i)) names.emplace_back(rows_[i].name);
    return names;
  }

 private:
  bool apply_at(Graph& graph, NodeId id) {
    for (std::size_t i = 0; i < sets_.size(); ++i)
      if (sets_[i].apply_at(graph, id).valid()) return applied_.insert(i), true;
    return false;
  }

  std::span<const Rewrite> rows_;
  std::vector<RewriteSet> sets_;
  std::set<std::size_t> applied_;
};

TEST_CASE("rewrites: every row without a law applies to a golden file of its pass") {
  std::vector<CountedRows> counted;
  for (const Table& table : tables()) counted.emplace_back(table.rows);
  std::set<std::string_view> passes;
  for (const Table& table : tables()) passes.insert(table.pass);
  for (const std::string_view pass : passes)
    for (Graph& graph : golden_graphs(pass)) {
      Diagnostics diagnostics;
      Options options = options_of_tests();
      options.evaluate = api::reference_evaluate();
      Unit unit{std::move(graph), {}, options, diagnostics, {}};
      for (std::size_t i = 0; i < tables().size(); ++i)
        if (tables()[i].pass == pass) counted[i].apply(unit);
    }
  for (std::size_t i = 0; i < tables().size(); ++i) {
    CAPTURE(std::string(tables()[i].name));
    CHECK(counted[i].missing() == std::vector<std::string>{});
  }
}

TEST_CASE("rewrites: every table has laws, or is looked for in golden files") {
  const std::string header = read_file(source_dir() / "compiler/rewrites/rewrite.hpp"),
                    laws = read_file(source_dir() / "tests/rewrites/test_rewrites.cpp");
  const std::regex declaration(R"(std::span<const Rewrite> (\w+)_rewrites\(\);)");
  std::size_t count = 0;
  for (std::sregex_iterator found(header.begin(), header.end(), declaration), end; found != end; ++found, ++count) {
    const std::string name = (*found)[1];
    CAPTURE(name);
    const bool has_laws = laws.find("check_table(" + name + "_rewrites()") != std::string::npos;
    CHECK(has_laws != (std::ranges::find(tables(), name, &Table::name) != tables().end()));
  }
  CHECK(count > tables().size());
}

}  // namespace
}  // namespace webnn::tests::golden_rows_test
