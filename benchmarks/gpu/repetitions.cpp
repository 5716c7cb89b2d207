#include "benchmarks/gpu/repetitions.hpp"

#include "schema/error.hpp"

namespace webnn::benchmarks {

using namespace schema;

namespace {

const Step& only_step(const Program& program) {
  const auto is_operand = [&](std::uint32_t value) {
    return value == no_index || program.values[value].slot.kind == Slot::Kind::input;
  };
  if (program.steps.size() == 1 && std::ranges::all_of(program.steps[0].inputs, is_operand)) return program.steps[0];
  throw Error(ExitCode::internal, "the call is not one step on the inputs of its graph");
}

}  // namespace

Repetitions::Repetitions(runtime::vulkan::VulkanDevice& device, const Program& program, std::span<const Data> data,
                         std::size_t sets)
    : device_(device) {
  const Step& step = only_step(program);
  const KernelSpec spec = spec_of(program, step);
  kernel_ = device.make_kernel(step.kernel, spec, std::vector<std::span<const std::byte>>(spec.inputs.size()));
  scratch_ = device.allocate(kernel_.shared_bytes());
  result_bytes_ = byte_length(spec.outputs[0]);
  output_ = device.allocate(result_bytes_);
  output_address_ = output_.address();
  for (std::size_t set = 0; set < sets; ++set) {
    std::vector<const std::byte*> of_inputs;
    for (const Data& input : data) {
      inputs_.push_back(device.allocate(input.bytes.size()));
      device.upload(inputs_.back(), input.bytes);
      of_inputs.push_back(inputs_.back().address());
    }
    std::vector<const std::byte*>& addresses = input_addresses_.emplace_back();
    for (const std::uint32_t value : step.inputs)
      addresses.push_back(value == no_index ? nullptr : of_inputs[program.values[value].slot.index]);
  }
  repeat(1);
}

void Repetitions::repeat(std::size_t count) {
  sequence_.reset();
  invocations_.clear();
  for (std::size_t i = 0; i < count; ++i)
    invocations_.push_back({&kernel_,
                            {input_addresses_[i % input_addresses_.size()],
                             {&output_address_, 1},
                             runtime::ScratchMemory(scratch_.address())}});
  sequence_ = device_.prepare(invocations_, {});
}

double Repetitions::run() {
  runtime::StepTime time;
  sequence_->run_timed({&time, 1});
  return double(time.end - time.begin) * 1e-9 / double(count());
}

std::vector<std::byte> Repetitions::result() {
  std::vector<std::byte> bytes(result_bytes_);
  device_.download(bytes, output_);
  return bytes;
}

}  // namespace webnn::benchmarks
