// Float operators between dequantizeLinear and quantizeLinear, as quantising exporters write them, become operators on
// the quantised numbers.
//
// Legend as in simplify.cpp. ?s and ?z are the scale and zero point of the result, ?xs and ?xz those of ?x, and so on.
// The scale and zero point of an activation are one constant number each; they become attributes of the operator.
//
// A matrix product becomes a convolution with 1x1 windows; its channels-last input and output are the rows of the
// matrices as they are in memory.
//
// The results differ from the float ones by the roundings before the last one: by at most one quantisation unit. Kernels
// add up products in int32, so what may have larger sums stays as it is.
#include <algorithm>
#include <cmath>
#include <string>

#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/int32_sums.hpp"
#include "compiler/rewrites/rewrite.hpp"
#include "schema/elements/elements.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::compiler {
namespace {

Number element(const Match& match, std::string_view name, std::size_t index = 0) {
  const Value& value = match.graph().value(match.value(name));
  return load_element(value.descriptor.type, value.data.data(), index);
}

std::size_t size_of(const Match& match, std::string_view name) { return element_count(match.descriptor(name).shape); }

bool is_byte(DataType type) { return type == DataType::int8 || type == DataType::uint8; }

ConstantFacts::Range range_of(const Match& match, std::string_view constant) {
  return match.facts().range(match.graph().value(match.value(constant)));
}

/// 255 times as much is finite. With a larger scale some bytes stand for infinities, which operators on bytes do not know.
constexpr double most_scale = 1.3e36;
/// Whether all elements of a float constant are above 0 and no larger.
bool all_scales(const Match& match, std::string_view name) {
  const ConstantFacts::Range range = range_of(match, name);
  return range.least_number > 0 && range.greatest_magnitude <= most_scale;
}

bool all_zero(const Match& match, std::string_view name) { return range_of(match, name).greatest_magnitude == 0; }

/// Whether the constants are a single float32 scale and a single zero point of an 8-bit tensor.
bool is_one_quantization(const Match& match, std::string_view scale, std::string_view zero_point) {
  return size_of(match, scale) == 1 && is_byte(match.descriptor(zero_point).type) &&
         match.descriptor(scale).type == DataType::float32 && all_scales(match, scale);
}

/// If so, sets attributes to these numbers: ?xsv for ?xs and so on.
bool one_quantization(Match& match, const std::string& scale, const std::string& zero_point) {
  if (!is_one_quantization(match, scale, zero_point)) return false;
  match.set_attribute(scale + "v", AttributeValue(element(match, scale).as_double()));
  match.set_attribute(zero_point + "v", AttributeValue(element(match, zero_point).as_int64()));
  return true;
}

/// Sets ?type to the type of the result.
bool of_result(Match& match) {
  match.set_attribute("type", AttributeValue(match.descriptor("z").type));
  return one_quantization(match, "s", "z");
}

/// The same for a result that stays float32.
bool of_float_result(Match& match) {
  match.set_attribute("type", AttributeValue(DataType::float32));
  match.set_attribute("sv", AttributeValue(1.0));
  match.set_attribute("zv", AttributeValue(std::int64_t{0}));
  return true;
}

/// Whether ?w is a filter or matrix with a single scale, or one for each index of the output axis, and sums of `taps`
/// products fit in an int32. ?k becomes the shape of a list of all scales, ?n that of a list of all outputs.
bool quantized_weights(Match& match, unsigned output_axis, double taps) {
  const OperandDescriptor &weights = match.descriptor("w"), &scale = match.descriptor("ws");
  if (weights.type != DataType::int8 || scale.type != DataType::float32 || !all_zero(match, "wz") ||
      !all_scales(match, "ws"))
    return false;
  const std::uint64_t scales = element_count(scale.shape), outputs = weights.shape[output_axis];
  if (scales != 1 && (scale.shape[output_axis] != outputs || scales != outputs)) return false;
  match.set_attribute("k", IntegerList{std::int64_t(scales)});
  match.set_attribute("n", IntegerList{std::int64_t(outputs)});
  return one_quantization(match, "xs", "xz") && products_fit_int32(match, taps);
}

bool convolution(Match& match) {
  // Several groups are supported only for depthwise convolutions: see @quantizedConv2d.
  const std::int64_t groups = match.number("g").value_or(Number(1)).as_int64();
  const Shape &input = match.descriptor("x").shape, &filter = match.descriptor("w").shape;
  const double taps = double(filter[1]) * filter[2] * filter[3];
  return (groups == 1 || (groups == input[1] && groups == filter[0])) && quantized_weights(match, 0, taps);
}
bool quantized_convolution(Match& match) { return convolution(match) && of_result(match); }
bool convolution_to_float(Match& match) { return convolution(match) && of_float_result(match); }

/// ?i and ?f: the shapes of the input and of the matrix (permuted by ?p) as those of a convolution; ?o: the shape of
/// the product.
bool product(Match& match) {
  const Shape &x = match.descriptor("x").shape, &w = match.descriptor("w").shape;
  if (w.rank() != 2) return false;
  const AttributeValue* const transposed = match.attribute("t");
  const unsigned output_axis = transposed && std::get<bool>(*transposed) ? 0 : 1;
  const std::int64_t inner = x[x.rank() - 1], outputs = w[output_axis];
  IntegerList result(x.begin(), x.end());
  result.back() = outputs;
  match.set_attribute("i", IntegerList{1, std::int64_t(element_count(x)) / inner, 1, inner});
  match.set_attribute("p", output_axis == 1 ? IntegerList{1, 0} : IntegerList{0, 1});
  match.set_attribute("f", IntegerList{outputs, inner, 1, 1});
  match.set_attribute("o", std::move(result));
  if (match.value("b").valid()) {
    const OperandDescriptor& bias = match.descriptor("b");
    const Shape& shape = bias.shape;
    if (bias.type != DataType::float32 || shape.rank() == 0 || std::int64_t{shape[shape.rank() - 1]} != outputs ||
        element_count(shape) != std::uint64_t(outputs) || shape.rank() > x.rank())
      return false;
  }
  return quantized_weights(match, output_axis, double(inner));
}
bool quantized_product(Match& match) { return product(match) && of_result(match); }
bool product_to_float(Match& match) { return product(match) && of_float_result(match); }

/// The call of this operator in the match.
KernelSpec matched_call(const Match& match, OperatorId op) {
  const auto node = std::ranges::find(match.nodes(), op, [&](NodeId id) { return match.graph().node(id).op; });
  return match.graph().spec(*node);
}

/// Sets the attributes of as_quantized_transposed_convolution. For each axis: the filter gets ?e more taps, ?cp is the
/// convolution's padding, and the result is ?size elements of its output from ?start on.
bool transposed_convolution(Match& match) {
  const Shape &x = match.descriptor("x").shape, &w = match.descriptor("w").shape;
  const Shape result = matched_call(match, "convTranspose2d"_op).outputs[0].shape;
  const IntegerList padding = match.integers("p"), strides = match.integers("q");
  std::int64_t more[2], taps[2], before[2], after[2], positions[2], start[2];
  for (unsigned i = 0; i < 2; ++i) {
    const std::int64_t stride = strides[i], window = w[2 + i], input = x[2 + i];
    taps[i] = div_up(window, stride);
    more[i] = taps[i] * stride - window;
    if (more[i] > window) return false;  // zeros in the filter are wasted work
    // Position q of the convolution sees the input's elements up to q. The first and the last position that the result
    // needs:
    const std::int64_t first = std::min(padding[2 * i] / stride, taps[i] - 1);
    const std::int64_t last = (padding[2 * i] + result[2 + i] - 1) / stride;
    before[i] = taps[i] - 1 - first;
    after[i] = std::max<std::int64_t>(last - (input - 1), 0);
    positions[i] = input + before[i] + after[i] - taps[i] + 1;
    start[i] = padding[2 * i] - first * stride;
  }
  const double growth = double(w[2] + more[0]) / double(w[2]) * (double(w[3] + more[1]) / double(w[3]));
  if (growth > 2) return false;

  const std::int64_t inputs = w[0], outputs = w[1], area = strides[0] * strides[1], batch = x[0];
  match.set_attribute("e", IntegerList{0, 0, more[0], more[1]});
  match.set_attribute("taps", IntegerList{inputs, outputs, taps[0], strides[0], taps[1], strides[1]});
  match.set_attribute("f", IntegerList{area * outputs, inputs, taps[0], taps[1]});
  match.set_attribute("r", IntegerList{area});
  match.set_attribute("cp", IntegerList{before[0], after[0], before[1], after[1]});
  match.set_attribute("places", IntegerList{batch, positions[0], positions[1], strides[0], strides[1], outputs});
  match.set_attribute("pixels", IntegerList{batch, positions[0] * strides[0], positions[1] * strides[1], outputs});
  match.set_attribute("start", IntegerList{0, start[0], start[1], 0});
  match.set_attribute("size", IntegerList{batch, result[2], result[3], outputs});
  return quantized_weights(match, 1, double(inputs) * double(taps[0]) * double(taps[1]));
}
bool quantized_transposed_convolution(Match& match) { return transposed_convolution(match) && of_result(match); }
bool transposed_convolution_to_float(Match& match) { return transposed_convolution(match) && of_float_result(match); }

bool quantized_pool(Match& match) {
  return windows_fit_int32(match) && one_quantization(match, "xs", "xz") && of_result(match);
}

/// A mean over height and width, for tensors with channels first or last: ?p moves these axes to the front, ?n is the
/// shape of the result.
bool quantized_mean(Match& match) {
  const Shape& x = match.descriptor("x").shape;
  IntegerList axes = match.integers("a");
  std::ranges::sort(axes);
  const bool channels_last = axes == IntegerList{1, 2};
  if (x.rank() != 4 || (!channels_last && axes != IntegerList{2, 3})) return false;
  const std::int64_t batch = x[0], channels = x[channels_last ? 3 : 1];
  IntegerList shape{batch, channels};
  if (std::get<bool>(*match.attribute("k")))
    shape = channels_last ? IntegerList{batch, 1, 1, channels} : IntegerList{batch, channels, 1, 1};
  match.set_attribute("p", channels_last ? IntegerList{0, 3, 1, 2} : IntegerList{0, 1, 2, 3});
  match.set_attribute("n", std::move(shape));
  return quantized_pool(match);
}

bool quantized_add(Match& match) {
  return match.descriptor("a").shape == match.descriptor("b").shape && one_quantization(match, "as", "az") &&
         one_quantization(match, "bs", "bz") && of_result(match);
}

/// Whether the values that the clamp changes saturate anyway: the lowest and the highest number of ?z's type stand for
/// values within the limits.
bool saturates_at(Match& match, double low, double high) {
  if (!is_one_quantization(match, "s", "z")) return false;
  const double scale = element(match, "s").as_double(), zero_point = element(match, "z").as_double();
  const bool is_unsigned = match.descriptor("z").type == DataType::uint8;
  const double least = is_unsigned ? 0 : -128, greatest = is_unsigned ? 255 : 127;
  return low <= (least - zero_point) * scale && high >= (greatest - zero_point) * scale;
}
bool relu_saturates(Match& match) { return saturates_at(match, 0, 1e300); }
bool clamp_saturates(Match& match) {
  // A limit is often the highest number times a rounded scale.
  constexpr double slack = 1e-6;
  const auto limit = [&](std::string_view name, double none) {
    const auto number = match.number(name);
    return number ? number->as_double() : none;
  };
  const double low = limit("a", -1e300), high = limit("b", 1e300);
  return saturates_at(match, low - slack * std::abs(low), high + slack * std::abs(high));
}

/// The number to which quantizeLinear maps a value.
Number quantized(const Match& match, double value) {
  const bool is_unsigned = match.descriptor("z").type == DataType::uint8;
  const double number =
      std::nearbyint(float(value) / float(element(match, "s").as_double())) + element(match, "z").as_double();
  return Number(std::int64_t(std::clamp<double>(number, is_unsigned ? 0 : -128, is_unsigned ? 255 : 127)));
}

/// Whether a node may become an operator on bytes: the factors or summands come from bytes. Its result is a number then.
bool computes_on_bytes(const Match& match, const Node& node) {
  const Graph& graph = match.graph();
  const auto becomes = on_quantized(node.op);
  if (!becomes) return false;
  const bool multiplies = becomes == "@quantizedConv2d"_op;
  if (multiplies && node.inputs.size() > 2 && node.inputs[2].valid()) {
    const auto bias = known_numbers(match, node.inputs[2]);
    if (!bias || !std::ranges::all_of(*bias, [](double number) { return std::abs(number) <= 3e38; })) return false;
  }
  for (std::size_t i = 0; i < (node.op == "averagePool2d"_op ? 1 : 2); ++i) {
    const Value& operand = graph.value(node.inputs[i]);
    if (operand.kind != Value::Kind::result) return false;
    const Node& before = graph.node(operand.producer);
    if (before.op != "dequantizeLinear"_op || !graph.is_constant(before.inputs[1]) ||
        match.facts().range(graph.value(before.inputs[1])).greatest_magnitude > most_scale)
      return false;
    const DataType type = graph.value(before.inputs[0]).descriptor.type;
    if (multiplies && i == 1 ? type != DataType::int8 || !graph.is_constant(before.inputs[0]) : !is_byte(type))
      return false;
  }
  return true;
}

/// Sets ?low and ?high to the numbers of a clamp's limits, if ?x comes from an operator that may give bytes.
bool limits_of_bytes(Match& match, std::optional<Number> low, std::optional<Number> high) {
  const Graph& graph = match.graph();
  if (!is_one_quantization(match, "s", "z") || graph.value(match.value("x")).kind != Value::Kind::result ||
      !computes_on_bytes(match, graph.node(graph.value(match.value("x")).producer)))
    return false;
  if (low) match.set_attribute("low", AttributeValue(quantized(match, low->as_double())));
  if (high) match.set_attribute("high", AttributeValue(quantized(match, high->as_double())));
  return true;
}
bool relu_of_bytes(Match& match) { return limits_of_bytes(match, Number(0), std::nullopt); }
bool clamp_of_bytes(Match& match) { return limits_of_bytes(match, match.number("a"), match.number("b")); }

/// Larger numbers stand for larger values, and no window is empty (its maximum would be -infinity).
bool one_scale_and_full_windows(Match& match) {
  if (!is_one_quantization(match, "xs", "xz")) return false;
  const KernelSpec pool = matched_call(match, "maxPool2d"_op);
  const SpecCall call(pool);
  return std::ranges::all_of(sliding_windows(call, pool.outputs[0].shape), [](const SlidingWindow& window) {
    // Windows between the first and the last one slide over the input, which cannot fall between two taps.
    return window.part(0).count > 0 && window.part(window.output - 1).count > 0 &&
           (window.window == 1 || window.dilation <= window.input);
  });
}

bool one_scale(Match& match) { return is_one_quantization(match, "xs", "xz"); }

/// Sets ?q to the number for 0, if the padding is 0; other modes pad with elements.
bool one_scale_and_zero_around(Match& match) {
  if (!one_scale(match)) return false;
  if (std::get<std::string>(*match.attribute("m")) != "constant") return true;
  match.set_attribute("q", AttributeValue(element(match, "xz")));
  return match.number("v").value_or(Number(0)).as_double() == 0;
}

bool one_result_scale(Match& match) { return size_of(match, "s") == 1; }

/// ?o: the shape of a scale for a tensor with this rank.
bool scale_of_rank(Match& match, unsigned rank) {
  match.set_attribute("o", IntegerList(rank, 1));
  return true;
}
bool one_result_scale_reshaped(Match& match) {
  return one_result_scale(match) && scale_of_rank(match, match.descriptor("x").shape.rank());
}
bool one_scale_reshaped(Match& match) {
  return is_one_quantization(match, "xs", "xz") && scale_of_rank(match, unsigned(match.integers("n").size()));
}

/// Whether the numbers stay the same.
bool same_quantization(Match& match) {
  return match.descriptor("x").type == match.descriptor("z").type && is_one_quantization(match, "s", "z") &&
         is_one_quantization(match, "xs", "xz") &&
         element(match, "s").as_double() == element(match, "xs").as_double() &&
         element(match, "z").as_int64() == element(match, "xz").as_int64();
}

constexpr std::string_view as_quantized_convolution =
    "@quantizedConv2d(?x, ?w, bias=?b:optional, filterScale=expand(reshape(?ws) {newShape=?k}) {newShape=?n}) "
    "{dataType=?type, inputScale=?xsv, inputZeroPoint=?xzv, outputScale=?sv, outputZeroPoint=?zv, padding=?p, "
    "strides=?q, dilations=?d, groups=?g}";
constexpr std::string_view as_quantized_product =
    "reshape(transpose(@quantizedConv2d(transpose(reshape(?x) {newShape=?i}) {permutation=[0, 3, 1, 2]}, "
    "reshape(transpose(?w) {permutation=?p}) {newShape=?f}, bias=reshape(?b:optional) {newShape=?n}, "
    "filterScale=expand(reshape(?ws) {newShape=?k}) {newShape=?n}) {dataType=?type, inputScale=?xsv, "
    "inputZeroPoint=?xzv, outputScale=?sv, outputZeroPoint=?zv}) {permutation=[0, 2, 3, 1]}) {newShape=?o}";
// The filter [inputs, outputs, height, width] gets rows and columns of zeros until the strides divide it, and its taps
// are reversed, because a convolution reads from left to right.
constexpr std::string_view as_quantized_transposed_convolution =
    "transpose(slice(reshape(transpose(reshape(transpose(@quantizedConv2d(?x, "
    "reshape(transpose(reverse(reshape(pad(?w) {beginningPadding=[0, 0, 0, 0], endingPadding=?e}) {newShape=?taps}) "
    "{axes=[2, 4]}) {permutation=[3, 5, 1, 0, 2, 4]}) {newShape=?f}, bias=tile(?b:optional) {repetitions=?r}, "
    "filterScale=tile(expand(reshape(?ws) {newShape=?k}) {newShape=?n}) {repetitions=?r}) {dataType=?type, "
    "inputScale=?xsv, inputZeroPoint=?xzv, outputScale=?sv, outputZeroPoint=?zv, padding=?cp}) "
    "{permutation=[0, 2, 3, 1]}) {newShape=?places}) {permutation=[0, 1, 3, 2, 4, 5]}) {newShape=?pixels}) "
    "{starts=?start, sizes=?size}) {permutation=[0, 3, 1, 2]}";

constexpr Rewrite quantize_rows[] = {
    // what saturation does anyway
    {"relu", "quantizeLinear(relu(?x), ?s:constant, ?z:constant)", "quantizeLinear(?x, ?s, ?z)", relu_saturates},
    {"clamp", "quantizeLinear(clamp(?x) {minValue=?a, maxValue=?b}, ?s:constant, ?z:constant)",
     "quantizeLinear(?x, ?s, ?z)", clamp_saturates},

    // limits behind operators that may become operators on integers
    {"relu_of_bytes", "quantizeLinear(relu(?x), ?s:constant, ?z:constant)",
     "clamp(quantizeLinear(?x, ?s, ?z)) {minValue=?low}", relu_of_bytes},
    {"clamp_of_bytes", "quantizeLinear(clamp(?x) {minValue=?a, maxValue=?b}, ?s:constant, ?z:constant)",
     "clamp(quantizeLinear(?x, ?s, ?z)) {minValue=?low, maxValue=?high}", clamp_of_bytes},

    // operators that select or move elements, on the quantised numbers
    {"transpose_dequantize", "transpose(dequantizeLinear(?x, ?xs, ?xz)) {permutation=?p}",
     "dequantizeLinear(transpose(?x) {permutation=?p}, transpose(?xs) {permutation=?p}, transpose(?xz) "
     "{permutation=?p})"},
    {"quantize_transpose", "quantizeLinear(transpose(?x) {permutation=?p}, ?s:constant, ?z:constant)",
     "transpose(quantizeLinear(?x, ?s, ?z)) {permutation=?p}", one_result_scale},
    {"reshape_dequantize", "reshape(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {newShape=?n}",
     "dequantizeLinear(reshape(?x) {newShape=?n}, reshape(?xs) {newShape=?o}, reshape(?xz) {newShape=?o})",
     one_scale_reshaped},
    {"quantize_reshape", "quantizeLinear(reshape(?x) {newShape=?n}, ?s:constant, ?z:constant)",
     "reshape(quantizeLinear(?x, reshape(?s) {newShape=?o}, reshape(?z) {newShape=?o})) {newShape=?n}",
     one_result_scale_reshaped},
    {"there_and_back", "quantizeLinear(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?s:constant, ?z:constant)",
     "?x", same_quantization},
    {"slice", "slice(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {starts=?b, sizes=?n, strides=?q}",
     "dequantizeLinear(slice(?x) {starts=?b, sizes=?n, strides=?q}, ?xs, ?xz)", one_scale},
    {"pad",
     "pad(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {beginningPadding=?b, endingPadding=?e, mode=?m, "
     "value=?v}",
     "dequantizeLinear(pad(?x) {beginningPadding=?b, endingPadding=?e, mode=?m, value=?q}, ?xs, ?xz)",
     one_scale_and_zero_around},
    {"resample2d",
     "resample2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {mode=\"nearest-neighbor\", scales=?c, "
     "sizes=?n, axes=?a}",
     "dequantizeLinear(resample2d(?x) {scales=?c, sizes=?n, axes=?a}, ?xs, ?xz)", one_scale},
    {"max_pool",
     "maxPool2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {windowDimensions=?w, padding=?p, strides=?q, "
     "dilations=[1, 1], outputShapeRounding=?r, outputSizes=?o}",
     "dequantizeLinear(maxPool2d(?x) {windowDimensions=?w, padding=?p, strides=?q, outputShapeRounding=?r, "
     "outputSizes=?o}, ?xs, ?xz)",
     one_scale_and_full_windows},

    // operators on integers
    {"conv2d",
     "quantizeLinear(conv2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, "
     "?ws:constant, ?wz:constant), bias=?b:optional) {padding=?p, strides=?q, dilations=?d, groups=?g}, ?s:constant, "
     "?z:constant)",
     as_quantized_convolution, quantized_convolution},
    {"matmul",
     "quantizeLinear(matmul(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, "
     "?ws:constant, ?wz:constant)), ?s:constant, ?z:constant)",
     as_quantized_product, quantized_product},
    {"matmul_bias",
     "quantizeLinear(add(matmul(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), "
     "?dw=dequantizeLinear(?w:constant, ?ws:constant, ?wz:constant)), ?b), ?s:constant, ?z:constant)",
     as_quantized_product, quantized_product},
    {"gemm",
     "quantizeLinear(gemm(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, "
     "?ws:constant, ?wz:constant), c=?b:optional) {bTranspose=?t}, ?s:constant, ?z:constant)",
     as_quantized_product, quantized_product},
    {"conv_transpose2d",
     "quantizeLinear(convTranspose2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), "
     "?dw=dequantizeLinear(?w:constant, ?ws:constant, ?wz:constant), bias=?b:optional) {padding=?p, strides=?q, "
     "outputPadding=?op, outputSizes=?os}, ?s:constant, ?z:constant)",
     as_quantized_transposed_convolution, quantized_transposed_convolution},
    {"average_pool2d",
     "quantizeLinear(averagePool2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {windowDimensions=?w, "
     "padding=?p, strides=?q, dilations=?d, outputShapeRounding=?r, outputSizes=?o}, ?s:constant, ?z:constant)",
     "@quantizedAveragePool2d(?x) {dataType=?type, inputScale=?xsv, inputZeroPoint=?xzv, outputScale=?sv, "
     "outputZeroPoint=?zv, windowDimensions=?w, padding=?p, strides=?q, dilations=?d, outputShapeRounding=?r, "
     "outputSizes=?o}",
     quantized_pool},
    {"reduce_mean",
     "quantizeLinear(reduceMean(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant)) {axes=?a, keepDimensions=?k}, "
     "?s:constant, ?z:constant)",
     "reshape(@quantizedAveragePool2d(transpose(?x) {permutation=?p}) {dataType=?type, inputScale=?xsv, "
     "inputZeroPoint=?xzv, outputScale=?sv, outputZeroPoint=?zv}) {newShape=?n}",
     quantized_mean},
    {"add",
     "quantizeLinear(add(?da=dequantizeLinear(?a, ?as:constant, ?az:constant), ?db=dequantizeLinear(?b, ?bs:constant, "
     "?bz:constant)), ?s:constant, ?z:constant)",
     "@quantizedAdd(?a, ?b) {dataType=?type, aScale=?asv, aZeroPoint=?azv, bScale=?bsv, bZeroPoint=?bzv, "
     "outputScale=?sv, outputZeroPoint=?zv}",
     quantized_add},
};

// Operators whose results are not quantised again.
constexpr Rewrite rows_to_float[] = {
    {"conv2d",
     "conv2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, ?ws:constant, "
     "?wz:constant), bias=?b:optional) {padding=?p, strides=?q, dilations=?d, groups=?g}",
     as_quantized_convolution, convolution_to_float},
    {"matmul",
     "matmul(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, ?ws:constant, "
     "?wz:constant))",
     as_quantized_product, product_to_float},
    {"gemm",
     "gemm(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, ?ws:constant, "
     "?wz:constant), c=?b:optional) {bTranspose=?t}",
     as_quantized_product, product_to_float},
    {"conv_transpose2d",
     "convTranspose2d(?dx=dequantizeLinear(?x, ?xs:constant, ?xz:constant), ?dw=dequantizeLinear(?w:constant, "
     "?ws:constant, ?wz:constant), bias=?b:optional) {padding=?p, strides=?q, outputPadding=?op, outputSizes=?os}",
     as_quantized_transposed_convolution, transposed_convolution_to_float},
};

}  // namespace

std::optional<OperatorId> on_quantized(OperatorId op) {
  const Family family = row(op).family;
  if (family == Family::convolution || family == Family::contraction) return "@quantizedConv2d"_op;
  if (op == "add"_op) return "@quantizedAdd"_op;
  if (op == "averagePool2d"_op) return "@quantizedAveragePool2d"_op;
  return std::nullopt;
}

std::span<const Rewrite> quantize_rewrites() { return quantize_rows; }
std::span<const Rewrite> quantize_operands_rewrites() { return rows_to_float; }

}  // namespace webnn::compiler
