// Attention by matrix units, and with loops in their place: shapes at the edges of tiles and fragments, orders of axes, parts
// of keys, numbers that are not finite.
#include <array>
#include <cmath>
#include <doctest/doctest.h>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

#include "api/kernels.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/error_bound/error_bound.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_graph.hpp"
#include "tests/runtime/vulkan/check_row.hpp"
#include "tests/runtime/vulkan/units/emulated.hpp"

namespace webnn::tests::attention_units_test {
namespace {

using namespace runtime::vulkan;

constexpr auto f16 = DataType::float16;

/// Of queries, keys, values and result.
NamedAttributes orders(const std::array<IntegerList, 4>& permutations, double scale = 0.25) {
  return {{"scale", scale},
          {"queryPermutation", permutations[0]},
          {"keyPermutation", permutations[1]},
          {"valuePermutation", permutations[2]},
          {"outputPermutation", permutations[3]}};
}
const IntegerList same{0, 1, 2}, turned{0, 2, 1}, batch_last{1, 2, 0}, from_batch_last{2, 0, 1};
const NamedAttributes as_written = orders({same, same, same, same});

struct UnitsCall {
  std::vector<Shape> shapes;  // queries, keys, values, perhaps the mask
  NamedAttributes attributes = as_written;
  std::size_t dispatches = 1;  // on a GPU of one unit
};

const std::vector<UnitsCall> calls{
    {{{1, 1, 64}, {1, 1, 64}, {1, 1, 64}}},
    {{{2, 65, 5}, {2, 63, 5}, {2, 63, 7}, {2, 65, 63}}},
    {{{1, 33, 40}, {1, 65, 40}, {1, 65, 40}, {1, 65}}},
    {{{2, 64, 64}, {1, 128, 64}, {2, 128, 64}, {64, 1}}},
    {{{1, 130, 80}, {1, 70, 80}, {1, 70, 65}, {1, 130, 70}}},
    {{{1, 7, 256}, {1, 130, 256}, {1, 130, 256}}},
    {{{1, 64, 12}, {1, 64, 12}, {1, 64, 20}}},
    // Axes of which none are neighbours, or the other ones.
    {{{2, 40, 66}, {2, 40, 72}, {2, 72, 48}}, orders({turned, turned, same, same})},
    {{{2, 66, 40}, {2, 40, 70}, {2, 48, 70}, {66, 70}}, orders({same, turned, turned, turned})},
    {{{2, 66, 40}, {2, 72, 40}, {2, 48, 72}}, orders({same, same, turned, from_batch_last}, -0.5)},
    {{{33, 40, 2}, {65, 40, 2}, {65, 48, 2}}, orders({from_batch_last, from_batch_last, from_batch_last, batch_last})},
    // Parts of keys.
    {{{1, 20, 64}, {1, 512, 64}, {1, 512, 64}, {20, 512}}, as_written, 2},
    {{{1, 65, 16}, {1, 577, 16}, {1, 577, 80}}, as_written, 2},
};

struct Result {
  std::string by;
  TestTensor tensor;
};

/// What comes out with each of these fragments, and of the device's own units if it has any.
std::vector<Result> results_of(VulkanDevice& device, const KernelSpec& spec, const OptionalTensors& inputs,
                               std::initializer_list<Fragment> fragments, std::size_t dispatches) {
  const KernelId kernel = *api::find_kernel("vulkan.attention.units");
  REQUIRE(takes(row(kernel), spec, device.target()));
  const auto list = [&] { return gpu_kernels().find(kernel)->dispatches(spec, gpu_of_units(1)); };
  CHECK(list().dispatches.size() == dispatches);
  const auto run = [&](Dispatches all) {
    return run_on_device(device, device.make_kernel(std::move(all), spec), spec, inputs).front();
  };
  std::vector<Result> results;
  if (device.can_run(kernel, spec)) results.push_back({"the device's own units", run(list())});
  for (const Fragment& fragment : fragments) {
    Dispatches all = list();
    emulate_units(all, spec.op, fragment);
    results.push_back({std::to_string(fragment.rows) + " x " + std::to_string(fragment.columns) + " x " +
                           std::to_string(fragment.inner),
                       run(std::move(all))});
  }
  return results;
}

constexpr Fragment fragments[] = {{16, 16, 16}, {16, 8, 16}, {8, 16, 16}, {8, 8, 8}, {16, 32, 16}, {8, 32, 8}};

}  // namespace

TEST_CASE("vulkan attention units: shapes at the edges of tiles, with all kinds of fragments") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(7);
  std::size_t number = 0;
  for (const UnitsCall& call : calls) {
    OptionalTensors inputs;
    std::string text;
    for (const Shape& shape : call.shapes) {
      inputs.push_back(random_tensor({f16, shape}, engine));
      text += " " + inputs.back()->descriptor.text();
    }
    CAPTURE(text);
    const KernelSpec spec = operator_spec("@attention", inputs, call.attributes);
    inputs.resize(spec.inputs.size());
    const BoundedTensor expected = bounded_outputs(spec, inputs).front();
    const TestTensor exact = run_steps(spec, inputs).back();
    double greatest = 0;
    for (const Number& value : numbers(*inputs[2])) greatest = std::max(greatest, std::abs(value.as_double()));
    const Fragment &one = fragments[number++ % std::size(fragments)],
                   &other = fragments[number++ % std::size(fragments)];
    for (const auto& [by, actual] : results_of(device, spec, inputs, {one, other}, call.dispatches)) {
      CAPTURE(by);
      const BoundCheck check = check_within(expected, actual.data);
      CHECK_MESSAGE(check.beyond == 0, check.beyond, " of ", check.count, ": ", check.text);
      const Comparison comparison = compare_tensors(exact.descriptor, actual.data, exact.data, {});
      // As far as a float16 of the values' size is rounded, once for the shares and once for the result.
      CHECK(comparison.max_absolute <= greatest / 1024);
    }
  }
}

TEST_CASE("vulkan attention units: infinities and NaN in masks, queries and values") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  constexpr std::uint32_t queries = 9, keys = 600, features = 8;
  std::mt19937 engine(8);
  OptionalTensors inputs{random_tensor({f16, {1, queries, features}}, engine),
                         random_tensor({f16, {1, keys, features}}, engine),
                         random_tensor({f16, {1, keys, features}}, engine)};
  Numbers mask(queries * keys, Number(0.0));
  const auto at = [&](std::uint32_t query, std::uint32_t key) -> Number& { return mask[query * keys + key]; };
  for (std::uint32_t k = 0; k < keys; ++k) {
    at(0, k) = Number(-infinity);                     // nothing is left
    if (k != 3) at(1, k) = Number(-infinity);         // one key, in the first tile
    if (k != keys - 1) at(2, k) = Number(-infinity);  // in the last one
    at(3, k) = Number(-double(k));                    // shares that vanish
    at(4, k) = Number(double(k));                     // greater scores in each tile
    if (k >= 64 && k < 320) at(5, k) = Number(-infinity);
  }
  at(6, 77) = Number(not_a_number);
  at(7, 577) = Number(infinity);
  inputs.push_back(tensor(f16, {queries, keys}, mask));
  const auto check = [&](std::size_t operand, std::size_t place, double number) {
    CAPTURE(operand);
    CAPTURE(number);
    OptionalTensors changed = inputs;
    Numbers all = numbers(*changed[operand]);
    all[place] = Number(number);
    changed[operand] = tensor(f16, changed[operand]->descriptor.shape, all);
    const KernelSpec spec = operator_spec("@attention", changed, as_written);
    changed.resize(spec.inputs.size());
    const TestTensor expected = run_steps(spec, changed).back();
    for (const auto& [by, actual] : results_of(device, spec, changed, {fragments[0], fragments[3]}, 2)) {
      CAPTURE(by);
      const Comparison comparison =
          compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = 16, .absolute = 4.0 / 1024});
      CAPTURE(comparison.max_absolute);
      CHECK(comparison.mismatches == 0);
    }
  };
  check(0, 0, 0.5);
  for (const double special : {infinity, -infinity, not_a_number}) {
    check(0, 8 * features + 2, special);
    check(1, 100 * features + 2, special);
    check(2, 3 * features + 2, special);
    check(2, 12 * features + 1, special);  // of a share of e^-12 and less
  }
}

}  // namespace webnn::tests::attention_units_test
