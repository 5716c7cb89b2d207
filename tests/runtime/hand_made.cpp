#include "tests/runtime/hand_made.hpp"

#include <cstring>
#include <memory>
#include <utility>

#include "api/kernels.hpp"

namespace webnn::tests {

std::vector<std::byte> bytes_of(std::vector<float> values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> floats_of(std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::uint32_t ProgramMaker::add_value(std::string name, Slot slot) {
  program.values.push_back({std::move(name), descriptor_, Layout::row_major, slot});
  return std::uint32_t(program.values.size() - 1);
}

std::uint32_t ProgramMaker::input(std::string name) {
  const auto index = std::uint32_t(program.inputs.size());
  const std::uint32_t value = add_value(name, {Slot::Kind::input, index, 0, bytes()});
  program.inputs.push_back({std::move(name), descriptor_, value});
  return value;
}

void ProgramMaker::unused_input(std::string name) {
  program.inputs.push_back({std::move(name), descriptor_, no_index});
}

std::uint32_t ProgramMaker::constant(std::vector<float> values, std::size_t misalignment) {
  const auto owner = std::make_shared<std::vector<std::byte>>(bytes_of(std::move(values)));
  const std::size_t size = owner->size();
  owner->insert(owner->begin(), misalignment, std::byte{0xff});
  program.constants.push_back(Bytes(owner, std::span(*owner).subspan(misalignment, size)));
  const auto index = std::uint32_t(program.constants.size() - 1);
  return add_value("constant" + std::to_string(index), {Slot::Kind::constant, index, 0, bytes()});
}

void ProgramMaker::output(std::string name, std::uint32_t value) {
  program.values[value].slot = {Slot::Kind::output, std::uint32_t(program.outputs.size()), 0, bytes()};
  program.outputs.push_back({std::move(name), descriptor_, value});
}

std::uint32_t ProgramMaker::step(std::string_view kernel, std::string_view op, std::vector<std::uint32_t> inputs) {
  const std::uint64_t stride = (bytes() + arena_alignment - 1) / arena_alignment * arena_alignment;
  const std::uint32_t result = add_value(std::string(op), {Slot::Kind::arena, 0, program.arena_bytes, bytes()});
  program.arena_bytes += stride;
  const OperatorId id = *find_operator(op);
  program.steps.push_back({*api::find_kernel(kernel),
                           id,
                           Attributes(row(id).attributes.size()),
                           {},
                           std::move(inputs),
                           {result},
                           std::string(op)});
  return result;
}

std::uint32_t ProgramMaker::unary(std::string_view op, std::uint32_t x) { return step("reference.unary", op, {x}); }

std::uint32_t ProgramMaker::binary(std::string_view op, std::uint32_t a, std::uint32_t b) {
  return step("reference.binary", op, {a, b});
}

Program small_program(std::uint32_t size) {
  ProgramMaker maker(size);
  const std::uint32_t x = maker.input("x");
  std::vector<float> bias(size);
  for (std::uint32_t i = 0; i < size; ++i) bias[i] = i % 2 ? 1.0f : -1.0f;
  const std::uint32_t sum = maker.binary("add", x, maker.constant(bias));
  maker.output("y", maker.binary("mul", maker.unary("relu", sum), x));
  return std::move(maker.program);
}

Program small_gpu_program(std::uint32_t size) {
  Program program = small_program(size);
  program.target.device = DeviceKind::vulkan;
  for (Step& step : program.steps)
    step.kernel = *api::find_kernel(row(step.op).family == Family::unary ? "vulkan.unary" : "vulkan.binary");
  return program;
}

}  // namespace webnn::tests
