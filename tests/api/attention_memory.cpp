// Attention written out in small operators needs memory that grows with the number of tokens, not with its square.
#include <doctest/doctest.h>
#include <string>

#include "api/runner/session.hpp"
#include "compiler/ir/parse.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::attention_memory_test {
namespace {

using namespace schema;

constexpr std::size_t heads = 4, features = 16;

/// Self-attention between two elementwise operators, so that operands and result lie in the arena.
std::string attention_of(std::size_t tokens) {
  const std::string t = std::to_string(tokens), h = std::to_string(heads), f = std::to_string(features);
  return "graph \"attention\" {\n  %given = input float32[1, " + t + ", " + h + ", " + f +
         "]\n"
         "  %mask = input float32[1, 1, " +
         t + ", " + t +
         "]\n"
         "  %x = sin(%given)\n"
         "  %query = transpose(%x) {permutation=[0, 2, 1, 3]}\n"
         "  %key = transpose(%x) {permutation=[0, 2, 3, 1]}\n"
         "  %factor = constant float32[] {0.25}\n"
         "  %scores = matmul(%query, %key)\n"
         "  %scaled = mul(%scores, %factor)\n"
         "  %masked = add(%scaled, %mask)\n"
         "  %weights = softmax(%masked) {axis=3}\n"
         "  %mixed = matmul(%weights, %query)\n"
         "  %tokens = transpose(%mixed) {permutation=[0, 2, 1, 3]}\n"
         "  %y = reduceSum(%tokens) {axes=[2]}\n"
         "  output \"y\" = %y\n}\n";
}

struct Memory {
  std::size_t arena, scratch;
};
Memory memory_of(std::size_t tokens) {
  Diagnostics diagnostics;
  auto graph = compiler::parse(attention_of(tokens), {}, diagnostics);
  REQUIRE(graph);
  api::Session session({.threads = 2});
  REQUIRE(session.compile(std::move(*graph), {}, diagnostics));
  const auto& executable = session.context().executable(session.executable());
  return {executable.arena_bytes(), executable.scratch_bytes()};
}

}  // namespace

TEST_CASE("attention: memory grows with the number of tokens, not with its square") {
  if (!machine_has(schema::Feature::avx2)) return skip(machine_lacks(schema::Feature::avx2));
  constexpr std::size_t token_bytes = heads * features * sizeof(float);
  const Memory few = memory_of(128);
  for (const std::size_t tokens : {128u, 512u, 2048u}) {
    CAPTURE(tokens);
    const Memory memory = memory_of(tokens);
    CHECK(memory.arena == 2 * tokens * token_bytes);  // what is attended to, and the result
    CHECK(memory.scratch <= 2 * few.scratch);
    MESSAGE(tokens << " tokens: " << memory.arena << " bytes of arena, " << memory.scratch << " of scratch");
  }
}

}  // namespace webnn::tests::attention_memory_test
