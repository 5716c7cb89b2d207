// Helpers of the shape rules.
#include "schema/infer/infer_support.hpp"

#include <algorithm>

#include "schema/sentence.hpp"

namespace webnn::schema {

std::string text_of(const Sizes& sizes) {
  std::string text = "[";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(sizes[i]);
  }
  return text + "]";
}

void infer_output(Inference& result, DataType type, const Sizes& sizes) {
  if (sizes.size() > max_rank) {
    result.fail(sentence("the output would have rank ", sizes.size(), ", but the highest rank is ", max_rank));
    return;
  }
  Shape shape;
  for (std::uint64_t size : sizes) {
    if (size == 0 || size > max_dimension) {
      result.fail(
          sentence("the output would have shape ", text_of(sizes), ", but a dimension is 1 to ", max_dimension));
      return;
    }
    shape.push_back(std::uint32_t(size));
  }
  result.output(type, shape);
}

bool check_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank) {
  const std::uint32_t axis = call.u32(attribute);
  if (axis < rank) return true;
  result.fail_attribute(attribute,
                        sentence("'", attribute, "' is ", axis, ", but must be below the input's rank of ", rank));
  return false;
}

bool check_axes(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank) {
  const std::vector<std::uint32_t> axes = call.u32_list(attribute);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] >= rank) {
      result.fail_attribute(
          attribute, sentence("'", attribute, "' names axis ", axes[i], ", but the input has rank ", rank), {}, int(i));
      return false;
    }
    // At most `rank` values come before a repetition, so this is cheap for any list.
    if (std::find(axes.begin(), axes.begin() + std::ptrdiff_t(i), axes[i]) != axes.begin() + std::ptrdiff_t(i)) {
      result.fail_attribute(attribute, sentence("'", attribute, "' names axis ", axes[i], " twice"), {}, int(i));
      return false;
    }
  }
  return true;
}

bool check_one_per_axis(const OperatorCall& call, Inference& result, std::string_view attribute, unsigned rank) {
  const std::size_t count = call.u32_list(attribute).size();
  if (count == rank) return true;
  result.fail_attribute(
      attribute, sentence("'", attribute, "' has ", counted(count, "element"), ", but the input has rank ", rank),
      "give one value for each axis");
  return false;
}

void check_shape(const OperatorCall& call, Inference& result, std::string_view operand, const Sizes& expected,
                 std::string_view meaning) {
  const int place = call.op().operand_index(operand);
  assert(place >= 0);
  if (!call.has_operand(std::size_t(place))) return;
  const Shape& shape = call.shape(std::size_t(place));
  if (std::ranges::equal(shape.sizes(), expected)) return;
  result.fail_operand(std::size_t(place),
                      sentence("'", operand, "' has shape ", shape, ", but needs ", text_of(expected), ": ", meaning));
}

}  // namespace webnn::schema
