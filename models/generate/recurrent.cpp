// Two recurrent layers on a sequence, with lstm or gru.
#include <cmath>

#include "models/generate/architectures.hpp"
#include "models/generate/layers/layers.hpp"

namespace webnn::models {
namespace {

namespace recurrent {
constexpr std::uint32_t steps = 64, batch = 1, features = 256, hidden = 256, layer_count = 2;
}  // namespace recurrent

/// `gates` matrices a layer; `states` results come before the sequence.
void write_recurrent(GraphWriter& graph, const std::string& op, std::uint32_t gates,
                     const std::vector<std::string>& states, const Options& more_options) {
  Layers layers(graph);
  const float deviation = 1 / std::sqrt(3 * float(recurrent::hidden));  // as uniform in +-1/sqrt(hidden)
  Tensor x = graph.input("sequence", {recurrent::steps, recurrent::batch, recurrent::features});
  for (std::uint32_t i = 1; i <= recurrent::layer_count; ++i) {
    const std::string name = op + std::to_string(i);
    const Tensor weight = layers.normal(name + ".weight", {1, gates * recurrent::hidden, x.shape[2]}, deviation);
    const Tensor recurrent =
        layers.normal(name + ".recurrentWeight", {1, gates * recurrent::hidden, recurrent::hidden}, deviation);
    Options options = {{"steps", recurrent::steps}, {"hiddenSize", recurrent::hidden}};
    options["bias"] = layers.normal(name + ".bias", {1, gates * recurrent::hidden}, deviation).name;
    options["recurrentBias"] = layers.normal(name + ".recurrentBias", {1, gates * recurrent::hidden}, deviation).name;
    options.update({{"returnSequence", true}, {"direction", "forward"}});
    options.update(more_options);

    std::vector<std::string> outputs;
    for (const std::string& state : states) outputs.push_back(name + "." + state);
    outputs.push_back(name + ".sequence");
    graph.multi_output_node(name, op, {x, weight, recurrent}, outputs, options);
    const Tensor sequence{name + ".sequence", {recurrent::steps, 1, recurrent::batch, recurrent::hidden}};
    x = layers.reshape(name + ".flat", sequence, {recurrent::steps, recurrent::batch, recurrent::hidden});
  }
  graph.output("hidden", x.name);
}

}  // namespace

void write_lstm(GraphWriter& graph) {
  write_recurrent(graph, "lstm", 4, {"hiddenState", "cellState"}, {{"layout", "iofg"}});
}

void write_gru(GraphWriter& graph) {
  write_recurrent(graph, "gru", 3, {"hiddenState"}, {{"resetAfter", true}, {"layout", "zrn"}});
}

}  // namespace webnn::models
