// Pooling, convolutions, matrix products and resampling in ONNX, where channels are first.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

#include "compiler/onnx/export/onnx_call.hpp"

namespace webnn::compiler {
namespace {

using enum DataType;

/// WebNN: begin and end of the height, then of the width. ONNX: both begins, then both ends.
OnnxIntegers pads_of(const std::vector<std::uint32_t>& padding) {
  return {padding[0], padding[2], padding[1], padding[3]};
}

/// The axes of a tensor in the layout `from` ("nhwc") that the letters of `to` ("nchw") name.
std::vector<unsigned> permutation_between(std::string_view from, std::string_view to) {
  std::vector<unsigned> permutation;
  for (const char letter : to) permutation.push_back(unsigned(from.find(letter)));
  return permutation;
}

/// The call's results from a node with channels first, whose first input replaces `inputs[0]`.
void finish_channels_first(OnnxCall& c, std::string_view onnx, std::string_view layout, OnnxInputs inputs,
                           const OnnxAttributes& attributes) {
  if (layout == "nchw") return c.finish(onnx, inputs, attributes);
  const Shape shape = permuted(c.result().shape, permutation_between(layout, "nchw"));
  const OnnxOperand y = c.add(onnx, inputs, c.result().type, shape, attributes);
  const std::vector<unsigned> back = permutation_between("nchw", layout);
  c.finish("Transpose", {y.name}, {{"perm", OnnxIntegers(back.begin(), back.end())}});
}

OnnxOperand channels_first(OnnxCall& c, std::string_view layout) {
  return c.transposed(c.operand(0), permutation_between(layout, "nchw"));
}

/// Output sizes enlarged by `ceil` or outputSizes become padding at the end, which counts in no window, so that all
/// runtimes agree on the size of the result.
OnnxIntegers pool_pads(const OnnxCall& c, const Shape& input, const Shape& output,
                       const std::vector<std::uint32_t>& window) {
  const auto strides = c.call.u32_list("strides"), dilations = c.call.u32_list("dilations");
  OnnxIntegers pads = pads_of(c.call.u32_list("padding"));
  for (unsigned i = 0; i < 2; ++i) {
    const std::int64_t span = std::int64_t(window[i] - 1) * dilations[i] + 1;
    const std::int64_t needed = std::int64_t(output[2 + i] - 1) * strides[i] + span;
    pads[2 + i] = std::max(pads[2 + i], needed - std::int64_t(input[2 + i]) - pads[i]);
  }
  return pads;
}

/// Numbers of a window, for which runtimes have 32 bits with a sign. Where `counts` (of windows or of taps) is 1, a larger
/// one does what the largest does: it leads beyond the input.
OnnxIntegers numbers_of_window(const OnnxCall& c, std::string_view attribute,
                               std::initializer_list<std::uint32_t> counts) {
  OnnxIntegers numbers = integers_of(c.call.u32_list(attribute));
  for (std::size_t axis = 0; const std::uint32_t count : counts) {
    std::int64_t& number = numbers[axis++];
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (count == 1) number = std::min(number, largest);
    if (number > largest) c.refuse("its " + std::string(attribute) + " are larger than 2147483647");
  }
  return numbers;
}

/// The operand of a pooling with its padding, as an operator of its own: elements that change no maximum and no sum of
/// squares. A mean would count them.
OnnxOperand padded_for_pool(OnnxCall& c, const OnnxOperand& x, const OnnxIntegers& pads, std::string_view onnx) {
  if (onnx == "AveragePool") c.refuse("its padding is as large as its window");
  Shape shape = x.shape;
  for (unsigned i = 0; i < 2; ++i) {
    const std::int64_t size = shape[2 + i] + pads[i] + pads[2 + i];
    if (size > std::numeric_limits<std::int32_t>::max()) c.refuse("its padding is larger than 2147483647");
    shape[2 + i] = std::uint32_t(size);
  }
  Number element = 0;
  if (onnx == "MaxPool" && is_float(x.type)) element = -std::numeric_limits<double>::infinity();
  if (onnx == "MaxPool" && x.type == int8) element = std::numeric_limits<std::int8_t>::lowest();
  // With axes: ONNX Runtime would make padding of all axes the pooling's own again.
  return c.add("Pad",
               {x.name, c.integers("pads", pads).name, c.filled("padding", x.type, {}, element).name,
                c.integers("axes", {2, 3}).name},
               x.type, shape);
}

void pool(OnnxCall& c, std::string_view onnx) {
  const std::string_view layout = c.call.text("layout");
  OnnxOperand x = channels_first(c, layout);
  const Shape output = permuted(c.result().shape, permutation_between(layout, "nchw"));
  const std::vector<std::uint32_t> window = c.call.u32_list("windowDimensions");
  OnnxIntegers pads = pool_pads(c, x.shape, output, window);
  const OnnxIntegers dilations = numbers_of_window(c, "dilations", {window[0], window[1]});
  // Runtimes refuse such padding as the pooling's own.
  if (std::max(pads[0], pads[2]) >= window[0] || std::max(pads[1], pads[3]) >= window[1]) {
    x = padded_for_pool(c, x, pads, onnx);
    pads.assign(4, 0);
  }
  OnnxAttributes attributes;
  if (onnx == "LpPool") attributes.push_back({"p", std::int64_t(2)});

  // The global variants take floating-point numbers only.
  const bool whole = is_float(x.type) && window[0] == x.shape[2] && window[1] == x.shape[3] &&
                     pads == OnnxIntegers{0, 0, 0, 0} && dilations == OnnxIntegers{1, 1} && output[2] == 1 &&
                     output[3] == 1;
  if (whole) return finish_channels_first(c, "Global" + std::string(onnx), layout, {x.name}, attributes);
  attributes.push_back({"kernel_shape", integers_of(window)});
  attributes.push_back({"strides", numbers_of_window(c, "strides", {output[2], output[3]})});
  attributes.push_back({"pads", pads});
  if (dilations != OnnxIntegers{1, 1}) attributes.push_back({"dilations", dilations});
  finish_channels_first(c, onnx, layout, {x.name}, attributes);
}

/// `windows`: how many there are along each axis, where that is what strides tell.
OnnxAttributes convolution_attributes(OnnxCall& c, const Shape& filter, std::initializer_list<std::uint32_t> windows) {
  return {{"strides", numbers_of_window(c, "strides", windows)},
          {"pads", pads_of(c.call.u32_list("padding"))},
          {"dilations", numbers_of_window(c, "dilations", {filter[2], filter[3]})},
          {"group", std::int64_t(c.call.u32("groups"))}};
}

OnnxInputs convolution_inputs(OnnxCall& c, std::string_view filter_layout) {
  OnnxInputs inputs{channels_first(c, c.call.text("inputLayout")).name,
                    c.transposed(c.operand(1), permutation_between(c.call.text("filterLayout"), filter_layout)).name};
  if (c.has(2)) inputs.push_back(c.input(2));
  return inputs;
}

void conv2d(OnnxCall& c, std::string_view onnx) {
  const std::string_view layout = c.call.text("inputLayout");
  const Shape output = permuted(c.result().shape, permutation_between(layout, "nchw"));
  const Shape filter = permuted(c.call.shape(1), permutation_between(c.call.text("filterLayout"), "oihw"));
  finish_channels_first(c, onnx, layout, convolution_inputs(c, "oihw"),
                        convolution_attributes(c, filter, {output[2], output[3]}));
}

void conv_transpose2d(OnnxCall& c, std::string_view onnx) {
  const std::string_view layout = c.call.text("inputLayout"), filter_layout = c.call.text("filterLayout");
  const auto to_nchw = permutation_between(layout, "nchw");
  const Shape input = permuted(c.call.shape(0), to_nchw), output = permuted(c.result().shape, to_nchw);
  const Shape filter = permuted(c.call.shape(1), permutation_between(filter_layout, "iohw"));
  const auto padding = c.call.u32_list("padding"), strides = c.call.u32_list("strides"),
             dilations = c.call.u32_list("dilations");
  OnnxIntegers more;  // by how much outputPadding or outputSizes enlarge the result
  for (unsigned i = 0; i < 2; ++i)
    more.push_back(std::int64_t(output[2 + i]) -
                   (std::int64_t(input[2 + i] - 1) * strides[i] + std::int64_t(filter[2 + i] - 1) * dilations[i] + 1 -
                    padding[2 * i] - padding[2 * i + 1]));
  constexpr std::uint32_t any = 2;
  OnnxAttributes attributes = convolution_attributes(c, filter, {any, any});
  if (more != OnnxIntegers{0, 0}) attributes.push_back({"output_padding", more});
  finish_channels_first(c, onnx, layout, convolution_inputs(c, "iohw"), attributes);
}

void gemm(OnnxCall& c, std::string_view onnx) {
  c.finish(onnx, c.all_inputs(),
           {{"alpha", float(c.call.real("alpha"))},
            {"beta", float(c.call.real("beta"))},
            {"transA", std::int64_t(c.call.boolean("aTranspose"))},
            {"transB", std::int64_t(c.call.boolean("bTranspose"))}});
}

/// In both, pixel centres are at half coordinates and ties go down.
void resample2d(OnnxCall& c, std::string_view onnx) {
  OnnxIntegers sizes;
  for (const std::uint32_t size : c.result().shape) sizes.push_back(size);
  const bool linear = c.call.text("mode") == "linear";
  OnnxAttributes attributes{{"mode", std::string(linear ? "linear" : "nearest")},
                            {"coordinate_transformation_mode", std::string("half_pixel")}};
  if (!linear) attributes.push_back({"nearest_mode", std::string("round_prefer_floor")});
  c.finish(onnx, {c.input(0), "", "", c.integers("sizes", sizes).name}, attributes);
}

constexpr OnnxRow window_rows[] = {
    {"averagePool2d", "AveragePool", pool, {}},
    {"l2Pool2d", "LpPool", pool, {}},
    {"maxPool2d", "MaxPool", pool, {float32, float16, int8, uint8}},
    {"conv2d", "Conv", conv2d, {}},
    {"convTranspose2d", "ConvTranspose", conv_transpose2d, {}},
    {"gemm", "Gemm", gemm, {}},
    {"matmul", "MatMul", onnx_direct, {}},
    {"resample2d", "Resize", resample2d, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_window_rows() { return window_rows; }

}  // namespace webnn::compiler
