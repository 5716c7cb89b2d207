#include "compiler/frontend/aliases.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

#include "compiler/frontend/json/json_access.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

/// Another name for an option with the same values. An empty `op` means every operator that has the attribute.
struct OptionAlias {
  std::string_view op;
  std::string_view spelling;
  std::string_view attribute;
  bool old;  // false: both spellings are current
};
constexpr OptionAlias aliases[] = {
    {"cast", "to", "dataType", false},
    {"cast", "type", "dataType", true},
    {"", "repeats", "repetitions", true},
    {"", "perm", "permutation", true},
    {"", "keepdims", "keepDimensions", true},
    {"", "keepDims", "keepDimensions", true},
    {"", "roundingType", "outputShapeRounding", true},
    {"", "group", "groups", true},
    {"convTranspose2d", "outputShape", "outputSizes", true},
};

constexpr std::int64_t largest_size = 0x7fffffff;

/// The integers in an option; nullopt, with an error, when it is not a list of integers.
std::optional<IntegerList> integers(Translation& t, JsonValue value) {
  IntegerList list;
  bool good = value.is(JsonValue::Kind::array);
  for (const JsonValue element : value) {
    const auto integer = integer_of(element);
    good = good && integer;
    if (good) list.push_back(*integer);
  }
  if (good) return list;
  t.place = value;
  t.error = "'" + std::string(value.key()) + "' must be a list of integers";
  return std::nullopt;
}

IntegerList integers_or(const Translation& t, std::string_view attribute, const IntegerList& when_absent) {
  const AttributeValue* value = t.get(attribute);
  const auto* list = value ? std::get_if<IntegerList>(value) : nullptr;
  return list ? *list : when_absent;
}

std::string text_or(const Translation& t, std::string_view attribute, const std::string& when_absent) {
  const AttributeValue* value = t.get(attribute);
  const auto* text = value ? std::get_if<std::string>(value) : nullptr;
  return text ? *text : when_absent;
}

/// ONNX lists all begins, then all ends; WebNN lists the two paddings of each axis together.
void translate_pads(Translation& t) {
  const auto pads = integers(t, t.option("pads"));
  if (!pads) return;
  if (pads->size() == 4) return t.set("padding", IntegerList{(*pads)[0], (*pads)[2], (*pads)[1], (*pads)[3]});
  t.place = t.option("pads");
  t.error = "'pads' must have 4 elements, found " + std::to_string(pads->size());
}

/// "same-upper" and "same-lower" of the earlier specification: enough padding for ceil(input / stride) positions
/// (convTranspose2d: input * stride); an odd one goes to the end or to the beginning.
void translate_auto_pad(Translation& t) {
  const JsonValue option = t.option("autoPad");
  t.place = option;
  if (!option.is(JsonValue::Kind::text)) {
    t.error = "'autoPad' must be a string";
    return;
  }
  const std::string_view mode = option.text();
  if (mode == "explicit") return;
  if (mode != "same-upper" && mode != "same-lower") {
    t.error = "'autoPad' must be 'explicit', 'same-upper' or 'same-lower'";
    return;
  }
  const bool pooling = t.op.family == Family::window;
  const bool transposed = t.op.name == "convTranspose2d";
  if (t.operands.empty() || !t.operands[0] || t.operands[0]->shape.rank() != 4) return;  // reported for the operand
  const Shape& input = t.operands[0]->shape;
  const bool channels_last = text_or(t, pooling ? "layout" : "inputLayout", "nchw") == "nhwc";
  const unsigned first = channels_last ? 1 : 2;

  std::array<std::int64_t, 2> window{input[first], input[first + 1]};
  if (pooling) {
    const IntegerList given = integers_or(t, "windowDimensions", {window[0], window[1]});
    if (given.size() != 2) return;
    window = {given[0], given[1]};
  } else {
    if (t.operands.size() < 2 || !t.operands[1] || t.operands[1]->shape.rank() != 4) return;
    const std::string layout = text_or(t, "filterLayout", transposed ? "iohw" : "oihw");
    const auto height = layout.find('h');
    if (height == layout.npos || height > 2) return;  // an invalid word, reported elsewhere
    window = {t.operands[1]->shape[unsigned(height)], t.operands[1]->shape[unsigned(height) + 1]};
  }
  const IntegerList strides = integers_or(t, "strides", {1, 1}), dilations = integers_or(t, "dilations", {1, 1});
  const IntegerList extra = transposed ? integers_or(t, "outputPadding", {0, 0}) : IntegerList{0, 0};
  if (strides.size() != 2 || dilations.size() != 2 || extra.size() != 2) return;
  IntegerList padding;
  for (unsigned axis = 0; axis < 2; ++axis) {
    const std::int64_t size = input[first + axis], stride = strides[axis], dilation = dilations[axis];
    for (const std::int64_t value : {stride, dilation, window[axis], extra[axis]})
      if (value < 0 || value > largest_size) return;
    if (stride == 0) return;
    // At most 2^62, so that no product or sum below overflows.
    const std::int64_t extent = window[axis] == 0 ? 0 : (window[axis] - 1) * dilation + 1;
    const std::int64_t positions = schema::div_up(size, stride);
    const std::int64_t needed = transposed ? (size - 1) * stride + extent + extra[axis] - size * stride
                                           : (positions - 1) * stride + extent - size;
    const std::int64_t total = std::max<std::int64_t>(needed, 0);
    const std::int64_t smaller = total / 2;
    padding.push_back(mode == "same-upper" ? smaller : total - smaller);
    padding.push_back(mode == "same-upper" ? total - smaller : smaller);
  }
  t.set("padding", padding);
}

/// Slices by begin, end, axes and steps, as in ONNX. Negative values count from the end; steps must be positive.
void translate_slice(Translation& t) {
  if (t.operands.empty() || !t.operands[0]) return;
  const Shape& shape = t.operands[0]->shape;
  const auto fail = [&](JsonValue place, std::string error) {
    t.place = place ? place : t.options;
    t.error = std::move(error);
  };
  const JsonValue ends_option = t.option("ends"), axes_option = t.option("axes"), steps_option = t.option("steps");
  IntegerList starts = integers_or(t, "starts", {});
  IntegerList axes, steps, ends;
  if (axes_option) {
    const auto list = integers(t, axes_option);
    if (!list) return;
    axes = *list;
  } else {
    for (std::size_t i = 0; i < starts.size(); ++i) axes.push_back(std::int64_t(i));
  }
  if (steps_option) {
    const auto list = integers(t, steps_option);
    if (!list) return;
    steps = *list;
  } else {
    steps = integers_or(t, "strides", IntegerList(axes.size(), 1));
  }
  IntegerList sizes = integers_or(t, "sizes", {});
  if (ends_option) {
    const auto list = integers(t, ends_option);
    if (!list) return;
    ends = *list;
  }
  if (starts.size() != axes.size() || steps.size() != axes.size() ||
      (ends_option ? ends.size() : sizes.size()) != axes.size())
    return fail({}, "'starts', the ends or sizes, 'axes' and 'steps' must be of the same length");

  IntegerList full_starts(shape.rank(), 0), full_sizes(shape.sizes().begin(), shape.sizes().end()),
      full_strides(shape.rank(), 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::int64_t rank = shape.rank();
    const std::int64_t axis = axes[i] < 0 ? axes[i] + rank : axes[i];
    if (axis < 0 || axis >= rank) return fail(axes_option, "axis " + std::to_string(axes[i]) + " is outside the input");
    if (steps[i] < 1) return fail(steps_option, "steps must be positive, found " + std::to_string(steps[i]));
    const std::int64_t size = shape[unsigned(axis)];
    const auto position = [&](std::int64_t value) {
      return std::clamp<std::int64_t>(value < 0 ? value + size : value, 0, size);
    };
    full_starts[std::size_t(axis)] = ends_option ? position(starts[i]) : starts[i];
    full_sizes[std::size_t(axis)] =
        ends_option ? std::max<std::int64_t>(position(ends[i]) - position(starts[i]), 0) : sizes[i];
    full_strides[std::size_t(axis)] = steps[i];
  }
  t.set("starts", full_starts);
  t.set("sizes", full_sizes);
  t.set("strides", full_strides);
}

void ignore(Translation&) {}

void refuse_batch_dimensions(Translation& t) {
  t.place = t.option("batchDimensions");
  if (integer_of(t.place) != 0) t.error = "'batchDimensions' other than 0 is not in the specification";
}

/// reshape's newShape for squeeze: removes the given axes of size 1, or all of them.
void translate_squeeze(Translation& t) {
  if (t.operands.empty() || !t.operands[0]) return;
  const Shape& shape = t.operands[0]->shape;
  std::vector<bool> drop(shape.rank(), false);
  if (const JsonValue option = t.option("axes")) {
    const auto axes = integers(t, option);
    if (!axes) return;
    for (const std::int64_t given : *axes) {
      const std::int64_t axis = given < 0 ? given + shape.rank() : given;
      t.place = option;
      if (axis < 0 || axis >= shape.rank()) {
        t.error = "axis " + std::to_string(given) + " is outside the input of rank " + std::to_string(shape.rank());
        return;
      }
      if (shape[unsigned(axis)] != 1) {
        t.error = "axis " + std::to_string(given) + " has size " + std::to_string(shape[unsigned(axis)]) +
                  " and cannot be squeezed";
        return;
      }
      drop[std::size_t(axis)] = true;
    }
  } else {
    for (unsigned axis = 0; axis < shape.rank(); ++axis) drop[axis] = shape[axis] == 1;
  }
  IntegerList new_shape;
  for (unsigned axis = 0; axis < shape.rank(); ++axis)
    if (!drop[axis]) new_shape.push_back(shape[axis]);
  t.set("newShape", new_shape);
}

/// reshape's newShape for unsqueeze: `axes` are positions in the result.
void translate_unsqueeze(Translation& t) {
  if (t.operands.empty() || !t.operands[0]) return;
  const Shape& shape = t.operands[0]->shape;
  const JsonValue option = t.option("axes");
  t.place = option ? option : t.options;
  if (!option) {
    t.error = "unsqueeze needs 'axes'";
    return;
  }
  const auto axes = integers(t, option);
  if (!axes) return;
  const std::int64_t rank = std::int64_t(shape.rank()) + std::int64_t(axes->size());
  if (rank > max_rank) {
    t.error = "the result would have rank " + std::to_string(rank);
    return;
  }
  IntegerList new_shape(std::size_t(rank), 0);
  for (const std::int64_t given : *axes) {
    const std::int64_t axis = given < 0 ? given + rank : given;
    if (axis < 0 || axis >= rank || new_shape[std::size_t(axis)] == 1) {
      t.error = "axis " + std::to_string(given) + " is outside the result of rank " + std::to_string(rank) +
                " or given twice";
      return;
    }
    new_shape[std::size_t(axis)] = 1;
  }
  unsigned next = 0;
  for (std::int64_t& size : new_shape)
    if (size == 0) size = shape[next++];
  t.set("newShape", new_shape);
}

// The order matters: windows must be known before autoPad is computed.
const OptionTranslation translations[] = {
    {{"conv2d", "convTranspose2d", "averagePool2d", "l2Pool2d", "maxPool2d"}, {"pads"}, translate_pads},
    {{"conv2d", "convTranspose2d", "averagePool2d", "l2Pool2d", "maxPool2d"}, {"autoPad"}, translate_auto_pad},
    {{"slice"}, {"ends", "axes", "steps"}, translate_slice},
    {{"expand"}, {"axes"}, ignore},
    {{"gather", "gatherElements", "scatterElements"}, {"batchDimensions"}, refuse_batch_dimensions},
};

const OperatorAlias operators[] = {
    {"squeeze", "reshape", {"axes"}, translate_squeeze},
    {"unsqueeze", "reshape", {"axes"}, translate_unsqueeze},
    {"globalAveragePool", "averagePool2d", {}, nullptr},
    {"globalMaxPool", "maxPool2d", {}, nullptr},
    {"round", "roundEven", {}, nullptr},
};

}  // namespace

std::span<const OptionTranslation> option_translations() { return translations; }

std::string camel_case(std::string_view spelling) {
  std::string result;
  for (std::size_t i = 0; i < spelling.size(); ++i) {
    const bool joint =
        spelling[i] == '_' && i > 0 && i + 1 < spelling.size() && spelling[i + 1] >= 'a' && spelling[i + 1] <= 'z';
    result += joint ? char(spelling[++i] - 'a' + 'A') : spelling[i];
  }
  return result;
}

MeantAttribute find_attribute(const Operator& op, std::string_view spelling) {
  if (const int index = op.attribute_index(spelling); index >= 0) return {index, false};
  const std::string camel = camel_case(spelling);
  for (const OptionAlias& alias : aliases)
    if ((alias.op.empty() || alias.op == op.name) && alias.spelling == camel)
      if (const int index = op.attribute_index(alias.attribute); index >= 0)
        return {index, alias.old || camel != spelling};
  return {op.attribute_index(camel), true};
}

std::string_view option_key(const Operator& op, const AttributeRow& attribute) {
  for (const OptionAlias& alias : aliases)
    if (!alias.old && alias.op == op.name && alias.attribute == attribute.name) return alias.spelling;
  return attribute.name;
}

JsonValue Translation::option(std::string_view spelling) const {
  for (const JsonValue member : options)
    if ((member.key() == spelling || camel_case(member.key()) == spelling) && !member.is(JsonValue::Kind::null))
      return member;
  return {};
}

void Translation::set(std::string_view attribute, AttributeValue value) {
  attributes[std::size_t(op.attribute_index(attribute))] = std::move(value);
}

const AttributeValue* Translation::get(std::string_view attribute) const {
  const int index = op.attribute_index(attribute);
  return index >= 0 && attributes[std::size_t(index)] ? &*attributes[std::size_t(index)] : nullptr;
}

const OperatorAlias* find_operator_alias(std::string_view name) {
  for (const OperatorAlias& alias : operators)
    if (alias.name == name) return &alias;
  return nullptr;
}

}  // namespace webnn::compiler
