#include "tests/harness/random/random_elements.hpp"

#include <algorithm>
#include <array>

#include "schema/elements/elements.hpp"
#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {
namespace {

/// Whether the operand's elements must be above 0 for the results to be numbers of moderate size.
bool positive(const Operator& op, std::string_view operand_name) {
  static constexpr std::array<std::string_view, 8> positive_domain = {"log", "sqrt",       "pow", "reduceLogSum",
                                                                      "div", "reciprocal", "mod", "reduceL2"};
  return operand_name == "variance" || std::ranges::find(positive_domain, op.name) != positive_domain.end();
}

/// One past the greatest index of an indexing operator's index element `i`.
std::uint32_t index_limit(const KernelSpec& spec, std::uint64_t i) {
  const Shape& shape = spec.inputs[0]->shape;
  const int axis = row(spec.op).attribute_index("axis");
  if (axis >= 0) return shape[unsigned(std::get<std::int64_t>(*spec.attributes[std::size_t(axis)]))];
  const Shape& indices = spec.inputs[1]->shape;
  return shape[unsigned(i % indices[indices.rank() - 1])];
}

/// Whether the operand holds quantised bytes, of which all that there are shall be met.
bool has_quantised_bytes(const Operator& op, const OperandDescriptor& operand) {
  return bits_of(operand.type) == 8 && (op.family == Family::quantization || op.family == Family::contraction);
}

/// Whether quantised numbers are multiplied by the operand.
bool is_scale(const Operator& op, std::string_view operand_name) {
  return operand_name == "filterScale" ||
         (operand_name == "scale" && (op.family == Family::quantization || op.family == Family::contraction));
}

}  // namespace

TestTensor random_elements(const KernelSpec& spec, std::size_t place, std::mt19937& engine) {
  const auto below = [&](std::uint32_t count) { return std::uint32_t(engine() % count); };
  const Operator& op = row(spec.op);
  const OperandDescriptor& descriptor = *spec.inputs[place];
  const OperandRow& operand = op.operands[op.variadic() ? 0 : std::min(place, op.operands.size() - 1)];
  TestTensor result{descriptor, std::vector<std::byte>(byte_length(descriptor))};
  const std::uint64_t count = element_count(descriptor.shape);
  const bool exact = below(2) == 0;  // multiples of 1/8, whose sums and products float32 holds
  const std::uint32_t integers = bits_of(descriptor.type) == 4 ? 16 : 7;
  // Sums of floats times bytes stay as small as sums of floats.
  const double least_part =
      op.family == Family::contraction && place > 0 && bits_of(spec.inputs[1]->type) == 8 ? 1024 : 16;
  for (std::uint64_t i = 0; i < count; ++i) {
    Number value(0);
    if (operand.name == "indices") {
      value = Number(std::int64_t(below(index_limit(spec, i))));
    } else if (has_quantised_bytes(op, descriptor)) {
      value = Number(std::int64_t(below(256)) - (is_signed(descriptor.type) ? 128 : 0));
    } else if (!is_float(descriptor.type)) {
      value = Number(std::int64_t(below(integers)) - (is_signed(descriptor.type) ? integers / 2 : 0));
    } else if (is_scale(op, operand.name)) {
      value = Number(double(1 + below(8)) / least_part);
    } else {
      const double least = positive(op, operand.name) ? 0.125 : -2;
      value = exact ? Number(least + double(below(17)) / 8)
                    : Number(least + 4 * double(engine() & 0xffffff) / double(0x1000000));
    }
    store_element(value, descriptor.type, result.data.data(), i);
  }
  return result;
}

void add_special_elements(RandomCall& call, std::mt19937& engine) {
  static constexpr std::array<double, 4> special = {not_a_number, infinity, -infinity, -0.0};
  for (std::uint32_t i = 0; i < 1 + engine() % 2; ++i) {
    auto& input = call.inputs[engine() % call.inputs.size()];
    if (!input || !is_float(input->descriptor.type)) continue;
    const std::size_t at = engine() % element_count(input->descriptor.shape);
    store_element(Number(special[engine() % special.size()]), input->descriptor.type, input->data.data(), at);
  }
}

}  // namespace webnn::tests
