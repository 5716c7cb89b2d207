// The table of ONNX operators: rows of the families, and the rows of the exporter that mean the same in both
// directions.
#include <algorithm>
#include <deque>
#include <map>
#include <string>

#include "compiler/onnx/export/onnx_call.hpp"
#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {
namespace {

/// Rows of the exporter without attributes: "Abs" is "abs(?a)".
const std::deque<OnnxImportRow>& direct_rows() {
  static std::deque<std::string> texts;  // what the rows point to
  static const std::deque<OnnxImportRow> rows = [] {
    std::deque<OnnxImportRow> result;
    for (const std::span<const OnnxRow> table : onnx_row_tables())
      for (const OnnxRow& row : table) {
        if (row.write != onnx_direct) continue;
        texts.push_back(std::string(row.op) +
                        (schema::row(*find_operator(row.op)).operands.size() == 1 ? "(?a)" : "(?a, ?b)"));
        result.push_back({.op_type = row.onnx, .text = texts.back()});
      }
    return result;
  }();
  return rows;
}

using RowsByName = std::multimap<std::pair<std::string_view, std::string_view>, const OnnxImportRow*>;

const RowsByName& rows_by_name() {
  static const RowsByName rows = [] {
    RowsByName result;
    for (const auto& table : {
#define FAMILY(name) import_##name##_rows(),
#include "compiler/onnx/import/families.def"
#undef FAMILY
         })
      for (const OnnxImportRow& row : table) result.emplace(std::pair(row.domain, row.op_type), &row);
    for (const OnnxImportRow& row : direct_rows())
      if (!result.contains({row.domain, row.op_type})) result.emplace(std::pair(row.domain, row.op_type), &row);
    return result;
  }();
  return rows;
}

}  // namespace

std::vector<const OnnxImportRow*> all_import_rows() {
  std::vector<const OnnxImportRow*> all;
  for (const auto& [name, row] : rows_by_name()) all.push_back(row);
  return all;
}

std::vector<const OnnxImportRow*> import_rows_of(std::string_view domain, std::string_view op_type) {
  std::vector<const OnnxImportRow*> found;
  const auto [first, last] = rows_by_name().equal_range({domain, op_type});
  for (auto at = first; at != last; ++at) found.push_back(at->second);
  return found;
}

}  // namespace webnn::compiler
