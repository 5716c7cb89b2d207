#include "tests/harness/error_bound/error_bound_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "schema/operators/check_spec.hpp"

namespace webnn::tests {
namespace {

/// What the least significant bit of any of the operand's elements stands for; 0 when it has only zeros, nullopt when
/// some are no numbers or may be others.
std::optional<double> last_bit(const UncertainOperand& operand) {
  double least = 0;
  for (std::size_t i = 0; i < operand.radius.size(); ++i) {
    const double value = operand.tensor.value(i);
    if (operand.radius[i] != 0 || !std::isfinite(value)) return std::nullopt;
    if (value == 0) continue;
    int exponent = 0;
    const auto digits = std::int64_t(std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
    const double bit = std::ldexp(1, exponent - 53 + std::countr_zero(std::uint64_t(digits)));
    least = least == 0 ? bit : std::min(least, bit);
  }
  return least;
}

}  // namespace

bool has_exact_sums(const KernelSpec& spec, const std::vector<std::optional<UncertainOperand>>& operands,
                    const BoundedTensor& magnitudes) {
  static constexpr std::array<OperatorId, 7> plain_sums = {
      "reduceSum"_op, "reduceL1"_op, "cumulativeSum"_op, "matmul"_op, "gemm"_op, "conv2d"_op, "convTranspose2d"_op};
  if (std::ranges::find(plain_sums, spec.op) == plain_sums.end()) return false;
  const SpecCall call(spec);
  if (spec.op == "gemm"_op && (call.real("alpha") != 1 || call.real("beta") != 1)) return false;
  double unit = 1;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (!operands[k]) continue;
    const std::optional<double> bit = last_bit(*operands[k]);
    if (!bit) return false;
    if (*bit != 0) unit = k < 2 ? unit * *bit : std::min(unit, *bit);
  }
  const double greatest = unit * (magnitudes.descriptor.type == DataType::float16 ? 0x1p11 : 0x1p24);
  for (std::size_t i = 0; i < magnitudes.count(); ++i)
    if (magnitudes.value(i) > greatest) return false;
  return unit > 0x1p-100;
}

std::vector<std::size_t> beside_special_filters(const KernelSpec& spec, const UncertainOperand& filter,
                                                const BoundedTensor& output) {
  const SpecCall call(spec);
  const auto axis = unsigned(call.text("filterLayout").find('o'));
  const std::uint32_t filters = call.shape(1)[axis];
  std::size_t inner = 1;
  for (unsigned i = axis + 1; i < 4; ++i) inner *= call.shape(1)[i];
  std::vector<bool> special(filters);
  for (std::size_t i = 0; i < filter.tensor.count(); ++i)
    if (!std::isfinite(filter.tensor.value(i))) special[i / inner % filters] = true;
  const Shape& shape = output.descriptor.shape;
  const bool channels_first = call.text("inputLayout") == "nchw";
  const std::size_t channels = shape[channels_first ? 1 : 3];
  const std::size_t run = channels_first ? std::size_t{shape[2]} * shape[3] : 1;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < output.count(); ++i)
    if (special[i / run % channels % filters]) found.push_back(i);  // of a transposed one each group has the filters
  return found;
}

}  // namespace webnn::tests
