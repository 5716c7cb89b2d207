// Kernels for matrix units: what the build makes of their shaders, and what they compute.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <set>
#include <type_traits>

#include "api/kernels.hpp"
#include "compiler/ir/call_text.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/products/conditions.hpp"
#include "runtime/vulkan/kernels/spirv_instructions.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "runtime/vulkan/tools/khr_cooperative_matrix.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/runtime/vulkan/units/emulated.hpp"

namespace webnn::tests::cooperative_matrix_test {
namespace {

using namespace runtime::vulkan;
using Words = std::vector<std::uint32_t>;
using Instructions = std::vector<Words>;  // each: the operation, then its operands

Words module_of(const Instructions& instructions, std::uint32_t bound) {
  Words words{spirv::magic, 0x00010500, 0, bound, 0};
  for (const Words& instruction : instructions) spirv::append(words, instruction[0], std::span(instruction).subspan(1));
  return words;
}

Words extension(const std::string& name) {
  Words words{10};
  const Words letters = spirv::literal(name);
  words.insert(words.end(), letters.begin(), letters.end());
  return words;
}

// Ids of the module below.
constexpr std::uint32_t m = 1, n = 2, k = 3, uint_type = 4, half_type = 5, float_type = 6, scope = 7, no = 8, yes = 9,
                        bool_type = 10, a_type = 11, b_type = 12, sums_type = 13, pointer = 14, stride = 15, a = 16,
                        b = 17, sums = 18, more = 19, bound = 20;

/// a = load(pointer), b = load(pointer) by columns, sums = a * b + sums, store(sums).
Instructions nvidia_module() {
  return {{17, 5357},
          {17, 5345},
          extension("SPV_NV_cooperative_matrix"),
          {71, m, 1, 11},
          {71, n, 1, 12},
          {71, k, 1, 13},
          {21, uint_type, 32, 0},
          {22, half_type, 16},
          {22, float_type, 32},
          {20, bool_type},
          {42, bool_type, no},
          {41, bool_type, yes},
          {5358, a_type, half_type, scope, m, k},
          {5358, b_type, half_type, scope, k, n},
          {5358, sums_type, float_type, scope, m, n},
          {5359, a_type, a, pointer, stride, no, 0x18, scope},
          {5359, b_type, b, pointer, stride, yes},
          {5361, sums_type, more, a, b, sums},
          {5360, pointer, more, stride, no, 0x28, scope}};
}

Words translated(const Instructions& instructions) {
  return with_khr_cooperative_matrices(module_of(instructions, bound));
}

/// Whether there may be such a tile of units; one that may not be does not compile.
template <std::uint32_t rows, std::uint32_t columns, std::uint32_t depth, std::uint32_t subgroups, std::uint32_t down>
concept is_tile_of_units = requires {
  typename std::bool_constant<tile_of_units(rows, columns, depth, 1, subgroups, down).rows == rows>;
};

}  // namespace

TEST_CASE("vulkan cooperative matrices: tiles are made of whole fragments, whichever the device has") {
  CHECK(is_tile_of_units<64, 64, 32, 4, 2>);
  CHECK_FALSE(is_tile_of_units<48, 64, 32, 4, 2>);   // parts of 24 rows
  CHECK_FALSE(is_tile_of_units<64, 96, 32, 4, 2>);   // of 48 columns
  CHECK_FALSE(is_tile_of_units<64, 64, 24, 4, 2>);   // depths of one and a half fragments
  CHECK_FALSE(is_tile_of_units<128, 64, 32, 6, 4>);  // subgroups without a part
  CHECK(fits_tiles({16, 16, 16}));
  CHECK(fits_tiles({8, 32, 8}));
  for (const Fragment& fragment : {Fragment{32, 8, 16}, Fragment{16, 16, 32}, Fragment{4, 8, 8}, Fragment{16, 24, 16},
                                   Fragment{16, 64, 16}, Fragment{}})
    CHECK_FALSE(fits_tiles(fragment));
}

TEST_CASE("vulkan cooperative matrices: NVIDIA's instructions become those of Khronos") {
  constexpr std::uint32_t zero = bound, one = bound + 1, two = bound + 2;
  const Words expected = module_of({{17, 6022},
                                    {17, 5345},
                                    extension("SPV_KHR_cooperative_matrix"),
                                    {71, m, 1, 11},
                                    {71, n, 1, 12},
                                    {71, k, 1, 13},
                                    {21, uint_type, 32, 0},
                                    {22, half_type, 16},
                                    {22, float_type, 32},
                                    {20, bool_type},
                                    {42, bool_type, no},
                                    {41, bool_type, yes},
                                    {43, uint_type, zero, 0},
                                    {43, uint_type, one, 1},
                                    {43, uint_type, two, 2},
                                    {4456, a_type, half_type, scope, m, k, zero},
                                    {4456, b_type, half_type, scope, k, n, one},
                                    {4456, sums_type, float_type, scope, m, n, two},
                                    {4457, a_type, a, pointer, zero, stride, 0x18, scope},
                                    {4457, b_type, b, pointer, one, stride},
                                    {4459, sums_type, more, a, b, sums},
                                    {4458, pointer, more, zero, stride, 0x28, scope}},
                                   bound + 3);
  CHECK(translated(nvidia_module()) == expected);
}

TEST_CASE("vulkan cooperative matrices: what has no translation is refused") {
  const auto refuses = [](auto change) {
    Instructions instructions = nvidia_module();
    change(instructions);
    CHECK_THROWS_AS(translated(instructions), Error);
  };
  refuses([](Instructions& all) { all[12] = {5358, a_type, half_type, scope, n, k}; });  // no operand has this size
  refuses([](Instructions& all) { all[4] = {71, n, 2, 12}; });                           // a size without its number
  refuses([](Instructions& all) { all[15][5] = stride; });                               // a layout that is no constant
  refuses([](Instructions& all) { all.push_back({5362, uint_type, 21, a_type}); });      // a length
  refuses([](Instructions& all) { all.push_back({52, uint_type, 21, 5362, a_type}); });
  refuses([](Instructions& all) { all[6] = {21, uint_type, 32, 1}; });  // no unsigned integers for the new constants
  refuses([](Instructions& all) { all[12].pop_back(); });
  CHECK_THROWS_AS(with_khr_cooperative_matrices(Words{1, 2, 3}), Error);
}

TEST_CASE("vulkan cooperative matrices: the built shaders declare what they use and nothing of NVIDIA's") {
  struct Built {
    ShaderCode shader;
    std::size_t loads, stores, products;
  };
  // Either layout of both operands; in attention of queries, keys and values, besides shares and divisors.
  for (const auto& [shader, loads, stores, products] :
       {Built{shaders::units_matmul(), 4, 1, 1}, Built{shaders::units_conv2d(), 4, 1, 1},
        Built{shaders::units_attention(), 8, 2, 2}}) {
    CAPTURE(shader.name);
    std::set<std::uint32_t> capabilities, uses, layouts;
    std::map<std::uint32_t, std::uint32_t> constants;  // by id
    std::map<std::uint32_t, std::size_t> operations;
    std::uint32_t memory_model = 0;
    spirv::for_each(spirv::body_of(shader.words), [&](const spirv::Instruction& instruction, std::size_t) {
      const auto& w = instruction.words;
      ++operations[instruction.operation];
      if (instruction.operation == 10) CHECK(spirv::text_of(w.subspan(1)) != "SPV_NV_cooperative_matrix");
      if (instruction.operation == 14) memory_model = w[2];
      if (instruction.operation == 17) capabilities.insert(w[1]);
      if (instruction.operation == 43) constants[w[2]] = w[3];
      if (instruction.operation == 4456) uses.insert(constants.at(w[6]));
      if (instruction.operation == 4457) layouts.insert(constants.at(w[4]));
      for (const auto& [id, value] : constants) REQUIRE(id < shader.words[spirv::id_bound]);
    });
    for (const std::uint32_t capability : {6022u, 5345u, 9u}) CHECK(capabilities.contains(capability));
    CHECK_FALSE(capabilities.contains(5357));
    CHECK(memory_model == 3);  // Vulkan's
    CHECK(uses == std::set<std::uint32_t>{0, 1, 2});
    CHECK(layouts == std::set<std::uint32_t>{0, 1});  // by rows, by columns
    CHECK(operations[4457] == loads);
    CHECK(operations[4458] == stores);
    CHECK(operations[4459] == products);
    for (std::uint32_t nvidias = 5358; nvidias <= 5362; ++nvidias) CHECK(operations[nvidias] == 0);
  }
}

TEST_CASE("vulkan cooperative matrices: with matrix units of loops the kernels give what the reference gives") {
  const auto opened = open_test_gpu();
  if (!opened) return;
  auto& device = dynamic_cast<VulkanDevice&>(*opened);
  std::mt19937 engine(20241121);
  constexpr Fragment fragments[] = {{16, 16, 16}, {16, 8, 16}, {8, 16, 16}, {8, 8, 16}, {16, 8, 8}, {8, 8, 8}};
  std::size_t calls = 0;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != DeviceKind::vulkan || kernel.name.find(".units") == std::string_view::npos) continue;
    CAPTURE(kernel.name);
    int taken = 0;
    for (int attempt = 0; attempt < 400 && taken < 2; ++attempt) {
      RandomCall call = random_call(*find_any_operator(kernel.op), DataType::float16, engine);
      if (!takes(kernel, call.spec, device.target())) continue;
      constexpr std::uint64_t most_inner = 700;  // the loops that stand for the units are too long for llvmpipe then
      if (call.spec.op != "@attention"_op && product_size(call.spec).inner > most_inner) continue;
      RandomCall longer = call;
      if (taken % 2 == 0 && append_random_post_op(longer, engine) && takes(kernel, longer.spec, device.target()))
        call = std::move(longer);
      ++taken;
      // Not all devices have the shared memory for two stages of large tiles, so these are less deep here.
      const bool is_large = kernel.name.ends_with("_256");
      const Fragment& fragment = fragments[is_large ? 4 + calls++ % 2 : calls++ % std::size(fragments)];
      const std::uint32_t depth = fragment.inner;
      CAPTURE(fragment.rows);
      CAPTURE(fragment.columns);
      CAPTURE(fragment.inner);
      Dispatches list = gpu_kernels().find({&kernel})->dispatches(call.spec, {DeviceKind::vulkan});
      for (Dispatch& dispatch : list.dispatches)
        if (dispatch.subgroups != 0) dispatch.specialization.set(Constant::tile_depth, depth);
      emulate_units(list, call.spec.op, fragment);
      const TestTensor expected = run_steps(call.spec, call.inputs).back();
      double peak = 1;
      for (const TestTensor& step : run_steps(call.spec, call.inputs))
        for (const Number& number : numbers(step)) peak = std::max(peak, std::abs(number.as_double()));
      const TestTensor actual =
          run_on_device(device, device.make_kernel(std::move(list), call.spec), call.spec, call.inputs).front();
      const Comparison comparison =
          compare_tensors(expected.descriptor, actual.data, expected.data, {.ulp = 16, .absolute = peak * 8 / 1024});
      CAPTURE(compiler::call_text(call.spec, std::vector<bool>(call.spec.inputs.size())));
      CAPTURE(comparison.max_absolute);
      CHECK(comparison.mismatches == 0);
    }
    CHECK(taken > 0);
  }
  CHECK(calls >= std::size(fragments));
}

}  // namespace webnn::tests::cooperative_matrix_test
