#include "tests/harness/run_operator.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "api/kernels.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/device.hpp"
#include "schema/elements/elements.hpp"
#include "tests/harness/lines_of_kernel.hpp"
#include "tests/harness/machine/allocation_counter.hpp"
#include "tests/harness/machine/guarded_memory.hpp"
#include "tests/harness/outputs_by_steps.hpp"

namespace webnn::tests {
namespace {

/// Elements of fewer bits than a byte are in whole bytes.
std::size_t element_alignment(const OperandDescriptor& tensor) {
  return std::max<std::size_t>(bits_of(tensor.type) / 8, 1);
}

/// Takes a plain number as the kind that the row asks for.
AttributeValue as_kind(const AttributeValue& value, AttributeKind kind) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    if (kind == AttributeKind::real) return double(*integer);
    if (kind == AttributeKind::number) return Number(*integer);
  }
  if (const auto* real = std::get_if<double>(&value); real && kind == AttributeKind::number) return Number(*real);
  return value;
}

}  // namespace

TestTensor tensor(DataType type, const Shape& shape, const Numbers& elements) {
  TestTensor result{{type, shape}, {}};
  if (elements.size() != element_count(shape))
    throw std::runtime_error(std::to_string(elements.size()) + " elements for " + result.descriptor.text());
  result.data.resize(byte_length(result.descriptor));
  for (std::size_t i = 0; i < elements.size(); ++i) store_element(elements[i], type, result.data.data(), i);
  return result;
}

TestTensor scalar(DataType type, Number element) { return tensor(type, {}, {element}); }

TestTensor counting(DataType type, const Shape& shape, int start) {
  Numbers elements(element_count(shape));
  for (Number& element : elements) element = Number(start++);
  return tensor(type, shape, elements);
}

Numbers numbers(const TestTensor& tensor) {
  Numbers elements;
  for (std::size_t i = 0; i < element_count(tensor.descriptor.shape); ++i)
    elements.push_back(load_element(tensor.descriptor.type, tensor.data.data(), i));
  return elements;
}

KernelSpec operator_spec(std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes) {
  const auto id = find_any_operator(op);
  if (!id) throw std::runtime_error("no operator is called " + std::string(op));
  KernelSpec spec;
  spec.op = *id;
  for (const auto& input : inputs)
    spec.inputs.push_back(input ? std::optional(input->descriptor) : std::optional<OperandDescriptor>());
  if (!row(*id).variadic()) spec.inputs.resize(row(*id).operands.size());
  spec.attributes = Attributes(row(*id).attributes.size());
  for (const NamedAttribute& attribute : attributes) {
    const int index = row(*id).attribute_index(attribute.name);
    if (index < 0) throw std::runtime_error(std::string(op) + " has no attribute " + std::string(attribute.name));
    spec.attributes[std::size_t(index)] = as_kind(attribute.value, row(*id).attributes[std::size_t(index)].kind);
  }
  const Inference inference = check_operator(SpecCall(spec));
  if (!inference.ok()) {
    std::string complaints = std::string(op) + ":";
    for (const CallError& error : inference.errors()) complaints += " " + error.message + ";";
    throw std::runtime_error(complaints);
  }
  spec.outputs = inference.outputs();
  return spec;
}

namespace {

/// How an operand lies at worst: a caller's at the end of its memory, aligned to an element; a packed constant at the
/// end of a mapped file; what a kernel may read past the end of, in the arena.
GuardedMemory memory_of_input(const KernelSpec& spec, std::size_t i, const OptionalTensors& inputs,
                              const RunOptions& options) {
  if (i >= inputs.size() || !inputs[i]) return {0, 1};
  const bool overread = i < 8 && ((options.overreads >> i) & 1u);
  const bool aligned = overread || spec.input_layout(i) == Layout::private_form || options.in_place == int(i);
  GuardedMemory memory(inputs[i]->data.size(), aligned ? arena_alignment : element_alignment(*spec.inputs[i]),
                       overread ? runtime::buffer_padding : 0);
  memory.fill(inputs[i]->data);
  return memory;
}

}  // namespace

std::vector<TestTensor> run_kernel(runtime::PrepareFunction prepare, const KernelSpec& spec,
                                   const OptionalTensors& inputs, const RunOptions& options) {
  std::vector<GuardedMemory> in, out;
  std::vector<const std::byte*> in_addresses;
  std::vector<std::byte*> out_addresses;
  std::vector<std::span<const std::byte>> constants(spec.inputs.size());
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    in.push_back(memory_of_input(spec, i, inputs, options));
    in_addresses.push_back(i < inputs.size() && inputs[i] ? in.back().data() : nullptr);
  }
  for (const std::size_t i : options.constants) constants[i] = {in[i].data(), inputs[i]->data.size()};
  for (const OperandDescriptor& output : spec.outputs) {
    out.emplace_back(byte_length(output), element_alignment(output));
    out_addresses.push_back(out.back().data());
  }
  if (options.in_place >= 0) out_addresses[0] = in[std::size_t(options.in_place)].data();

  const runtime::Kernel kernel = prepare(spec, constants);
  const GuardedMemory scratch(kernel.scratch_bytes, arena_alignment, runtime::buffer_padding);
  const AllocationCounter allocations;
  kernel.run({in_addresses, out_addresses, scratch.data()});
  if (!options.may_allocate && allocations.here() != 0)
    throw std::runtime_error("the kernel allocated memory while it ran");

  if (!scratch.intact()) throw std::runtime_error("the kernel wrote beside its scratch memory");
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!in[i].intact()) throw std::runtime_error("the kernel wrote beside input " + std::to_string(i));
    const bool overwritten = options.in_place == int(i);
    if (in_addresses[i] && !overwritten && in[i].content() != inputs[i]->data)
      throw std::runtime_error("the kernel changed input " + std::to_string(i));
  }
  std::vector<TestTensor> results;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].intact()) throw std::runtime_error("the kernel wrote beside output " + std::to_string(i));
    const bool in_place = i == 0 && options.in_place >= 0;
    results.push_back({spec.outputs[i], in_place ? in[std::size_t(options.in_place)].content() : out[i].content()});
  }
  check_lines(kernel, spec, inputs, results[0].data, scratch.data());
  return results;
}

runtime::PrepareFunction find_reference_kernel(const KernelSpec& spec) {
  Target cpu;
  cpu.device = DeviceKind::cpu;
  for (const runtime::ListedCpuKernel& candidate : runtime::cpu_kernels())
    if (candidate.row.provider() == "reference" && takes(candidate.row, spec, cpu)) return candidate.prepare;
  throw std::runtime_error("no reference kernel takes " + std::string(row(spec.op).name));
}

TestTensor in_layout(const TestTensor& tensor, Layout from, Layout to) {
  if (from == to || layouts_coincide(tensor.descriptor.shape)) return tensor;
  KernelSpec spec;
  spec.op = "@reorder"_op;
  spec.inputs = {tensor.descriptor};
  spec.outputs = {tensor.descriptor};
  spec.input_layouts = {from};
  spec.output_layouts = {to};
  return run_kernel(find_reference_kernel(spec), spec, {tensor})[0];
}

std::vector<TestTensor> run_operator(std::string_view op, const OptionalTensors& inputs,
                                     const NamedAttributes& attributes, const RunOptions& options) {
  const KernelSpec spec = operator_spec(op, inputs, attributes);
  return run_kernel(find_reference_kernel(spec), spec, inputs, options);
}

std::vector<TestTensor> run_steps(const KernelSpec& spec, const OptionalTensors& inputs) {
  return outputs_by_steps(spec, inputs, [](const KernelSpec& step, const OptionalTensors& operands) {
    return run_kernel(find_reference_kernel(step), step, operands);
  });
}

}  // namespace webnn::tests
