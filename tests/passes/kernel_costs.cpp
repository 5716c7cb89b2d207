// Costs choose kernels, and nothing more: a program that other costs gave is as valid.
#include <deque>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "api/oracle/evaluate.hpp"
#include "api/pack_constant.hpp"
#include "compiler/compiler.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "schema/file/program_file.hpp"
#include "tests/harness/compiler_options.hpp"
#include "tests/harness/kernel_row.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::kernel_costs_test {
namespace {

using namespace webnn::compiler;

/// The table of this build with other estimates: what was slow is quick.
struct OtherCosts {
  OtherCosts() {
    std::vector<const KernelRow*> pointers;
    for (const KernelRow& row : api::kernel_table()) {
      KernelRow& other = rows.emplace_back(row);
      other.factor = 1 / row.factor;
      other.scale = nullptr;
      pointers.push_back(&other);
    }
    table = KernelTable(std::move(pointers));
  }
  std::deque<KernelRow> rows;
  KernelTable table;
};

std::optional<Program> compile_with(const KernelTable& table, const Graph& graph, const Target& target) {
  Options options;
  options.kernel_table = table;
  options.target = target;
  options.evaluate = api::reference_evaluate();
  options.pack = [](KernelId kernel, const KernelSpec& spec, std::size_t operand, std::span<const std::byte> bytes) {
    return api::pack_constant(*api::find_kernel(row(kernel).name), spec, operand, bytes);
  };
  Diagnostics diagnostics;
  return compile(graph, options, diagnostics);
}

}  // namespace

TEST_CASE("kernel costs: programs compiled with other costs have other kernels, and are accepted") {
  const OtherCosts other;
  const Target target = runtime::CpuDevice().target();
  std::size_t same = 0, different = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    const Graph graph = random_graph(seed, {.nodes = 20});
    const auto usual = compile_with(api::kernel_table(), graph, target);
    const auto changed = compile_with(other.table, graph, target);
    REQUIRE(usual);
    REQUIRE(changed);
    std::set<std::string_view> kernels;
    for (const Step& step : usual->steps) kernels.insert(row(step.kernel).name);
    for (const Step& step : changed->steps) ++(kernels.contains(row(step.kernel).name) ? same : different);
    std::vector<std::byte> bytes;
    write_program(*changed,
                  [&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
    Diagnostics diagnostics;
    const auto read = read_program(Bytes(std::move(bytes)), "p.wnnc", api::kernel_table(), &target, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics.all()) FAIL_CHECK(diagnostic.message);
    REQUIRE(read);
    for (const Step& step : read->steps) CHECK(&row(step.kernel) == &kernel_row(row(step.kernel).name));
  }
  CHECK(different > same);
}

TEST_CASE("kernel costs: no two kernels cost the same for a call, so that the order of the table means nothing") {
  using enum Feature;
  const Target targets[] = {{DeviceKind::cpu, none},
                            {DeviceKind::cpu, avx2},
                            {DeviceKind::cpu, avx2 | avx512},
                            {DeviceKind::cpu, avx2 | avx512 | avx512_vnni},
                            {DeviceKind::cpu, neon},
                            {DeviceKind::vulkan, memory_8bit},
                            {DeviceKind::vulkan, shared_memory | matrix_units | float16},
                            {DeviceKind::vulkan, shared_memory | cpu_fallback},
                            {DeviceKind::vulkan, shared_memory | memory_8bit}};
  std::mt19937 engine(3);
  std::size_t choices = 0;
  for (std::uint16_t index = 0; index < all_operators().size(); ++index)
    for (std::size_t type = 0; type < data_type_count; ++type)
      for (int round = 0; round < 6; ++round) {
        if (!row(OperatorId{index}).operands[0].types.contains(DataType(type))) continue;
        RandomCall call = random_call(OperatorId{index}, DataType(type), engine);
        if (round % 2 == 1) append_random_post_op(call, engine);
        call.spec.constants = 0xff;
        for (const Target& on : targets) {
          std::map<double, std::string_view> costs;
          for (const KernelRow& kernel : api::kernel_table()) {
            if (kernel.device != on.device || !takes(kernel, call.spec, on)) continue;
            const auto [known, is_new] = costs.emplace(cost(kernel, call.spec, on), kernel.name);
            CHECK_MESSAGE(is_new, kernel.name, " costs as much as ", known->second);
          }
          choices += costs.size() > 1;
        }
      }
  CHECK(choices > 2000);
}

}  // namespace webnn::tests::kernel_costs_test
