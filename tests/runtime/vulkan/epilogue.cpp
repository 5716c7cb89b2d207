// Functions written into compiled shaders.
#include "runtime/vulkan/kernels/epilogue.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>

#include "runtime/vulkan/kernels/spirv.hpp"
#include "runtime/vulkan/shaders.hpp"
#include "schema/error.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/shell.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::epilogue_test {
namespace {

using namespace runtime::vulkan;
using Words = std::vector<std::uint32_t>;

constexpr EpilogueOperand result(std::size_t step) { return {StepOperand::step(step), 0}; }
constexpr EpilogueOperand rounded(std::size_t step) { return {StepOperand::step(step), 0, true}; }

/// clamp(operand 1 - relu(x * operand 0)) + x * operand 0: some of everything.
const Epilogue example{{true, 2, 0, 0, result(0), {StepOperand::input(0), 2}},
                       {false, 16, 0, 0, result(1), {}},
                       {true, 1, 0, 0, {StepOperand::input(1), 1}, result(2)},
                       {false, 2, -1.5f, 6, result(3), {}},
                       {true, 0, 0, 0, result(4), result(1)}};

/// How many instructions with this operation a module has.
std::size_t count(std::span<const std::uint32_t> words, std::uint32_t operation) {
  std::size_t found = 0;
  for (std::size_t i = 5; i < words.size(); i += words[i] >> 16) found += (words[i] & 0xffffu) == operation;
  return found;
}

constexpr std::uint32_t op_function = 54, op_function_call = 57;

}  // namespace

TEST_CASE("vulkan epilogue: a shader gets a function with a call for each operator and operand") {
  const ShaderCode shader = shaders::conv2d();
  const Words written = with_epilogue(shader.words, example), plain = with_epilogue(shader.words, {});
  CHECK(with_epilogue(shader.words, example) == written);
  // Without operators it gives its argument back, and nothing is left of the functions that it might have called.
  CHECK(count(plain, op_function) < count(written, op_function));
  CHECK(SpirvModule(shader.words).has_function("stored"));
  CHECK_FALSE(SpirvModule(written).has_function("stored"));  // what only a later step reads is not rounded
  CHECK(plain.size() < shader.words.size() / 2);
  CHECK(SpirvModule(written).has_function("real_binary"));
  CHECK_FALSE(SpirvModule(plain).has_function("real_binary"));
  const Epilogue difference{{false, 2, 0, 0, result(0), {}}, {true, "sub"_op.index, 0, 0, rounded(0), rounded(1)}};
  CHECK(SpirvModule(with_epilogue(shader.words, difference)).has_function("stored"));
  const ShaderCode without_one = shaders::copy();
  CHECK(std::ranges::equal(with_epilogue(without_one.words, {}), without_one.words));
}

TEST_CASE("vulkan epilogue: a written function has the calls that the epilogue has") {
  SpirvModule module(shaders::conv2d().words);
  const std::size_t before = count(module.words(), op_function_call);
  const auto like = module.function("epilogue");
  Words parameters;
  const std::uint32_t id = module.begin_function(like, parameters);
  module.end_function(module.call(like, parameters));
  CHECK(id != like.id);
  CHECK(count(module.words(), op_function_call) == before + 1);
}

TEST_CASE("vulkan epilogue: what is written is valid SPIR-V") {
  if (!has_program("spirv-val")) return skip("spirv-val is not installed");
  const ScratchFolder scratch;
  for (const ShaderCode& shader :
       {shaders::unary_real(), shaders::binary_real(), shaders::tiled_matmul(), shaders::conv2d()}) {
    CAPTURE(shader.name);
    for (const Epilogue& epilogue : {example, Epilogue{}}) {
      const Words written = with_epilogue(shader.words, epilogue);
      const auto file = scratch.path() / "shader.spv";
      std::ofstream(file, std::ios::binary)
          .write(reinterpret_cast<const char*>(written.data()), std::streamsize(written.size() * 4));
      const ShellResult result =
          run_shell("spirv-val --target-env vulkan1.2 --scalar-block-layout " + shell_word(file) + " 2>&1");
      CHECK_MESSAGE(result.status == 0, result.output);
    }
  }
}

TEST_CASE("vulkan epilogue: words that are no shader are refused") {
  CHECK_THROWS_AS(SpirvModule(Words{}), schema::Error);
  Words words(shaders::conv2d().words.begin(), shaders::conv2d().words.end());
  CHECK_THROWS_AS(SpirvModule(words).function("no_such_function"), schema::Error);
  CHECK_THROWS_AS(with_epilogue(shaders::copy().words, example), schema::Error);  // a shader without an epilogue
  words.back() += 1u << 16;  // an instruction that is longer than the module
  CHECK_THROWS_AS(SpirvModule{words}, schema::Error);
}

}  // namespace webnn::tests::epilogue_test
