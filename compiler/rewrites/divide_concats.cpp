// Computes the parts of a concat along the channels apart, where that moves fewer bytes: pooling before joining moves the
// smaller results, and a pointwise convolution of joined channels is the sum of those of the parts, which needs no join.
// The parts of filters are operators; the pass `divide_concats` computes them.
//
// Legend as in simplify.cpp. ?f is pooling or conv2d with its attributes, ?w a filter, ?b its bias.
//
// Pooling is exact. Sums of convolutions are rounded once more, in the middle.
#include "compiler/rewrites/guards.hpp"
#include "compiler/rewrites/rewrite.hpp"

namespace webnn::compiler {
namespace {

/// Parts with fewer channels would not fill the vectors.
constexpr std::uint32_t fewest_channels = 16;

/// The results are smaller than the operands. Channels are axis 1.
bool joins_less(Match& match) {
  const Graph& graph = match.graph();
  const NodeId root = match.nodes()[0];
  const Node& pooling = graph.node(root);
  const OperatorCall call(pooling.op, graph.operands(root), pooling.attributes);
  return call.text("layout") == "nchw" && element_count(graph.value(pooling.outputs[0]).descriptor.shape) <
                                              element_count(graph.value(pooling.inputs[0]).descriptor.shape);
}

/// A pointwise filter with at most half as many output channels as channels: the results, which are read and written once
/// more, are smaller than what a join would read and write. ?i, ?m: where the filter of ?x begins, and its sizes; ?j, ?n:
/// of ?y.
bool sums_less(Match& match) {
  const Shape &w = match.descriptor("w").shape, &x = match.descriptor("x").shape, &y = match.descriptor("y").shape;
  const bool pays = match.descriptor("w").type == DataType::float32 && w.rank() == 4 && w[2] == 1 && w[3] == 1 &&
                    w[1] == x[1] + y[1] && w[0] <= w[1] / 2 && x[1] >= fewest_channels && y[1] >= fewest_channels;
  if (!pays) return false;
  match.set_attribute("i", IntegerList{0, 0, 0, 0});
  match.set_attribute("m", IntegerList{w[0], x[1], 1, 1});
  match.set_attribute("j", IntegerList{0, x[1], 0, 0});
  match.set_attribute("n", IntegerList{w[0], y[1], 1, 1});
  return true;
}

constexpr Rewrite divide_concats_rows[] = {
    {"pooling_of_concat", "?f:window(concat(?x, ?y) {axis=1})", "concat(?f(?x), ?f(?y)) {axis=1}", joins_less},
    {"conv2d_of_concat",
     "conv2d(concat(?x, ?y) {axis=1}, ?w:constant, bias=?b:optional) {padding=?p, strides=?s, dilations=?d}",
     "add(conv2d(?x, slice(?w) {starts=?i, sizes=?m}, bias=?b) {padding=?p, strides=?s, dilations=?d}, "
     "conv2d(?y, slice(?w) {starts=?j, sizes=?n}) {padding=?p, strides=?s, dilations=?d})",
     sums_less},
};

}  // namespace

std::span<const Rewrite> divide_concats_rewrites() { return divide_concats_rows; }

}  // namespace webnn::compiler
