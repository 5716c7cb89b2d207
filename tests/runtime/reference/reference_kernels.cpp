// Table laws of the reference kernels.
#include "runtime/cpu/reference/reference_kernels.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_kernels_test {
namespace {

std::set<std::string> rows_of_the_table() {
  std::set<std::string> names;
  for (const KernelRow& row : kernel_table())
    if (row.provider() == "reference") names.emplace(row.name);
  return names;
}

TEST_CASE("kernel table: reference rows and reference functions are the same") {
  std::set<std::string> functions;
  for (const runtime::KernelEntry& entry : runtime::reference_kernels()) {
    CAPTURE(entry.name);
    CHECK(functions.emplace(entry.name).second);
    CHECK(bool(entry.prepare));
  }
  const auto rows = rows_of_the_table();
  for (const std::string& name : rows) CHECK_MESSAGE(functions.contains(name), name, " has no function");
  for (const std::string& name : functions) CHECK_MESSAGE(rows.contains(name), name, " has no row");
}

TEST_CASE("kernel table: every operator has a reference row") {
  for (const Operator& op : operator_table()) {
    if (op.internal()) continue;
    const auto rows = kernel_table();
    const bool found = std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
      return row.provider() == "reference" && (row.op.empty() ? row.family == op.family : row.op == op.name);
    });
    CHECK_MESSAGE(found, op.name, " has no reference row");
  }
}

}  // namespace
}  // namespace webnn::tests::reference_kernels_test
