// The ways to run a graph: dispatch, compute, bindings and recorded commands.
#include <memory>
#include <utility>
#include <vector>

#include "api/state.hpp"

namespace webnn {
namespace {

/// Copies of the caller's handles, which keep tensors alive during a dispatch even if the caller's own handles end.
std::vector<Tensor> handles(const NamedTensors& inputs, const NamedTensors& outputs) {
  std::vector<Tensor> tensors;
  for (const NamedTensors* named : {&inputs, &outputs})
    for (const auto& entry : *named) tensors.push_back(entry.second);
  return tensors;
}

}  // namespace

// ---- dispatch and compute

void Context::dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs) {
  state().context.dispatch(graph.state().id, NamedList(inputs, Tensor::State::id_of),
                           NamedList(outputs, Tensor::State::id_of));
}

void Context::compute(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs) {
  const std::shared_ptr<State> kept = state_;  // a callback that runs here may destroy the caller's handle
  state().context.compute(graph.state().id, NamedList(inputs, Tensor::State::id_of),
                          NamedList(outputs, Tensor::State::id_of));
}

// ---- bindings

struct Bindings::State {
  State(std::shared_ptr<runtime::Bindings> resolved, Graph its_graph, std::vector<Tensor> its_tensors)
      : bindings(std::move(resolved)), graph(std::move(its_graph)), tensors(std::move(its_tensors)) {}

  std::shared_ptr<runtime::Bindings> bindings;
  Graph graph;
  std::vector<Tensor> tensors;
};

Bindings::State& Bindings::state() const {
  if (!state_) refuse("the bindings are empty", "they were moved from");
  return *state_;
}

Bindings Context::bind(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs) {
  auto bindings = state().context.bind(graph.state().id, NamedList(inputs, Tensor::State::id_of),
                                       NamedList(outputs, Tensor::State::id_of));
  return Bindings(std::make_shared<Bindings::State>(std::move(bindings), graph, handles(inputs, outputs)));
}

void Context::dispatch(const Bindings& bindings) { state().context.dispatch(bindings.state().bindings); }

void Context::compute(const Bindings& bindings) {
  const std::shared_ptr<State> kept = state_;  // a callback that runs here may destroy the caller's handle
  state().context.compute(bindings.state().bindings);
}

// ---- recorded commands

struct CommandBuffer::State {
  std::shared_ptr<Context::State> context;
  std::shared_ptr<runtime::Recording> recording = std::make_shared<runtime::Recording>();
  std::vector<Graph> graphs;
  std::vector<Tensor> tensors;
};

CommandBuffer::State& CommandBuffer::state() const {
  if (!state_) refuse("the command buffer is empty", "it was moved from");
  return *state_;
}

CommandEncoder Context::createCommandEncoder() {
  state().context.check_open();
  auto commands = std::make_shared<CommandBuffer::State>();
  commands->context = state_;
  return CommandEncoder(std::move(commands));
}

CommandBuffer::State& CommandEncoder::state() const {
  if (!state_) refuse("the encoder is finished", "use a new encoder");
  return *state_;
}

void CommandEncoder::initializeGraph(const Graph& graph) {
  const runtime::ExecutableId id = graph.state().id;
  if (state().recording->is_initialized(id)) refuse("the graph is initialized already");
  state_->context->context.initialize(id);
  state_->recording->initialize(id);
  state_->graphs.push_back(graph);
}

void CommandEncoder::dispatch(const Graph& graph, const NamedTensors& inputs, const NamedTensors& outputs) {
  CommandBuffer::State& commands = state();
  auto bindings = commands.context->context.bind(graph.state().id, NamedList(inputs, Tensor::State::id_of),
                                                 NamedList(outputs, Tensor::State::id_of));
  if (!commands.recording->is_initialized(graph.state().id))
    refuse("the graph is not initialized", "record initializeGraph before its first dispatch");
  commands.recording->add(std::move(bindings));
  for (Tensor& tensor : handles(inputs, outputs)) commands.tensors.push_back(std::move(tensor));
}

CommandBuffer CommandEncoder::finish() {
  state();
  return CommandBuffer(std::exchange(state_, nullptr));
}

void Context::submit(const CommandBuffer& commandBuffer) {
  runtime::Context& context = state().context;
  if (commandBuffer.state().context != state_) refuse("the command buffer belongs to another context");
  context.submit(commandBuffer.state().recording);
}

}  // namespace webnn
