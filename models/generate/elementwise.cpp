// Chains of elementwise operators on a million numbers: as fast as memory when they are fused.
#include <span>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/layers.hpp"

namespace webnn::models {
namespace {

/// The second operand of a link of the chain.
enum class Other : std::uint8_t { none, second_input, row, number };

struct Link {
  const char* op;
  Other other = Other::none;
  double number = 0;
};

constexpr Link chain_4[] = {{"add", Other::second_input}, {"relu"}, {"mul", Other::number, 0.5}, {"sub", Other::row}};

constexpr Link chain_16[] = {{"mul", Other::row},
                             {"add", Other::row},
                             {"sigmoid"},
                             {"mul", Other::second_input},
                             {"tanh"},
                             {"abs"},
                             {"add", Other::number, 1},
                             {"sqrt"},
                             {"reciprocal"},
                             {"sub", Other::second_input},
                             {"leakyRelu"},
                             {"max", Other::number, -2},
                             {"min", Other::number, 2},
                             {"exp"},
                             {"div", Other::number, 4},
                             {"hardSwish"}};
static_assert(std::size(chain_4) == 4 && std::size(chain_16) == 16);

void write_chain(GraphWriter& graph, std::span<const Link> chain) {
  constexpr std::uint32_t side = 1024;
  Layers layers(graph);
  Tensor x = graph.input("x", {side, side});
  const Tensor y = graph.input("y", {side, side});
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const std::string name = chain[i].op + std::to_string(i + 1);
    switch (chain[i].other) {
      case Other::none:
        x = layers.unary(name, chain[i].op, x);
        break;
      case Other::second_input:
        x = graph.node(name, chain[i].op, {x, y}, x.shape);
        break;
      case Other::row:
        x = graph.node(name, chain[i].op, {x, layers.normal(name + ".row", {side}, 1)}, x.shape);
        break;
      case Other::number:
        x = graph.node(name, chain[i].op, {x, graph.filled(name + ".number", "float32", {}, chain[i].number)}, x.shape);
        break;
    }
  }
  graph.output("result", x.name);
}

}  // namespace

void write_elementwise_4(GraphWriter& graph) { write_chain(graph, chain_4); }
void write_elementwise_16(GraphWriter& graph) { write_chain(graph, chain_16); }

}  // namespace webnn::models
