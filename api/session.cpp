#include "api/session.hpp"

#include <algorithm>
#include <future>
#include <utility>

#include "api/devices.hpp"
#include "api/evaluate.hpp"
#include "runtime/cpu/cpu_features.hpp"

namespace webnn::api {

using namespace schema;

namespace {

/// Bytes of weights, arena and bound tensors.
std::uint64_t memory_of(const Program& program) {
  std::uint64_t bytes = program.arena_bytes;
  for (const Bytes& constant : program.constants) bytes += constant.size();
  for (const Binding& input : program.inputs) bytes += byte_length(input.descriptor);
  for (const Binding& output : program.outputs) bytes += byte_length(output.descriptor);
  return bytes;
}

}  // namespace

Session::Session(const SessionOptions& options)
    : provider_(parse_device_name(options.device).provider),
      max_memory_(options.max_memory),
      context_(open_device(parse_device_name(options.device), options.isa),
               options.threads != 0 ? options.threads : runtime::available_threads()) {}

bool Session::compile(compiler::Graph graph, compiler::Options options, Diagnostics& diagnostics) {
  options.target = context_.device().target();
  options.evaluate = reference_evaluate();
  if (options.kernels.empty()) options.kernels = provider_;
  auto compiled = compiler::compile(std::move(graph), options, diagnostics);
  if (!compiled) return false;
  if (const std::uint64_t bytes = memory_of(*compiled); max_memory_ != 0 && bytes > max_memory_)
    throw Error(
        ExitCode::resource,
        "the graph needs " + std::to_string(bytes) + " bytes of memory, the limit is " + std::to_string(max_memory_),
        "raise the limit, or use smaller dimensions");
  executable_ = context_.load(std::move(*compiled));
  input_tensors_.clear();
  output_tensors_.clear();
  for (const Binding& input : program().inputs)
    input_tensors_.push_back({input.name, context_.create_tensor({input.descriptor, false, true})});
  for (const Binding& output : program().outputs)
    output_tensors_.push_back({output.name, context_.create_tensor({output.descriptor, true, false})});
  return true;
}

std::span<const Binding> Session::inputs() const { return program().inputs; }
std::span<const Binding> Session::outputs() const { return program().outputs; }

std::vector<std::vector<std::byte>> Session::run(std::span<const std::span<const std::byte>> inputs) {
  for (std::size_t i = 0; i < input_tensors_.size(); ++i) context_.write(input_tensors_[i].tensor, inputs[i]);
  context_.dispatch(executable_, input_tensors_, output_tensors_);
  std::vector<std::future<std::vector<std::byte>>> pending;
  for (const runtime::NamedTensor& output : output_tensors_) pending.push_back(context_.read(output.tensor));
  std::vector<std::vector<std::byte>> results;
  for (auto& future : pending) results.push_back(future.get());
  return results;
}

}  // namespace webnn::api
