// Table laws of the reference kernels.
#include <algorithm>
#include <string>

#include "api/kernels.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::reference_kernels_test {
namespace {

TEST_CASE("kernel table: every operator has a reference row") {
  for (const Operator& op : operator_table()) {
    if (op.internal()) continue;
    const auto rows = api::kernel_table();
    const bool found = std::any_of(rows.begin(), rows.end(), [&](const KernelRow& row) {
      return row.provider() == "reference" && is_for(row, op);
    });
    CHECK_MESSAGE(found, op.name, " has no reference row");
  }
}

}  // namespace
}  // namespace webnn::tests::reference_kernels_test
