// Every conformance vector by every kernel row that takes one of its calls: what the compiler would choose or not. A row that
// stands behind others for all shapes of the vectors would otherwise be tested with random calls alone (kernel_rows).
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <stdexcept>

#include "api/kernels.hpp"
#include "api/runner/session.hpp"
#include "runtime/device.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/conformance.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::every_row_test {
namespace {

using namespace webnn::schema;
using api::Session;

std::vector<std::filesystem::path> all_vectors() {
  std::vector<std::filesystem::path> files = vector_files(source_dir() / "tests" / "operators");
  if (const auto folder = corpus())
    for (std::filesystem::path& file : vector_files(*folder / "wpt" / "conformance")) files.push_back(std::move(file));
  return files;
}

/// Whether an input or a constant has a number that is not finite, or beyond 1e30.
bool has_extremes(const compiler::ConformanceVector& vector) {
  const auto is_extreme = [](const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
    for (std::uint64_t i = 0; is_float(descriptor.type) && i < element_count(descriptor.shape); ++i)
      if (!(std::abs(load_element(descriptor.type, bytes.data(), i).as_double()) <= 1e30)) return true;
    return false;
  };
  for (const compiler::NamedTensor& input : vector.inputs)
    if (is_extreme(input.tensor.descriptor, input.tensor.data.view())) return true;
  const compiler::Graph& graph = vector.graph;
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    const compiler::Value& value = graph.value(compiler::ValueId{i});
    if (value.kind == compiler::Value::Kind::constant && is_extreme(value.descriptor, value.data.view())) return true;
  }
  return false;
}

class EveryRow {
 public:
  EveryRow(Session& session) : session_(session), device_(session.context().device()) {}

  /// Checks the vectors by each row of the device and says which of its rows no call was computed by.
  void check() {
    std::set<std::string> rows;
    for (const KernelRow& row : api::kernel_table())
      if (row.device == device_.target().device && includes(device_.target().features, row.features) &&
          row.provider() != "reference" && row.layouts != LayoutRule::to_channels_last)  // in place of a reorder only
        rows.emplace(row.name);
    REQUIRE_FALSE(rows.empty());
    for (const std::string& name : rows) {
      CAPTURE(name);
      check_row(*api::find_kernel(name));
    }
    std::string unused;
    for (const std::string& name : rows)
      if (runs_[name] == 0) unused += (unused.empty() ? "" : ", ") + name;
    std::size_t runs = 0;
    for (const auto& [name, count] : runs_) runs += count;
    MESSAGE(runs << " runs of " << rows.size() << " rows; no vector has a call for " << unused);
    CHECK(runs > rows.size());
  }

 private:
  bool takes(KernelId kernel, const KernelSpec& spec) const {
    return schema::takes(row(kernel), spec, device_.target()) && device_.can_run(kernel, spec);
  }

  void check_row(KernelId kernel) {
    compiler::Options options;
    options.available = [&](const KernelRow& candidate, const KernelSpec& spec) {
      return &candidate == kernel.row || !takes(kernel, spec);
    };
    // Tiles of a GPU are one shader with other numbers: they share the vectors.
    const bool shares = row(kernel).name.find(".tiled_") != std::string_view::npos;
    std::size_t found = shared_++;
    for (const compiler::ConformanceVector& vector : vectors_) {
      if (!has_call_for(kernel, vector) || (shares && ++found % most_sharing != 0)) continue;
      const std::string failure = failure_of(vector, [&](const compiler::ConformanceVector& one) {
        auto outputs = through_session(session_, one, options);
        runs_[std::string(row(kernel).name)] += std::ranges::count(session_.program().steps, kernel, &Step::kernel);
        return outputs;
      });
      CHECK_MESSAGE(failure.empty(), vector.name, ": ", failure);
    }
  }

  /// Whether the row takes a node by itself. What transforms its input (Winograd) adds up numbers that no sum of the result
  /// has, and spreads those that are not finite.
  bool has_call_for(KernelId kernel, const compiler::ConformanceVector& vector) const {
    const bool transforms = row(kernel).arithmetic < 1;
    return !(transforms && has_extremes(vector)) &&
           std::ranges::any_of(vector.graph.order(),
                               [&](compiler::NodeId node) { return takes(kernel, vector.graph.spec(node)); });
  }

  static constexpr std::size_t most_sharing = 4;

  Session& session_;
  const runtime::Device& device_;
  std::vector<compiler::ConformanceVector> vectors_ = read_all_vectors(all_vectors());
  std::map<std::string, std::ptrdiff_t> runs_;
  std::size_t shared_ = 0;  // the next row begins at another vector
};

}  // namespace

TEST_CASE("every row: vectors pass by each row of the CPU that takes their calls") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  Session session({.threads = 2});
  EveryRow(session).check();
}

TEST_CASE("every row: vectors pass by each row of a GPU that takes their calls") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of graphs take too long");
  if (!open_test_gpu()) return;
  Session session({.device = "gpu", .gpuValidation = true});
  EveryRow(session).check();
}

}  // namespace webnn::tests::every_row_test
