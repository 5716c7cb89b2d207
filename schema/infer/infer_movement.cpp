// Shape rules of the operators that move or repeat elements, and defaults that depend on the operand's rank.
#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/round_up.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

/// "valid tensor count" of the specification.
constexpr std::size_t largest_output_list = 8192;

Sizes sizes_of(const Shape& shape) { return Sizes(shape.begin(), shape.end()); }

const AttributeValue& required_value(const OperatorCall& call, std::string_view attribute) {
  const auto& value = call.attributes()[std::size_t(call.op().attribute_index(attribute))];
  assert(value);
  return *value;
}

}  // namespace

IntegerList all_axes(const OperatorCall& call) {
  IntegerList axes;
  for (unsigned axis = 0; axis < call.shape(0).rank(); ++axis) axes.push_back(axis);
  return axes;
}

IntegerList reversed_axes(const OperatorCall& call) {
  IntegerList axes;
  for (unsigned axis = call.shape(0).rank(); axis-- > 0;) axes.push_back(axis);
  return axes;
}

IntegerList one_per_axis(const OperatorCall& call) { return IntegerList(call.shape(0).rank(), 1); }

void infer_reshape(const OperatorCall& call, Inference& result) {
  const std::vector<std::uint32_t> new_shape = call.u32_list("newShape");
  const auto elements = checked_element_count(call.shape(0).sizes());
  const auto new_elements = checked_element_count(new_shape);
  if (!new_elements || new_elements != elements) {
    result.fail_attribute("newShape", sentence("'newShape' holds ",
                                               new_elements ? counted(*new_elements, "element") : "over 2^64 elements",
                                               ", but the input ", call.shape(0), " has ", elements.value_or(0)));
    return;
  }
  infer_output(result, call.operand(0).type, Sizes(new_shape.begin(), new_shape.end()));
}

void infer_concat(const OperatorCall& call, Inference& result) {
  const Shape& first = call.shape(0);
  if (!check_axis(call, result, "axis", first.rank())) return;
  const std::uint32_t axis = call.u32("axis");
  Sizes sizes = sizes_of(first);
  for (std::size_t place = 1; place < call.operands().size(); ++place) {
    const Shape& shape = call.shape(place);
    bool fits = shape.rank() == first.rank();
    for (unsigned i = 0; fits && i < first.rank(); ++i) fits = i == axis || shape[i] == first[i];
    if (!fits) {
      result.fail_operand(place, sentence("'inputs[", place, "]' has shape ", shape, ", but 'inputs[0]' has ", first,
                                          " and only axis ", axis, " may differ"));
      return;
    }
    sizes[axis] += shape[axis];
  }
  infer_output(result, call.operand(0).type, sizes);
}

void infer_expand(const OperatorCall& call, Inference& result) {
  const std::vector<std::uint32_t> new_shape = call.u32_list("newShape");
  const Shape& shape = call.shape(0);
  bool fits = shape.rank() <= new_shape.size();
  for (unsigned i = 0; fits && i < shape.rank(); ++i) {
    const std::uint32_t size = shape[shape.rank() - 1 - i];
    fits = size == 1 || size == new_shape[new_shape.size() - 1 - i];
  }
  const Sizes sizes(new_shape.begin(), new_shape.end());
  if (!fits) {
    result.fail_attribute(
        "newShape", sentence("'newShape' is ", text_of(sizes), ", to which the input ", shape, " does not expand"),
        "aligned at the last axis, sizes of the input must be 1 or equal to the new ones");
    return;
  }
  infer_output(result, call.operand(0).type, sizes);
}

void infer_pad(const OperatorCall& call, Inference& result) {
  const Shape& shape = call.shape(0);
  if (!check_one_per_axis(call, result, "beginningPadding", shape.rank()) ||
      !check_one_per_axis(call, result, "endingPadding", shape.rank()))
    return;
  const bool reflects = call.text("mode") == "reflection";
  Sizes sizes = sizes_of(shape);
  for (std::string_view attribute : {"beginningPadding", "endingPadding"}) {
    const std::vector<std::uint32_t> padding = call.u32_list(attribute);
    for (unsigned axis = 0; axis < shape.rank(); ++axis) {
      if (reflects && padding[axis] >= shape[axis])
        result.fail_attribute(attribute,
                              sentence("'", attribute, "' is ", padding[axis], " on axis ", axis,
                                       ", but reflection needs less than the input's size of ", shape[axis]),
                              {}, int(axis));
      sizes[axis] += padding[axis];
    }
  }
  if (result.ok()) infer_output(result, call.operand(0).type, sizes);
}

void infer_reverse(const OperatorCall& call, Inference& result) {
  if (check_axes(call, result, "axes", call.shape(0).rank())) infer_same(call, result);
}

void infer_slice(const OperatorCall& call, Inference& result) {
  const Shape& shape = call.shape(0);
  for (std::string_view attribute : {"starts", "sizes", "strides"})
    if (!check_one_per_axis(call, result, attribute, shape.rank())) return;
  const std::vector<std::uint32_t> starts = call.u32_list("starts");
  const std::vector<std::uint32_t> extents = call.u32_list("sizes");
  const std::vector<std::uint32_t> strides = call.u32_list("strides");
  Sizes sizes;
  for (unsigned axis = 0; axis < shape.rank(); ++axis) {
    if (std::uint64_t{starts[axis]} + extents[axis] > shape[axis])
      result.fail_attribute("sizes",
                            sentence("the slice takes ", counted(extents[axis], "element"), " from ", starts[axis],
                                     " on axis ", axis, ", but the input's size is ", shape[axis]),
                            {}, int(axis));
    sizes.push_back(div_up(std::uint64_t{extents[axis]}, strides[axis]));
  }
  if (result.ok()) infer_output(result, call.operand(0).type, sizes);
}

std::vector<std::uint32_t> split_sizes(const OperatorCall& call) {
  if (const auto* count = std::get_if<std::int64_t>(&required_value(call, "splits")))
    return std::vector<std::uint32_t>(std::size_t(*count), std::uint32_t(call.shape(0)[call.u32("axis")] / *count));
  return call.u32_list("splits");
}

void infer_split(const OperatorCall& call, Inference& result) {
  const Shape& shape = call.shape(0);
  if (!check_axis(call, result, "axis", shape.rank())) return;
  const std::uint32_t axis = call.u32("axis"), size = shape[axis];
  const auto* number = std::get_if<std::int64_t>(&required_value(call, "splits"));
  const std::uint64_t count = number ? std::uint64_t(*number) : call.u32_list("splits").size();
  if (count == 0 || count > largest_output_list) {
    result.fail_attribute(
        "splits", sentence("'splits' asks for ", count, " outputs, but 1 to ", largest_output_list, " are possible"));
    return;
  }
  if (number && size % count != 0) {
    result.fail_attribute(
        "splits", sentence("'splits' is ", count, ", which does not divide the size ", size, " of axis ", axis));
    return;
  }
  if (!number) {
    std::uint64_t sum = 0;
    for (std::uint32_t part : call.u32_list("splits")) sum += part;
    if (sum != size) {
      result.fail_attribute("splits", sentence("'splits' adds up to ", sum, ", but axis ", axis, " has size ", size));
      return;
    }
  }
  Shape part = shape;
  for (std::uint32_t part_size : split_sizes(call)) {
    part[axis] = part_size;
    result.output(call.operand(0).type, part);
  }
}

void infer_tile(const OperatorCall& call, Inference& result) {
  const Shape& shape = call.shape(0);
  if (!check_one_per_axis(call, result, "repetitions", shape.rank())) return;
  const std::vector<std::uint32_t> repetitions = call.u32_list("repetitions");
  Sizes sizes = sizes_of(shape);
  for (unsigned axis = 0; axis < shape.rank(); ++axis) sizes[axis] *= repetitions[axis];
  infer_output(result, call.operand(0).type, sizes);
}

void infer_transpose(const OperatorCall& call, Inference& result) {
  const Shape& shape = call.shape(0);
  if (!check_one_per_axis(call, result, "permutation", shape.rank()) ||
      !check_axes(call, result, "permutation", shape.rank()))
    return;
  Shape transposed;
  for (std::uint32_t axis : call.u32_list("permutation")) transposed.push_back(shape[axis]);
  result.output(call.operand(0).type, transposed);
}

}  // namespace webnn::schema
