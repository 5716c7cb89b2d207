// The table of ONNX operators that are read.
#include <doctest/doctest.h>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::tests::onnx_rows_test {

using compiler::OnnxImportRow;

TEST_CASE("onnx rows: no two are for one operator and version") {
  const std::vector<const OnnxImportRow*> rows = compiler::all_import_rows();
  REQUIRE(rows.size() > 200);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      const OnnxImportRow &a = *rows[i], &b = *rows[j];
      if (a.domain != b.domain || a.op_type != b.op_type) continue;
      CAPTURE(a.domain);
      CAPTURE(a.op_type);
      CHECK((a.before <= b.since || b.before <= a.since));
    }
}

TEST_CASE("onnx rows: each has a function or a text, and versions") {
  for (const OnnxImportRow* row : compiler::all_import_rows()) {
    CAPTURE(row->op_type);
    CHECK((row->read != nullptr) != !row->text.empty());
    CHECK(row->since < row->before);
  }
}

}  // namespace webnn::tests::onnx_rows_test
