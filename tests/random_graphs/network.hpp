// Networks made by chance: valid graphs over all operators and data types, with the data that they run on.
#pragma once

#include <cstdint>
#include <string_view>

#include "compiler/ir/graph.hpp"
#include "tests/harness/evaluate_graph.hpp"

namespace webnn::tests {

struct NetworkOptions {
  bool small = false;  // at most 12 operators and few elements: for devices that are slow to prepare
};

struct Network {
  compiler::Graph graph;
  TestTensors inputs;
  bool specials = false;  // NaN, infinities, zeros of both signs, denormals and the greatest numbers are among the data
};

/// 2 to 40 operators; values are used several times, outputs lie in the middle, too; sizes are 1 to 300, many of them
/// prime. Few numbers are NaN or infinite where the data has neither: what would make many is not added. The same seed
/// gives the same network on every machine with the same C library's math functions, on whose results that depends.
Network random_network(std::uint32_t seed, const NetworkOptions& options = {});

/// A small one from the bytes of a fuzzer: each piece of them decides one operator, so that changed, inserted and removed
/// bytes change, insert and remove operators. It has no outputs when chance gave no correct call.
Network network_of_bytes(std::string_view bytes);

}  // namespace webnn::tests
