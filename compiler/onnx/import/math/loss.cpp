// Losses of training: of classes' logarithmic probabilities [N, C, d1, ..] and the right classes [N, d1, ..].
#include <numeric>

#include "compiler/onnx/import/math/math.hpp"

namespace webnn::compiler {

namespace {

/// The weighted mean or sum of the negative logarithms, or each of them. The right class `ignore_index` counts nothing.
TensorId negative_log_likelihood(ImportCall& c, TensorId input, TensorId target, TensorId weight) {
  const OnnxIntegers dims = c.dims(target);
  OnnxIntegers wanted = c.dims(input);
  if (wanted.size() < 2) c.refuse("its input has no axis of classes");
  wanted.erase(wanted.begin() + 1);
  if (dims != wanted) c.refuse("its targets do not have the shape of its input without the classes");
  const OnnxType type = c.type(input);
  TensorId counts{};  // which targets do
  if (c.has_attribute("ignore_index")) {
    counts = c.make("notEqual"_op, {target, c.scalar_like(target, c.integer("ignore_index"))});
    target = c.make("where"_op, {counts, target, c.scalar_like(target, 0)});
  }
  OnnxIntegers with_class = dims;
  with_class.insert(with_class.begin() + 1, 1);
  const TensorId chosen =
      c.make("gatherElements"_op, {input, c.reshape(target, with_class)}, {{"axis", std::int64_t{1}}});
  TensorId loss = c.make("neg"_op, {c.reshape(chosen, dims)});
  TensorId weights{};  // of the targets
  if (weight.valid()) {
    if (c.dims(weight) != OnnxIntegers{c.dims(input)[1]}) c.refuse("it does not have one weight for each class");
    weights = c.make("gather"_op, {weight, target}, {{"axis", std::int64_t{0}}});
    loss = c.make("mul"_op, {loss, weights});
  }
  if (counts.valid()) {
    const TensorId zero = c.scalar(type, 0);
    loss = c.make("where"_op, {counts, loss, zero});
    weights = weights.valid() ? c.make("where"_op, {counts, weights, zero}) : c.cast(counts, type);
  }

  const std::string reduction = c.text("reduction", "mean");
  if (reduction == "none") return loss;
  IntegerList all(dims.size());
  std::iota(all.begin(), all.end(), 0);
  if (reduction == "mean" && !weights.valid()) return c.make("reduceMean"_op, {loss}, {{"axes", all}});
  if (reduction != "mean" && reduction != "sum") c.refuse("its reduction is neither none, mean nor sum");
  const TensorId sum = c.make("reduceSum"_op, {loss}, {{"axes", all}});
  if (reduction == "sum") return sum;
  return c.make("div"_op, {sum, c.make("reduceSum"_op, {weights}, {{"axes", all}})});
}

void read_negative_log_likelihood(ImportCall& c) {
  c.finish(negative_log_likelihood(c, c.input(0), c.input(1), c.optional(2)));
}

void read_softmax_cross_entropy(ImportCall& c) {
  if (c.rank(c.input(0)) < 2) c.refuse("its input has no axis of classes");
  const TensorId probabilities = import_log_softmax(c, c.input(0), 1);
  c.finish(negative_log_likelihood(c, probabilities, c.input(1), c.optional(2)));
  c.finish(1, probabilities);
}

constexpr OnnxImportRow loss_import_rows[] = {
    {.op_type = "NegativeLogLikelihoodLoss", .read = read_negative_log_likelihood},
    {.op_type = "SoftmaxCrossEntropyLoss", .read = read_softmax_cross_entropy},
};

}  // namespace

std::span<const OnnxImportRow> import_loss_rows() { return loss_import_rows; }

}  // namespace webnn::compiler
