#include "cli/test/lost_subnormals.hpp"

#include <algorithm>
#include <cmath>

#include "api/runner/session.hpp"
#include "schema/elements/elements.hpp"

namespace webnn::cli {

using namespace schema;
using compiler::NamedTensor;

namespace {

bool is_subnormal(const Number& number) { return std::fpclassify(float(number.as_double())) == FP_SUBNORMAL; }

bool has_subnormals(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  if (descriptor.type != DataType::float32) return false;
  for (std::uint64_t i = 0; i < element_count(descriptor.shape); ++i)
    if (is_subnormal(load_element(descriptor.type, bytes.data(), i))) return true;
  return false;
}
bool has_subnormals(const NamedTensor& tensor) {
  return has_subnormals(tensor.tensor.descriptor, tensor.tensor.data.view());
}
bool has_subnormals(const compiler::Value& value) {
  return value.kind == compiler::Value::Kind::constant && has_subnormals(value.descriptor, value.data.view());
}

/// With zeros of the same signs.
std::vector<std::byte> with_zeros(const OperandDescriptor& descriptor, std::span<const std::byte> bytes) {
  std::vector<std::byte> result(bytes.begin(), bytes.end());
  if (descriptor.type != DataType::float32) return result;
  for (std::uint64_t i = 0; i < element_count(descriptor.shape); ++i)
    if (const Number number = load_element(descriptor.type, bytes.data(), i); is_subnormal(number))
      store_element(Number(std::copysign(0.0, number.as_double())), descriptor.type, result.data(), i);
  return result;
}

}  // namespace

std::optional<LostSubnormals> LostSubnormals::of(const compiler::Graph& graph, const std::vector<NamedTensor>& inputs,
                                                 const std::vector<NamedTensor>& expected) {
  const auto has_some = [](const NamedTensor& tensor) { return has_subnormals(tensor); };
  bool has_any = std::ranges::any_of(inputs, has_some) || std::ranges::any_of(expected, has_some);
  for (std::uint32_t i = 0; i < graph.value_count() && !has_any; ++i) has_any = has_subnormals(graph.value({i}));
  if (!has_any) return std::nullopt;
  return LostSubnormals(graph, inputs);
}

LostSubnormals::LostSubnormals(const compiler::Graph& graph, const std::vector<NamedTensor>& inputs)
    : graph_(graph), inputs_(inputs) {
  for (NamedTensor& input : inputs_)
    input.tensor.data = Bytes(with_zeros(input.tensor.descriptor, input.tensor.data.view()));
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    const compiler::Value& value = graph.value({i});
    if (!has_subnormals(value)) continue;
    graph_.replace_uses(
        {i}, graph_.add_constant(value.name, value.descriptor, Bytes(with_zeros(value.descriptor, value.data.view()))));
  }
}

void LostSubnormals::compute() {
  is_computed_ = true;
  api::Session cpu(ContextOptions{.threads = 1});
  Diagnostics diagnostics;
  if (!cpu.compile(graph_, {}, diagnostics)) return;
  std::vector<std::span<const std::byte>> views;
  for (const Binding& binding : cpu.inputs()) {
    const auto input = std::ranges::find(inputs_, binding.name, &NamedTensor::name);
    if (input == inputs_.end()) return;
    views.push_back(input->tensor.data.view());
  }
  std::vector<std::vector<std::byte>> results = cpu.run(views);
  for (std::size_t i = 0; i < results.size(); ++i)
    results_.emplace_back(cpu.outputs()[i].name, with_zeros(cpu.outputs()[i].descriptor, results[i]));
}

bool LostSubnormals::explain(const NamedTensor& wanted, std::span<const std::byte> actual, const Tolerance& tolerance) {
  if (!is_computed_) compute();
  const OperandDescriptor& descriptor = wanted.tensor.descriptor;
  std::vector<std::vector<std::byte>> possible{with_zeros(descriptor, wanted.tensor.data.view())};
  for (const auto& [name, result] : results_)
    if (name == wanted.name) possible.push_back(result);
  // Of what each element may be, the nearest to what it is.
  const std::span<const std::byte> expected = wanted.tensor.data.view();
  std::vector<std::byte> nearest(expected.begin(), expected.end());
  for (std::uint64_t i = 0; i < element_count(descriptor.shape); ++i) {
    const Number is = load_element(descriptor.type, actual.data(), i);
    const auto distance = [&](std::span<const std::byte> of) {
      return ulp_distance(descriptor.type, is, load_element(descriptor.type, of.data(), i));
    };
    for (const std::vector<std::byte>& one : possible)
      if (distance(one) < distance(nearest))
        store_element(load_element(descriptor.type, one.data(), i), descriptor.type, nearest.data(), i);
  }
  return compare_tensors(descriptor, actual, nearest, tolerance).passed();
}

}  // namespace webnn::cli
