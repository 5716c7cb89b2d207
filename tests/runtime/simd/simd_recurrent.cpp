// lstm, gru and their cells with vectors: groups of units that are full and not, tiles of batches, all directions,
// layouts, activations and optional operands; weights packed by the compiler, when prepared, and in every run.
#include <random>

#include "api/kernels.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "schema/error.hpp"
#include "tests/harness/simd_rows.hpp"

namespace webnn::tests::simd_recurrent_test {
namespace {

using enum DataType;

TestTensor noise(const Shape& shape, double size, DataType type = float32) {
  static std::mt19937 engine(11);
  std::uniform_real_distribution<double> element(-size, size);
  Numbers elements(element_count(shape));
  for (Number& number : elements) number = Number(element(engine));
  return tensor(type, shape, elements);
}

enum class Weights : std::uint8_t { variable, constant, packed };

/// Runs both rows of SIMD kernel `op` and compares with the reference kernel.
void check(std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes, Weights weights) {
  const std::vector<TestTensor> expected = run_operator(op, inputs, attributes);
  const bool is_half = expected[0].descriptor.type == float16;  // rounded once, as the reference's is
  const Tolerance tolerance =
      is_half ? Tolerance{.ulp = 1, .absolute = 1e-5} : Tolerance{.absolute = 2e-6, .relative = 2e-6};
  for (const std::string& name : simd_rows(std::string(op))) {
    const runtime::ListedCpuKernel& kernel = *runtime::cpu_kernels().find(*api::find_kernel(name));
    KernelSpec spec = operator_spec(op, inputs, attributes);
    OptionalTensors operands = inputs;
    RunOptions options;
    if (weights != Weights::variable) options.constants = {1, 2};
    if (weights == Weights::packed) {
      spec.input_forms.resize(spec.inputs.size());
      spec.input_layouts.resize(spec.inputs.size(), Layout::row_major);
      for (const std::size_t i : {1u, 2u}) {
        const auto panels = kernel.pack(operator_spec(op, inputs, attributes), i, inputs[i]->data);
        REQUIRE(panels);
        operands[i]->data.assign(panels->bytes.view().begin(), panels->bytes.view().end());
        spec.input_forms[i] = panels->form;
        spec.input_layouts[i] = Layout::private_form;
      }
    }
    CAPTURE(name);
    CAPTURE(inputs[0]->descriptor.text());
    CAPTURE(expected[0].descriptor.text());
    for (const unsigned threads : {1u, 3u}) {
      const runtime::Team team(threads);
      const auto actual = run_kernel(kernel.prepare, spec, operands, options);
      for (std::size_t i = 0; i < actual.size(); ++i) {
        const Comparison comparison =
            compare_tensors(expected[i].descriptor, actual[i].data, expected[i].data, tolerance);
        CAPTURE(i);
        CAPTURE(comparison.max_absolute);
        CHECK(comparison.mismatches == 0);
      }
    }
  }
}

struct Sizes {
  std::uint32_t steps, batches, inputs, hidden;
};
constexpr Sizes sizes[] = {{1, 1, 1, 1},   {5, 1, 7, 16},   {9, 2, 16, 17}, {3, 7, 20, 40},
                           {2, 13, 5, 33}, {70, 1, 24, 64}, {2, 70, 3, 8},  {3, 1, 300, 256}};

TEST_CASE("simd lstm: sizes, directions, peepholes, initial states") {
  int turn = 0;
  for (const auto& [steps, batches, inputs, hidden] : sizes)
    for (const char* direction : {"forward", "backward", "both"})
      for (const char* layout : {"iofg", "ifgo"}) {
        const std::uint32_t directions = std::string_view(direction) == "both" ? 2 : 1;
        const auto weights = Weights(++turn % 3);
        OptionalTensors operands{noise({steps, batches, inputs}, 1), noise({directions, 4 * hidden, inputs}, 0.2),
                                 noise({directions, 4 * hidden, hidden}, 0.1)};
        NamedAttributes attributes{{"steps", int(steps)},
                                   {"hiddenSize", int(hidden)},
                                   {"direction", direction},
                                   {"layout", layout},
                                   {"returnSequence", turn % 2 == 0}};
        check("lstm", operands, attributes, weights);
        operands.emplace_back(noise({directions, 4 * hidden}, 0.5));
        operands.emplace_back(noise({directions, 4 * hidden}, 0.5));
        operands.emplace_back(noise({directions, 3 * hidden}, 0.5));
        operands.emplace_back(noise({directions, batches, hidden}, 1));
        operands.emplace_back(noise({directions, batches, hidden}, 1));
        attributes.push_back({"activations", TextList{"sigmoid", "tanh", "relu"}});
        check("lstm", operands, attributes, weights);
      }
}

TEST_CASE("simd gru: sizes, directions, the reset gate before and after") {
  int turn = 0;
  for (const auto& [steps, batches, inputs, hidden] : sizes)
    for (const char* direction : {"forward", "backward", "both"})
      for (const bool reset_after : {true, false}) {
        const std::uint32_t directions = std::string_view(direction) == "both" ? 2 : 1;
        const auto weights = Weights(++turn % 3);
        OptionalTensors operands{noise({steps, batches, inputs}, 1), noise({directions, 3 * hidden, inputs}, 0.2),
                                 noise({directions, 3 * hidden, hidden}, 0.1)};
        NamedAttributes attributes{
            {"steps", int(steps)},       {"hiddenSize", int(hidden)},          {"direction", direction},
            {"resetAfter", reset_after}, {"layout", turn % 2 ? "zrn" : "rzn"}, {"returnSequence", turn % 2 == 0}};
        check("gru", operands, attributes, weights);
        operands.emplace_back(noise({directions, 3 * hidden}, 0.5));
        operands.emplace_back(noise({directions, 3 * hidden}, 0.5));
        operands.emplace_back(noise({directions, batches, hidden}, 1));
        check("gru", operands, attributes, weights);
      }
}

// As in the Web Platform Tests, whose tolerance this is. Sums of products and the larger biases nearly cancel each other.
TEST_CASE("simd gru: products are not rounded to the last digits of biases") {
  const Numbers weights{1,   -1,   2, -2,  0.5, -0.5, 0, 0.1, 1,   -1,   2, -2,
                        0.5, -0.5, 0, 0.1, 1,   -1,   2, -2,  0.5, -0.5, 0, 0.1};
  const Numbers biases{1, 2, 1, 2, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5};
  const OptionalTensors operands{tensor(float32, {2, 3, 2}, {1, 2, 2, 1, 1, 1, 3, 4, 1, 2, 1, 1}),
                                 tensor(float32, {1, 12, 2}, weights), tensor(float32, {1, 12, 4}, Numbers(48, 0.1)),
                                 tensor(float32, {1, 12}, biases), tensor(float32, {1, 12}, biases)};
  const NamedAttributes attributes{
      {"steps", 2}, {"hiddenSize", 4}, {"resetAfter", true}, {"activations", TextList{"relu", "relu"}}};
  const TestTensor expected =
      tensor(float32, {1, 3, 4},
             {0, 0, -0.33243751525878906, -23.753076553344727, 0, 0, 0, -2.213315725326538, -1.1077498197555542,
              -12.323249816894531, -1.1077498197555542, -14.518925666809082});
  for (const std::string& name : simd_rows("gru")) {
    CAPTURE(name);
    const std::vector<TestTensor> actual = run_row(name, operator_spec("gru", operands, attributes), operands);
    CHECK(compare_tensors(expected.descriptor, actual[0].data, expected.data, {.ulp = 6}).mismatches == 0);
  }
}

TEST_CASE("simd lstmCell and gruCell") {
  for (const auto& [steps, batches, inputs, hidden] : sizes)
    for (const Weights weights : {Weights::variable, Weights::constant, Weights::packed}) {
      const TestTensor x = noise({batches, inputs}, 1), h = noise({batches, hidden}, 1),
                       c = noise({batches, hidden}, 1);
      const NamedAttributes attributes{{"hiddenSize", int(hidden)}};
      check("lstmCell",
            {x, noise({4 * hidden, inputs}, 0.2), noise({4 * hidden, hidden}, 0.1), h, c, noise({4 * hidden}, 0.5)},
            attributes, weights);
      check("gruCell",
            {x, noise({3 * hidden, inputs}, 0.2), noise({3 * hidden, hidden}, 0.1), h, noise({3 * hidden}, 0.5),
             noise({3 * hidden}, 0.5)},
            attributes, weights);
    }
}

TEST_CASE("simd lstm and gru on float16: weights in half, states between steps in float32") {
  int turn = 0;
  for (const auto& [steps, batches, inputs, hidden] : sizes) {
    const auto weights = Weights(++turn % 3);
    for (const std::uint32_t gates : {4u, 3u}) {
      OptionalTensors operands{noise({steps, batches, inputs}, 1, float16),
                               noise({2, gates * hidden, inputs}, 0.2, float16),
                               noise({2, gates * hidden, hidden}, 0.1, float16),
                               noise({2, gates * hidden}, 0.5, float16), noise({2, gates * hidden}, 0.5, float16)};
      NamedAttributes attributes{
          {"steps", int(steps)}, {"hiddenSize", int(hidden)}, {"direction", "both"}, {"returnSequence", turn % 4 != 0}};
      if (gates == 4)
        operands.emplace_back(noise({2, 3 * hidden}, 0.5, float16));
      else
        attributes.push_back({"resetAfter", turn % 2 == 0});
      operands.emplace_back(noise({2, batches, hidden}, 1, float16));
      if (gates == 4) operands.emplace_back(noise({2, batches, hidden}, 1, float16));
      check(gates == 4 ? "lstm" : "gru", operands, attributes, weights);
    }
  }
}

TEST_CASE("simd lstm: weights in another form are refused") {
  const OptionalTensors operands{noise({1, 1, 2}, 1), noise({1, 16, 2}, 1), noise({1, 16, 4}, 1)};
  KernelSpec spec = operator_spec("lstm", operands, {{"steps", 1}, {"hiddenSize", 4}});
  spec.input_layouts = std::vector(spec.inputs.size(), Layout::row_major);
  spec.input_layouts[1] = Layout::private_form;
  spec.input_forms.resize(spec.inputs.size());
  spec.input_forms[1] = "onednn:1x16x2:abc>acb";
  const std::vector<std::span<const std::byte>> constants(spec.inputs.size());
  CHECK_THROWS_AS(
      runtime::cpu_kernels().find(*api::find_kernel(all_simd_rows("lstm").back()))->prepare(spec, constants), Error);
}

}  // namespace
}  // namespace webnn::tests::simd_recurrent_test
