#include "tests/harness/error_bound/wide_operator.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "api/oracle/evaluate.hpp"
#include "api/oracle/oracle.hpp"
#include "runtime/strides.hpp"
#include "schema/elements/elements.hpp"
#include "schema/elements/float64.hpp"

namespace webnn::tests {

WideOperator::WideOperator(const KernelSpec& spec)
    : spec_(spec), wide_(api::in_float64(spec)), kernel_(tests::find_reference_kernel(spec)) {}

std::vector<BoundedTensor> WideOperator::run_as(const KernelSpec& wide, const WideTensors& operands) const {
  std::vector<std::span<const std::byte>> inputs(operands.begin(), operands.end());
  std::vector<std::span<std::byte>> outputs;
  std::vector<BoundedTensor> results;
  for (std::size_t i = 0; i < wide.outputs.size(); ++i) {
    const bool real = wide.outputs[i].type == float64;
    results.push_back({real && !is_float(spec_.outputs[i].type)
                           ? OperandDescriptor{DataType::float32, wide.outputs[i].shape}
                           : spec_.outputs[i],
                       std::vector<std::byte>(byte_length(wide.outputs[i])),
                       std::vector<double>(element_count(wide.outputs[i].shape))});
  }
  for (BoundedTensor& result : results) outputs.push_back(result.elements);
  api::run_once(kernel_, wide, inputs, outputs);
  return results;
}

std::vector<BoundedTensor> WideOperator::run_on_magnitudes(const WideTensors& operands) const {
  KernelSpec magnitudes = wide_;
  for (std::size_t i = 0; i < magnitudes.attributes.size(); ++i)
    if (auto* factor = magnitudes.attributes[i] ? std::get_if<double>(&*magnitudes.attributes[i]) : nullptr)
      *factor = std::fabs(*factor);
  return run_as(magnitudes, operands);
}

std::vector<BoundedTensor> WideOperator::run_on_bounds(const WideTensors& operands) const {
  KernelSpec moved = wide_;
  for (std::size_t k = 0; k < moved.inputs.size(); ++k)
    if (moved.inputs[k] && is_moved(spec_.op, k)) moved.inputs[k]->type = float64;
  for (OperandDescriptor& output : moved.outputs) output.type = float64;
  if (const int value = row(spec_.op).attribute_index("value"); value >= 0)
    moved.attributes[std::size_t(value)].emplace(std::in_place_type<Number>, 0.0);
  return run_as(moved, operands);
}

bool is_moved(OperatorId op, std::size_t k) {
  if (op == "where"_op) return k != 0;
  return row(op).family != Family::indexed || k != 1;
}

double wide_distance(const Number& a, const Number& b) {
  const double x = a.as_double(), y = b.as_double();
  if (x == y) return a.kind() == Number::Kind::real || Number::compare(a, b) == 0 ? 0 : 1;
  if (std::isnan(x) && std::isnan(y)) return 0;
  const double distance = std::fabs(x - y);
  return std::isfinite(distance) ? distance : unknown;
}

void store_wide(BoundedTensor& tensor, std::size_t i, Number value) {
  const DataType type = tensor.descriptor.type;
  store_element(value, is_float(type) ? float64 : type, tensor.elements.data(), i);
}

std::vector<std::byte> as_wide(std::span<const double> numbers) {
  std::vector<std::byte> bytes(numbers.size_bytes());
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::vector<std::size_t> winning_elements(const KernelSpec& spec, const BoundedTensor& output) {
  const SpecCall call(spec);
  const Shape& shape = call.shape(0);
  const std::uint32_t axis = call.u32("axis");
  std::size_t inner = 1;
  for (unsigned i = axis + 1; i < shape.rank(); ++i) inner *= shape[i];
  std::vector<std::size_t> winners;
  for (std::size_t i = 0; i < output.count(); ++i)
    winners.push_back((i / inner * shape[axis] + std::size_t(output.number(i).as_int64())) * inner + i % inner);
  std::ranges::sort(winners);
  return winners;
}

namespace {

/// Each element becomes the greatest among those at most `reach` away along `axis`.
void spread_along(const Shape& shape, unsigned axis, std::size_t reach, std::vector<std::byte>& bytes) {
  const std::vector<std::byte> before = bytes;
  const auto* from = reinterpret_cast<const double*>(before.data());
  auto* to = reinterpret_cast<double*>(bytes.data());
  const auto stride = std::size_t(runtime::row_major_strides(shape)[axis]);
  for (std::size_t i = 0; i < element_count(shape); ++i) {
    const std::size_t at = i / stride % shape[axis];
    for (std::size_t step = 1; step <= reach; ++step) {
      if (at >= step) to[i] = std::max(to[i], from[i - step * stride]);
      if (at + step < shape[axis]) to[i] = std::max(to[i], from[i + step * stride]);
    }
  }
}

}  // namespace

bool spread_over_tiles(const KernelSpec& spec, WideTensors& magnitudes) {
  if (spec.op != "conv2d"_op) return false;
  const SpecCall call(spec);
  const unsigned rows = call.text("inputLayout") == "nchw" ? 2 : 1;
  const auto filter_rows = unsigned(call.text("filterLayout").find('h'));
  for (const unsigned more : {0u, 1u}) {
    if (call.shape(1)[filter_rows + more] != 3 || call.u32_list("strides")[more] != 1) return false;
    if (call.u32_list("dilations")[more] != 1) return false;
  }
  for (const unsigned more : {0u, 1u}) {
    spread_along(call.shape(0), rows + more, 5, magnitudes[0]);  // tiles of 6 x 6
    spread_along(call.shape(1), filter_rows + more, 2, magnitudes[1]);
  }
  return true;
}

}  // namespace webnn::tests
