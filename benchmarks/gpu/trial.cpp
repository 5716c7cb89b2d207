#include "benchmarks/gpu/trial.hpp"

#include <cmath>
#include <limits>

#include "models/writer/random.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::benchmarks {

using namespace schema;
using runtime::TensorId;

std::vector<Data> random_data(const Program& program) {
  std::vector<Data> all;
  models::Random chance(1);
  for (const Binding& input : program.inputs) {
    Data& data = all.emplace_back(Data{input, std::vector<std::byte>(byte_length(input.descriptor))});
    const std::size_t count = element_count(input.descriptor.shape);
    const DataType type = input.descriptor.type;
    const bool real = type == DataType::float32 || type == DataType::float16;
    // Wider integers are indices into the shortest axis of the list that is gathered from.
    constexpr std::uint32_t indices = 1000;
    const std::uint32_t numbers = bits_of(type) <= 8 ? 1u << bits_of(type) : indices;
    const std::int64_t least = bits_of(type) <= 8 && is_signed(type) ? -std::int64_t(numbers) / 2 : 0;
    for (std::size_t i = 0; i < count; ++i)
      store_element(real ? Number(double(chance.uniform(-1, 1))) : Number(least + std::int64_t(chance.below(numbers))),
                    type, data.bytes.data(), i);
  }
  return all;
}

Trial::Trial(runtime::Context& context, Program program, std::span<const Data> data, std::size_t sets)
    : context_(context), times_(program.steps.size()) {
  outputs_ = program.outputs;
  executable_ = context_.load(std::move(program));
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<runtime::NamedTensor> inputs, outputs;
    for (const Data& input : data) {
      inputs.push_back({input.binding.name, keep(context_.create_tensor({input.binding.descriptor, false, true}))});
      context_.write(inputs.back().tensor, input.bytes);
    }
    for (const Binding& output : outputs_)
      outputs.push_back({output.name, keep(context_.create_tensor({output.descriptor, true, false}))});
    results_.push_back(outputs.front().tensor);
    bindings_.push_back(context_.bind(executable_, inputs, outputs));
  }
}

Trial::~Trial() {
  bindings_.clear();
  context_.destroy(executable_);
  for (const TensorId tensor : tensors_) context_.destroy(tensor);
}

double Trial::run_timed() {
  context_.compute_timed(next(), times_);
  return double(times_.back().end - times_.front().begin) * 1e-9;
}

double Trial::run() {
  const auto begin = Clock::now();
  context_.compute(next());
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double Trial::run_all(std::size_t count) {
  const auto begin = Clock::now();
  for (std::size_t i = 0; i < count; ++i) context_.dispatch(next());
  context_.wait();
  return std::chrono::duration<double>(Clock::now() - begin).count() / double(count);
}

std::vector<std::byte> Trial::result_of_run() {
  run();
  return result();
}

double difference(const OperandDescriptor& descriptor, std::span<const std::byte> a, std::span<const std::byte> b) {
  constexpr std::size_t samples = 40'000, ends = 300;
  const std::size_t count = element_count(descriptor.shape);
  models::Random chance(2);
  double most = 0, largest = 0;
  for (std::size_t sample = 0; sample < std::min(count, samples); ++sample) {
    const bool is_first = count <= samples || sample < ends, is_last = !is_first && sample < 2 * ends;
    const std::size_t i = is_first ? sample : is_last ? count - 1 - (sample - ends) : chance.bits() % count;
    const double x = load_element(descriptor.type, a.data(), i).as_double(),
                 y = load_element(descriptor.type, b.data(), i).as_double();
    if (std::isnan(x) != std::isnan(y)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(y));
    if (!std::isnan(x)) most = std::max(most, std::abs(x - y));
  }
  return largest > 0 ? most / largest : most;
}

}  // namespace webnn::benchmarks
