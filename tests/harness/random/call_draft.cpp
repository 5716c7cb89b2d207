#include "tests/harness/random/call_draft.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>

#include "tests/harness/random/random_elements.hpp"
#include "tests/harness/random/random_graph.hpp"

namespace webnn::tests {
namespace {

constexpr std::uint64_t most_elements = 200000;

}  // namespace

CallDraft::CallDraft(OperatorId op, DataType type, std::mt19937& engine) : row_(row(op)), type_(type), engine_(engine) {
  call_.spec.op = op;
  call_.spec.attributes = Attributes(row_.attributes.size());
}

std::optional<RandomCall> CallDraft::finish() {
  KernelSpec& spec = call_.spec;
  const Inference inference = check_operator(SpecCall(spec));
  if (!inference.ok() || inference.outputs().empty()) return std::nullopt;
  spec.outputs = inference.outputs();
  for (const OperandDescriptor& output : spec.outputs)
    if (element_count(output.shape) > most_elements) return std::nullopt;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    call_.inputs.push_back(spec.inputs[i] ? std::optional(random_elements(spec, i, engine_)) : std::nullopt);
  return std::move(call_);
}

CallDraft::Sizes CallDraft::sizes(unsigned rank) {
  Sizes list(rank);
  for (std::uint32_t& item : list) item = size(rank <= 2 ? 300 : rank == 3 ? 60 : 20);
  return list;
}

CallDraft::Sizes CallDraft::permutation(unsigned count) {
  Sizes list(count);
  std::iota(list.begin(), list.end(), 0u);
  std::shuffle(list.begin(), list.end(), engine_);
  return list;
}

CallDraft::Sizes CallDraft::some_axes(unsigned of_rank) {
  Sizes axes = permutation(of_rank);
  axes.resize(of_rank == 0 ? 0 : below(of_rank + 1));
  return axes;
}

CallDraft::Sizes CallDraft::broadcastable(const Sizes& shape) {
  Sizes part(shape.begin() + (chance(2) ? std::ptrdiff_t(below(std::uint32_t(shape.size()) + 1)) : 0), shape.end());
  for (std::uint32_t& item : part)
    if (chance(3)) item = 1;
  return part;
}

void CallDraft::operand(const Sizes& shape, std::optional<DataType> type) {
  call_.spec.inputs.push_back(OperandDescriptor{type.value_or(type_), Shape(shape)});
}

void CallDraft::maybe(const Sizes& shape) {
  if (chance(3)) {
    absent();
  } else {
    operand(shape);
  }
}

std::size_t CallDraft::attribute_index(std::string_view name) const {
  const int index = row_.attribute_index(name);
  if (index < 0) throw std::runtime_error(std::string(row_.name) + " has no attribute " + std::string(name));
  return std::size_t(index);
}

void CallDraft::draw(std::string_view name) {
  const std::size_t index = attribute_index(name);
  call_.spec.attributes[index] = random_attribute(engine_, row_.attributes[index], input(0));
}

void CallDraft::draw_all() {
  for (const AttributeRow& attribute : row_.attributes) draw(attribute.name);
}

}  // namespace webnn::tests
