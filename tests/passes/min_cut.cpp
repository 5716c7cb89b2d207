// The cut against all divisions of small networks made by chance.
#include "compiler/passes/parts/min_cut.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>

namespace webnn::tests::min_cut_test {
namespace {

using webnn::compiler::MinCut;

struct Arc {
  std::uint32_t from, to;
  std::uint64_t capacity;
};

template <typename InPart>
std::uint64_t cost(const std::vector<Arc>& arcs, InPart in_source_part) {
  std::uint64_t sum = 0;
  for (const Arc& arc : arcs)
    if (in_source_part(arc.from) && !in_source_part(arc.to)) sum += arc.capacity;
  return sum;
}

}  // namespace

TEST_CASE("min_cut: cheapest of all divisions, with the least source's part") {
  std::mt19937 engine(3);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const std::uint32_t nodes = 2 + engine() % 8;
    std::vector<Arc> arcs;
    MinCut network;
    for (std::uint32_t i = 2; i < nodes; ++i) network.add_node();
    for (std::uint32_t i = 0; i < 3 * nodes; ++i) {
      const Arc arc{std::uint32_t(engine() % nodes), std::uint32_t(engine() % nodes), engine() % 5};
      if (arc.from == arc.to) continue;
      arcs.push_back(arc);
      network.add_arc(arc.from, arc.to, arc.capacity);
    }
    const std::vector<bool> part = network.source_part();
    REQUIRE(part.size() == nodes);
    CHECK(part[MinCut::source]);
    CHECK_FALSE(part[MinCut::sink]);
    const std::uint64_t found = cost(arcs, [&](std::uint32_t node) { return bool(part[node]); });
    for (std::uint32_t division = 1; division < 1u << nodes; division += 4) {  // with the source, without the sink
      const std::uint64_t other = cost(arcs, [&](std::uint32_t node) { return (division >> node) & 1u; });
      CHECK(found <= other);
      if (found != other) continue;
      for (std::uint32_t node = 0; node < nodes; ++node)
        if (part[node]) CHECK(((division >> node) & 1u) == 1);
    }
  }
}

TEST_CASE("min_cut: a path of a hundred thousand nodes") {
  MinCut network;
  std::uint32_t last = MinCut::source;
  for (int i = 0; i < 100000; ++i) {
    const std::uint32_t node = network.add_node();
    network.add_arc(last, node, i == 70000 ? 3 : 5);
    network.add_arc(node, last, 5);
    last = node;
  }
  network.add_arc(last, MinCut::sink, MinCut::never);
  const std::vector<bool> part = network.source_part();
  CHECK(std::count(part.begin(), part.end(), true) == 70001);
}

}  // namespace webnn::tests::min_cut_test
