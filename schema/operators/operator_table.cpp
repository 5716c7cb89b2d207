// The operator table of WebNN (https://www.w3.org/TR/webnn/), with this project's decisions where the specification
// leaves something open. The rows of elementwise operators are in elementwise.def.
//
// Legend. A row is op(name, family, shape rule, {operands}, {outputs}, {attributes}).
//   in, opt, many     an operand that is required, optional, a list: name, allowed types, type variable, lowest and
//                     highest rank
//   out, outs         an output, a list of outputs: name, its type variable or type
//   u32, text, ...    an attribute: name and default
//   arg_u32, ...      a required attribute, which is a positional argument of the builder method: name
// Operands with the same type variable share one data type; an output with that variable has it too.
#include "schema/operators/operator_table.hpp"

#include "schema/infer/infer.hpp"

namespace webnn::schema {
namespace {

using enum DataType;
using enum Family;

constexpr DataTypes FLOAT{float32, float16};
constexpr DataTypes ANY{float32, float16, int32, uint32, int64, uint64, int8, uint8};
constexpr DataTypes ANY_AND_4BIT{float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4};
constexpr DataTypes SIGNED{float32, float16, int64, int32, int8};
constexpr DataTypes WIDE{float32, float16, int32, uint32, int64, uint64};
constexpr DataTypes INDEX{int32, uint32, int64};
constexpr DataTypes QUANTIZED{uint8, int8, uint32, int32, int4, uint4};
constexpr DataTypes RESAMPLED{float32, float16, uint8, int8};
constexpr DataTypes LOGICAL{uint8};
constexpr DataTypes BYTE{int8, uint8};
constexpr DataTypes BYTE_OR_4BIT{int8, uint8, int4, uint4};

constexpr OperandRow operand(std::string_view name, Arity arity, DataTypes types, char variable, unsigned min,
                             unsigned max) {
  return {name, arity, types, variable, std::uint8_t(min), std::uint8_t(max)};
}
constexpr OperandRow in(std::string_view name, DataTypes types, char variable = 0, unsigned min = 0,
                        unsigned max = max_rank) {
  return operand(name, Arity::one, types, variable, min, max);
}
constexpr OperandRow opt(std::string_view name, DataTypes types, char variable = 0, unsigned min = 0,
                         unsigned max = max_rank) {
  return operand(name, Arity::optional, types, variable, min, max);
}
constexpr OperandRow many(std::string_view name, DataTypes types, char variable = 0, unsigned min = 0,
                          unsigned max = max_rank) {
  return operand(name, Arity::many, types, variable, min, max);
}

constexpr OutputRow out(char variable) { return {"output", {}, variable, Arity::one}; }
constexpr OutputRow out(DataTypes types) { return {"output", types, 0, Arity::one}; }
constexpr OutputRow out(std::string_view name, char variable) { return {name, {}, variable, Arity::one}; }
constexpr OutputRow opt_out(std::string_view name, char variable) { return {name, {}, variable, Arity::optional}; }
constexpr OutputRow outs(std::string_view name, char variable) { return {name, {}, variable, Arity::many}; }

constexpr AttributeRow attribute(std::string_view name, AttributeKind kind, AttributeRow::Default how) {
  AttributeRow row;
  row.name = name;
  row.kind = kind;
  row.default_kind = how;
  return row;
}
constexpr AttributeRow arg_u32(std::string_view name) {
  return attribute(name, AttributeKind::u32, AttributeRow::Default::required);
}
constexpr AttributeRow arg_u32s(std::string_view name) {
  return attribute(name, AttributeKind::u32_list, AttributeRow::Default::required);
}
constexpr AttributeRow arg_u32_or_list(std::string_view name) {
  return attribute(name, AttributeKind::u32_or_list, AttributeRow::Default::required);
}
constexpr AttributeRow arg_type(std::string_view name, DataTypes types) {
  AttributeRow row = attribute(name, AttributeKind::data_type, AttributeRow::Default::required);
  row.types = types;
  return row;
}
constexpr AttributeRow flag(std::string_view name, bool value) {
  AttributeRow row = attribute(name, AttributeKind::boolean, AttributeRow::Default::boolean);
  row.default_integer = value;
  return row;
}
constexpr AttributeRow u32(std::string_view name, std::int64_t value) {
  AttributeRow row = attribute(name, AttributeKind::u32, AttributeRow::Default::integer);
  row.default_integer = value;
  return row;
}
constexpr AttributeRow i32(std::string_view name, std::int64_t value) {
  AttributeRow row = attribute(name, AttributeKind::i32, AttributeRow::Default::integer);
  row.default_integer = value;
  row.minimum = -0x80000000ll;
  return row;
}
constexpr AttributeRow real(std::string_view name, double value) {
  AttributeRow row = attribute(name, AttributeKind::real, AttributeRow::Default::real);
  row.default_real = value;
  return row;
}
constexpr AttributeRow number(std::string_view name) {
  return attribute(name, AttributeKind::number, AttributeRow::Default::absent);
}
constexpr AttributeRow u32s(std::string_view name, FixedList<std::int64_t, 4> values) {
  AttributeRow row = attribute(name, AttributeKind::u32_list, AttributeRow::Default::integers);
  row.default_list = values;
  row.length = values.count;
  return row;
}
constexpr AttributeRow u32s(std::string_view name, ComputedDefault compute) {
  AttributeRow row = attribute(name, AttributeKind::u32_list, AttributeRow::Default::computed);
  row.compute = compute;
  return row;
}
constexpr AttributeRow opt_u32s(std::string_view name) {
  return attribute(name, AttributeKind::u32_list, AttributeRow::Default::absent);
}
constexpr AttributeRow reals(std::string_view name, FixedList<std::int64_t, 4> values) {
  AttributeRow row = attribute(name, AttributeKind::real_list, AttributeRow::Default::reals);
  row.default_list = values;
  row.length = values.count;
  return row;
}
constexpr AttributeRow text(std::string_view name, FixedList<std::string_view, 4> words) {
  AttributeRow row = attribute(name, AttributeKind::text, AttributeRow::Default::word);
  row.words = words;
  return row;
}
constexpr AttributeRow type(std::string_view name, DataType value, DataTypes types) {
  AttributeRow row = attribute(name, AttributeKind::data_type, AttributeRow::Default::integer);
  row.default_integer = std::int64_t(value);
  row.types = types;
  return row;
}
constexpr AttributeRow activations(FixedList<std::string_view, 3> defaults) {
  AttributeRow row = attribute("activations", AttributeKind::text_list, AttributeRow::Default::words);
  row.default_words = defaults;
  row.length = defaults.count;
  row.words = {"relu", "sigmoid", "tanh"};
  return row;
}

constexpr Operator op(std::string_view name, Family family, InferFunction infer, FixedList<OperandRow, 8> operands,
                      FixedList<OutputRow, 3> outputs, FixedList<AttributeRow, 12> attributes = {}) {
  return {name, family, infer, operands, outputs, attributes, false};
}
constexpr Operator commutative(Operator row) {
  row.commutative = true;
  return row;
}

// The rows of elementwise.def, without their names.
constexpr Operator unary_op(DataTypes types, FixedList<AttributeRow, 12> attributes = {}) {
  return op({}, unary, infer_same, {in("input", types, 'T')}, {out('T')}, attributes);
}
constexpr Operator alpha_op(double alpha) { return unary_op(FLOAT, {real("alpha", alpha)}); }
constexpr Operator alpha_beta_op(double alpha, double beta) {
  return unary_op(FLOAT, {real("alpha", alpha), real("beta", beta)});
}
constexpr Operator clamp_op() {
  return op({}, unary, infer_clamp, {in("input", ANY, 'T')}, {out('T')}, {number("minValue"), number("maxValue")});
}
constexpr Operator binary_op() {
  return op({}, binary, infer_broadcast, {in("a", ANY, 'T'), in("b", ANY, 'T')}, {out('T')});
}
constexpr Operator prelu_op() {
  return op({}, binary, infer_broadcast, {in("input", SIGNED, 'T'), in("slope", SIGNED, 'T')}, {out('T')});
}
constexpr Operator comparison_op() {
  return op({}, comparison, infer_comparison, {in("a", ANY, 'T'), in("b", ANY, 'T')}, {out(uint8)});
}
constexpr Operator logical_not_op() { return op({}, logical, infer_same, {in("a", LOGICAL, 'T')}, {out('T')}); }
constexpr Operator logical_op() {
  return commutative(op({}, logical, infer_broadcast, {in("a", LOGICAL, 'T'), in("b", LOGICAL, 'T')}, {out('T')}));
}
constexpr Operator predicate_op() { return op({}, predicate, infer_predicate, {in("a", FLOAT, 'T')}, {out(uint8)}); }
constexpr Operator named(std::string_view name, Operator row) {
  row.name = name;
  return row;
}

// Rows that differ only in name and types.
constexpr Operator reduction_op(std::string_view name, DataTypes types) {
  return op(name, reduction, infer_reduction, {in("input", types, 'T')}, {out('T')},
            {u32s("axes", all_axes), flag("keepDimensions", false)});
}
constexpr Operator arg_reduction_op(std::string_view name) {
  return op(name, arg_reduction, infer_arg_reduction, {in("input", ANY, 'T', 1)}, {out({int32, int64})},
            {arg_u32("axis"), flag("keepDimensions", false), type("outputDataType", int32, {int32, int64})});
}
constexpr Operator pool_op(std::string_view name, DataTypes types) {
  return op(
      name, window, infer_pool2d, {in("input", types, 'T', 4, 4)}, {out('T')},
      {u32s("windowDimensions", whole_window).at_least(1).of_length(2), u32s("padding", {0, 0, 0, 0}),
       u32s("strides", {1, 1}).at_least(1), u32s("dilations", {1, 1}).at_least(1), text("layout", {"nchw", "nhwc"}),
       text("outputShapeRounding", {"floor", "ceil"}), opt_u32s("outputSizes").at_least(1).of_length(2)});
}

constexpr Operator rows[] = {
#define UNARY(symbol, name, row, ...) named(name, row),
#define BINARY(symbol, name, row, ...) named(name, row),
#define INTERNAL_UNARY(...)
#include "schema/operators/elementwise.def"
    op("where", select, infer_where, {in("condition", LOGICAL), in("trueValue", ANY, 'T'), in("falseValue", ANY, 'T')},
       {out('T')}),
    op("cast", cast, infer_cast, {in("input", ANY_AND_4BIT)}, {out(ANY_AND_4BIT)},
       {arg_type("dataType", ANY_AND_4BIT)}),

    op("identity", view, infer_same, {in("input", ANY_AND_4BIT, 'T')}, {out('T')}),
    op("reshape", view, infer_reshape, {in("input", ANY_AND_4BIT, 'T')}, {out('T')},
       {arg_u32s("newShape").at_least(1)}),
    op("concat", movement, infer_concat, {many("inputs", ANY, 'T', 1)}, {out('T')}, {arg_u32("axis")}),
    op("expand", movement, infer_expand, {in("input", ANY, 'T')}, {out('T')}, {arg_u32s("newShape").at_least(1)}),
    op("pad", movement, infer_pad, {in("input", ANY, 'T')}, {out('T')},
       {arg_u32s("beginningPadding"), arg_u32s("endingPadding"), text("mode", {"constant", "edge", "reflection"}),
        number("value")}),
    op("reverse", movement, infer_reverse, {in("input", ANY, 'T')}, {out('T')}, {u32s("axes", all_axes)}),
    op("slice", movement, infer_slice, {in("input", ANY, 'T')}, {out('T')},
       {arg_u32s("starts"), arg_u32s("sizes").at_least(1), u32s("strides", one_per_axis).at_least(1)}),
    op("split", movement, infer_split, {in("input", ANY, 'T', 1)}, {outs("outputs", 'T')},
       {arg_u32_or_list("splits").at_least(1), u32("axis", 0)}),
    op("tile", movement, infer_tile, {in("input", ANY, 'T')}, {out('T')}, {arg_u32s("repetitions").at_least(1)}),
    op("transpose", movement, infer_transpose, {in("input", ANY, 'T')}, {out('T')},
       {u32s("permutation", reversed_axes)}),
    op("triangular", movement, infer_same, {in("input", ANY, 'T', 2)}, {out('T')},
       {flag("upper", true), i32("diagonal", 0)}),

    op("gather", indexed, infer_gather, {in("input", ANY, 'T', 1), in("indices", INDEX)}, {out('T')}, {u32("axis", 0)}),
    op("gatherElements", indexed, infer_gather_elements, {in("input", ANY, 'T', 1), in("indices", INDEX, 0, 1)},
       {out('T')}, {u32("axis", 0)}),
    op("gatherND", indexed, infer_gather_nd, {in("input", ANY, 'T', 1), in("indices", INDEX, 0, 1)}, {out('T')}),
    op("scatterElements", indexed, infer_scatter_elements,
       {in("input", ANY, 'T', 1), in("indices", INDEX, 0, 1), in("updates", ANY, 'T', 1)}, {out('T')},
       {u32("axis", 0)}),
    op("scatterND", indexed, infer_scatter_nd,
       {in("input", ANY, 'T', 1), in("indices", INDEX, 0, 1), in("updates", ANY, 'T')}, {out('T')}),

    reduction_op("reduceL1", WIDE),
    reduction_op("reduceL2", FLOAT),
    reduction_op("reduceLogSum", FLOAT),
    reduction_op("reduceLogSumExp", FLOAT),
    reduction_op("reduceMax", ANY),
    reduction_op("reduceMean", FLOAT),
    reduction_op("reduceMin", ANY),
    reduction_op("reduceProduct", WIDE),
    reduction_op("reduceSum", WIDE),
    reduction_op("reduceSumSquare", WIDE),
    arg_reduction_op("argMin"),
    arg_reduction_op("argMax"),
    op("cumulativeSum", scan, infer_along_axis, {in("input", WIDE, 'T', 1)}, {out('T')},
       {arg_u32("axis"), flag("exclusive", false), flag("reversed", false)}),

    op("batchNormalization", normalization, infer_batch_normalization,
       {in("input", FLOAT, 'T', 1), in("mean", FLOAT, 'T', 1, 1), in("variance", FLOAT, 'T', 1, 1),
        opt("scale", FLOAT, 'T', 1, 1), opt("bias", FLOAT, 'T', 1, 1)},
       {out('T')}, {u32("axis", 1), real("epsilon", 1e-5)}),
    op("instanceNormalization", normalization, infer_instance_normalization,
       {in("input", FLOAT, 'T', 4, 4), opt("scale", FLOAT, 'T', 1, 1), opt("bias", FLOAT, 'T', 1, 1)}, {out('T')},
       {real("epsilon", 1e-5), text("layout", {"nchw", "nhwc"})}),
    op("layerNormalization", normalization, infer_layer_normalization,
       {in("input", FLOAT, 'T'), opt("scale", FLOAT, 'T'), opt("bias", FLOAT, 'T')}, {out('T')},
       {u32s("axes", inner_axes), real("epsilon", 1e-5)}),
    op("softmax", softmax, infer_along_axis, {in("input", FLOAT, 'T', 1)}, {out('T')}, {arg_u32("axis")}),

    pool_op("averagePool2d", FLOAT),
    pool_op("l2Pool2d", FLOAT),
    pool_op("maxPool2d", ANY),
    op("conv2d", convolution, infer_conv2d,
       {in("input", FLOAT, 'T', 4, 4), in("filter", FLOAT, 'T', 4, 4), opt("bias", FLOAT, 'T', 1, 1)}, {out('T')},
       {u32s("padding", {0, 0, 0, 0}), u32s("strides", {1, 1}).at_least(1), u32s("dilations", {1, 1}).at_least(1),
        u32("groups", 1).at_least(1), text("inputLayout", {"nchw", "nhwc"}),
        text("filterLayout", {"oihw", "hwio", "ohwi", "ihwo"})}),
    op("convTranspose2d", convolution, infer_conv_transpose2d,
       {in("input", FLOAT, 'T', 4, 4), in("filter", FLOAT, 'T', 4, 4), opt("bias", FLOAT, 'T', 1, 1)}, {out('T')},
       {u32s("padding", {0, 0, 0, 0}), u32s("strides", {1, 1}).at_least(1), u32s("dilations", {1, 1}).at_least(1),
        u32s("outputPadding", {0, 0}), opt_u32s("outputSizes").at_least(1).of_length(2), u32("groups", 1).at_least(1),
        text("inputLayout", {"nchw", "nhwc"}), text("filterLayout", {"iohw", "hwoi", "ohwi"})}),
    op("gemm", contraction, infer_gemm,
       {in("a", FLOAT, 'T', 2, 2), in("b", FLOAT, 'T', 2, 2), opt("c", FLOAT, 'T', 0, 2)}, {out('T')},
       {real("alpha", 1), real("beta", 1), flag("aTranspose", false), flag("bTranspose", false)}),
    op("matmul", contraction, infer_matmul, {in("a", FLOAT, 'T', 2), in("b", FLOAT, 'T', 2)}, {out('T')}),
    op("resample2d", resample, infer_resample2d, {in("input", RESAMPLED, 'T', 4, 4)}, {out('T')},
       {text("mode", {"nearest-neighbor", "linear"}), reals("scales", {1, 1}),
        opt_u32s("sizes").at_least(1).of_length(2), u32s("axes", {2, 3})}),

    op("quantizeLinear", quantization, infer_quantize,
       {in("input", FLOAT, 'S'), in("scale", FLOAT, 'S'), in("zeroPoint", QUANTIZED, 'T')}, {out('T')}),
    op("dequantizeLinear", quantization, infer_quantize,
       {in("input", QUANTIZED, 'T'), in("scale", FLOAT, 'S'), in("zeroPoint", QUANTIZED, 'T')}, {out('S')}),

    op("gru", recurrent, infer_gru,
       {in("input", FLOAT, 'T', 3, 3), in("weight", FLOAT, 'T', 3, 3), in("recurrentWeight", FLOAT, 'T', 3, 3),
        opt("bias", FLOAT, 'T', 2, 2), opt("recurrentBias", FLOAT, 'T', 2, 2),
        opt("initialHiddenState", FLOAT, 'T', 3, 3)},
       {out("hiddenState", 'T'), opt_out("sequence", 'T')},
       {arg_u32("steps").at_least(1), arg_u32("hiddenSize").at_least(1), flag("resetAfter", true),
        flag("returnSequence", false), text("direction", {"forward", "backward", "both"}),
        text("layout", {"zrn", "rzn"}), activations({"sigmoid", "tanh"})}),
    op("gruCell", recurrent, infer_gru_cell,
       {in("input", FLOAT, 'T', 2, 2), in("weight", FLOAT, 'T', 2, 2), in("recurrentWeight", FLOAT, 'T', 2, 2),
        in("hiddenState", FLOAT, 'T', 2, 2), opt("bias", FLOAT, 'T', 1, 1), opt("recurrentBias", FLOAT, 'T', 1, 1)},
       {out('T')},
       {arg_u32("hiddenSize").at_least(1), flag("resetAfter", true), text("layout", {"zrn", "rzn"}),
        activations({"sigmoid", "tanh"})}),
    op("lstm", recurrent, infer_lstm,
       {in("input", FLOAT, 'T', 3, 3), in("weight", FLOAT, 'T', 3, 3), in("recurrentWeight", FLOAT, 'T', 3, 3),
        opt("bias", FLOAT, 'T', 2, 2), opt("recurrentBias", FLOAT, 'T', 2, 2), opt("peepholeWeight", FLOAT, 'T', 2, 2),
        opt("initialHiddenState", FLOAT, 'T', 3, 3), opt("initialCellState", FLOAT, 'T', 3, 3)},
       {out("hiddenState", 'T'), out("cellState", 'T'), opt_out("sequence", 'T')},
       {arg_u32("steps").at_least(1), arg_u32("hiddenSize").at_least(1), flag("returnSequence", false),
        text("direction", {"forward", "backward", "both"}), text("layout", {"iofg", "ifgo"}),
        activations({"sigmoid", "tanh", "tanh"})}),
    op("lstmCell", recurrent, infer_lstm_cell,
       {in("input", FLOAT, 'T', 2, 2), in("weight", FLOAT, 'T', 2, 2), in("recurrentWeight", FLOAT, 'T', 2, 2),
        in("hiddenState", FLOAT, 'T', 2, 2), in("cellState", FLOAT, 'T', 2, 2), opt("bias", FLOAT, 'T', 1, 1),
        opt("recurrentBias", FLOAT, 'T', 1, 1), opt("peepholeWeight", FLOAT, 'T', 1, 1)},
       {out("hiddenState", 'T'), out("cellState", 'T')},
       {arg_u32("hiddenSize").at_least(1), text("layout", {"iofg", "ifgo"}), activations({"sigmoid", "tanh", "tanh"})}),

    // ---- internal operators
    // Copies a tensor into another layout; the plan says which.
    op("@reorder", movement, infer_same, {in("input", ANY, 'T', 4, 4)}, {out('T')}),
    // softmax(scale * query * key^T + mask) * value over the last two axes; the axes before them broadcast. The
    // operands are [.., tokens, features] after a transpose by their permutations, and the output is transposed by its
    // own permutation.
    op("@attention", contraction, infer_attention,
       {in("query", FLOAT, 'T', 2), in("key", FLOAT, 'T', 2), in("value", FLOAT, 'T', 2), opt("mask", FLOAT, 'T')},
       {out('T')},
       {real("scale", 1), u32s("queryPermutation", all_axes), u32s("keyPermutation", all_axes),
        u32s("valuePermutation", all_axes), u32s("outputPermutation", all_axes)}),
    // scale * input / sqrt(mean of input^2 + epsilon): layerNormalization without a mean and a bias. Squares beyond the
    // range of float32 are infinite.
    op("@rmsNormalization", normalization, infer_layer_normalization,
       {in("input", FLOAT, 'T'), opt("scale", FLOAT, 'T')}, {out('T')},
       {u32s("axes", inner_axes), real("epsilon", 1e-5)}),
// x * sigmoid(x), also called swish
#define UNARY(...)
#define BINARY(...)
#define INTERNAL_UNARY(symbol, name, row, ...) named(name, row),
#include "schema/operators/elementwise.def"
    // quantizeLinear(conv2d(dequantizeLinear(input), dequantizeLinear(filter), bias)). When dataType is float32, there
    // is no quantizeLinear, and the output has no scale and no zero point. The filter has one scale for each output
    // channel and zero points of 0. The sum of a window's products, in integers, fits in an int32.
    op("@quantizedConv2d", convolution, infer_quantized_conv2d,
       {in("input", BYTE, 0, 4, 4), in("filter", {int8}, 0, 4, 4), opt("bias", {float32}, 0, 1, 1),
        in("filterScale", {float32}, 0, 1, 1)},
       {out(BYTE | float32)},
       {arg_type("dataType", BYTE | float32), real("inputScale", 1), i32("inputZeroPoint", 0), real("outputScale", 1),
        i32("outputZeroPoint", 0), u32s("padding", {0, 0, 0, 0}), u32s("strides", {1, 1}).at_least(1),
        u32s("dilations", {1, 1}).at_least(1), u32("groups", 1).at_least(1), text("inputLayout", {"nchw"}),
        text("filterLayout", {"oihw"})}),
    // quantizeLinear(add(dequantizeLinear(a), dequantizeLinear(b))) of two tensors with the same shape.
    op("@quantizedAdd", quantization, infer_quantized_add, {in("a", BYTE), in("b", BYTE)}, {out(BYTE)},
       {arg_type("dataType", BYTE), real("aScale", 1), i32("aZeroPoint", 0), real("bScale", 1), i32("bZeroPoint", 0),
        real("outputScale", 1), i32("outputZeroPoint", 0)}),
    // quantizeLinear(averagePool2d(dequantizeLinear(input)))
    op("@quantizedAveragePool2d", quantization, infer_quantized_pool2d, {in("input", BYTE, 0, 4, 4)}, {out(BYTE)},
       {arg_type("dataType", BYTE), real("inputScale", 1), i32("inputZeroPoint", 0), real("outputScale", 1),
        i32("outputZeroPoint", 0), u32s("windowDimensions", whole_window).at_least(1).of_length(2),
        u32s("padding", {0, 0, 0, 0}), u32s("strides", {1, 1}).at_least(1), u32s("dilations", {1, 1}).at_least(1),
        text("layout", {"nchw"}), text("outputShapeRounding", {"floor", "ceil"}),
        opt_u32s("outputSizes").at_least(1).of_length(2)}),
    // output[i] = table[input[i]], where the input bytes are read as unsigned indices.
    op("@byteTable", quantization, infer_byte_table, {in("input", BYTE), in("table", BYTE, 'T', 1, 1)}, {out('T')}),
    // matmul(a, dequantizeLinear(b, scale, zeroPoint)); with bTranspose the second matrix is transposed. Weights are
    // not rounded to the type of their scale.
    op("@blockQuantizedMatmul", contraction, infer_block_quantized_matmul,
       {in("a", FLOAT, 'T', 2), in("b", BYTE_OR_4BIT, 'Q', 2, 2), in("scale", FLOAT, 0, 2, 2),
        in("zeroPoint", BYTE_OR_4BIT, 'Q', 2, 2)},
       {out('T')}, {flag("bTranspose", false)}),
};

constexpr bool names_match() {
  if (std::size(rows) != std::size(operator_names)) return false;
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].name != operator_names[i] || rows[i].internal() != (i >= operator_count)) return false;
  return true;
}
static_assert(names_match(), "operator_names and the rows list the same operators in the same order");

}  // namespace

std::span<const Operator> operator_table() { return std::span(rows).first(operator_count); }

std::span<const Operator> all_operators() { return rows; }

const Operator& row(OperatorId id) { return rows[id.index]; }

std::optional<OperatorId> find_operator(std::string_view name) {
  const auto id = find_any_operator(name);
  return id && id->index < operator_count ? id : std::nullopt;
}

std::optional<OperatorId> find_any_operator(std::string_view name) {
  for (std::size_t i = 0; i < std::size(operator_names); ++i)
    if (operator_names[i] == name) return OperatorId{std::uint16_t(i)};
  return std::nullopt;
}

bool works_along_rows(OperatorId op) {
  return row(op).family == Family::softmax || row(op).family == Family::reduction || op == "layerNormalization"_op ||
         op == "@rmsNormalization"_op;
}

}  // namespace webnn::schema
