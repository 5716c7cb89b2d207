// Shape rules of gathering and scattering.
#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

/// The shape indices.shape[:-1] + input.shape[k:], where k is the last size of `indices`: for each row of indices, the
/// slice of `input` that it addresses. Reports a k that exceeds the input's rank.
std::optional<Sizes> addressed_sizes(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& indices = call.shape(1);
  const std::uint32_t coordinates = indices[indices.rank() - 1];
  if (coordinates > input.rank()) {
    result.fail_operand(1, sentence("'indices' has ", coordinates,
                                    " coordinates in its last axis, but the input has rank ", input.rank()));
    return std::nullopt;
  }
  Sizes sizes(indices.begin(), indices.end() - 1);
  sizes.insert(sizes.end(), input.begin() + coordinates, input.end());
  return sizes;
}

/// Whether `indices` has the input's shape on every axis but `axis`.
bool check_indices(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& indices = call.shape(1);
  if (!check_axis(call, result, "axis", input.rank())) return false;
  bool fits = indices.rank() == input.rank();
  for (unsigned axis = 0; fits && axis < input.rank(); ++axis)
    fits = axis == call.u32("axis") || indices[axis] == input[axis];
  if (!fits)
    result.fail_operand(1, sentence("'indices' has shape ", indices, ", but the input has ", input, " and only axis ",
                                    call.u32("axis"), " may differ"));
  return fits;
}

}  // namespace

void infer_gather(const OperatorCall& call, Inference& result) {
  const Shape& input = call.shape(0);
  const Shape& indices = call.shape(1);
  if (!check_axis(call, result, "axis", input.rank())) return;
  const std::uint32_t axis = call.u32("axis");
  Sizes sizes(input.begin(), input.begin() + axis);
  sizes.insert(sizes.end(), indices.begin(), indices.end());
  sizes.insert(sizes.end(), input.begin() + axis + 1, input.end());
  infer_output(result, call.operand(0).type, sizes);
}

void infer_gather_elements(const OperatorCall& call, Inference& result) {
  if (check_indices(call, result)) result.output(call.operand(0).type, call.shape(1));
}

void infer_gather_nd(const OperatorCall& call, Inference& result) {
  if (const auto sizes = addressed_sizes(call, result)) infer_output(result, call.operand(0).type, *sizes);
}

void infer_scatter_elements(const OperatorCall& call, Inference& result) {
  if (!check_indices(call, result)) return;
  const Shape& indices = call.shape(1);
  check_shape(call, result, "updates", Sizes(indices.begin(), indices.end()), "the shape of 'indices'");
  infer_same(call, result);
}

void infer_scatter_nd(const OperatorCall& call, Inference& result) {
  const auto sizes = addressed_sizes(call, result);
  if (!sizes) return;
  check_shape(call, result, "updates", *sizes, "one element or block of the input for each row of 'indices'");
  infer_same(call, result);
}

}  // namespace webnn::schema
