#include "api/runner/session.hpp"

#include <future>
#include <utility>

#include "api/devices.hpp"
#include "api/runner/compile_program.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/threads/processors.hpp"

namespace webnn::api {

using namespace schema;

Session::Session(const ContextOptions& options)
    : provider_(parse_device_name(options.device).provider),
      limits_{options.maxMemory, options.maxWork},
      context_(open_device(options), runtime::threads_for(options.threads)) {}

bool Session::compile(compiler::Graph graph, compiler::Options options, Diagnostics& diagnostics) {
  const AccountScope account(limits_.memory);
  options.max_work = limits_.work;
  const runtime::Team team(context_.threads());
  auto compiled = compile_program(std::move(graph), std::move(options), context_.device(), provider_, diagnostics);
  if (!compiled) return false;
  load(std::move(*compiled));
  return true;
}

void Session::load(Program ready) {
  for (const auto* tensors : {&input_tensors_, &output_tensors_})
    for (const runtime::NamedTensor& tensor : *tensors) context_.destroy(tensor.tensor);
  input_tensors_.clear();
  output_tensors_.clear();
  if (executable_.context) context_.destroy(std::exchange(executable_, {}));
  executable_ = context_.load(std::move(ready), limits_);
  for (const Binding& input : program().inputs)
    input_tensors_.push_back({input.name, context_.create_tensor({input.descriptor, false, true})});
  for (const Binding& output : program().outputs)
    output_tensors_.push_back({output.name, context_.create_tensor({output.descriptor, true, false})});
}

std::span<const Binding> Session::inputs() const { return program().inputs; }
std::span<const Binding> Session::outputs() const { return program().outputs; }

std::vector<std::vector<std::byte>> Session::run(std::span<const std::span<const std::byte>> inputs) {
  for (std::size_t i = 0; i < input_tensors_.size(); ++i) context_.write(input_tensors_[i].tensor, inputs[i]);
  context_.dispatch(executable_, input_tensors_, output_tensors_);
  return read();
}

void Session::write(std::span<const std::span<const std::byte>> inputs) {
  for (std::size_t i = 0; i < input_tensors_.size(); ++i) context_.write(input_tensors_[i].tensor, inputs[i]);
  context_.wait();
}

std::vector<std::vector<std::byte>> Session::read() {
  std::vector<std::future<std::vector<std::byte>>> pending;
  for (const runtime::NamedTensor& output : output_tensors_) pending.push_back(context_.read(output.tensor));
  std::vector<std::vector<std::byte>> results;
  for (auto& future : pending) results.push_back(future.get());
  return results;
}

}  // namespace webnn::api
