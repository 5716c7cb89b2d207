// Steps of optimisers: ai.onnx.preview.training. The operands are a rate, a count of steps, and lists of tensors, their
// gradients and their states, one list after the other.
#include "compiler/onnx/import/math/formula.hpp"

namespace webnn::compiler {
namespace {

constexpr std::string_view training_domain = "ai.onnx.preview.training";

/// Calls `step` with a formula for each tensor: ?r, ?t, ?x, ?g with its regularisation, and the states ?v and ?h. It
/// returns the new tensor and the new states.
template <class Step>
void for_each_tensor(ImportCall& c, std::size_t states, Step step) {
  const std::size_t lists = 2 + states;
  if (c.input_count() < 2 + lists || (c.input_count() - 2) % lists != 0)
    c.refuse("its operands are no lists of the same length");
  const std::size_t tensors = (c.input_count() - 2) / lists;
  for (std::size_t i = 0; i < tensors; ++i) {
    const TensorId x = c.input(2 + i);
    ImportFormula f(c, x);
    f.let("r", c.input(0));
    f.let("t", c.cast(c.input(1), c.type(x)));
    f.let("g", c.input(2 + tensors + i));
    f.let("v", c.input(2 + 2 * tensors + i));
    f.let("h", c.input(2 + (lists - 1) * tensors + i));
    f.let("norm", c.real("norm_coefficient", 0));
    f.let("g", "add(mul(?x, ?norm), ?g)");
    const std::vector<TensorId> results = step(f);
    for (std::size_t state = 0; state < results.size(); ++state) c.finish(state * tensors + i, results[state]);
  }
}

void read_adagrad(ImportCall& c) {
  for_each_tensor(c, 1, [&](ImportFormula& f) {
    f.let("decay", c.real("decay_factor", 0));
    f.let("epsilon", c.real("epsilon", 1e-6));
    f.let("h", "add(?h, mul(?g, ?g))");
    f.let("r", "div(?r, add(mul(?t, ?decay), 1))");
    return std::vector{f("sub(?x, div(mul(?r, ?g), add(sqrt(?h), ?epsilon)))"), f("?h")};
  });
}

void read_adam(ImportCall& c) {
  for_each_tensor(c, 2, [&](ImportFormula& f) {
    const double alpha = c.real("alpha", 0.9f), beta = c.real("beta", 0.999f);
    f.let("alpha", alpha);
    f.let("beta", beta);
    f.let("rest_of_alpha", 1 - alpha);
    f.let("rest_of_beta", 1 - beta);
    f.let("epsilon", c.real("epsilon", 1e-6));
    f.let("kept", 1 - c.real("norm_coefficient_post", 0));
    f.let("v", "add(mul(?v, ?alpha), mul(?g, ?rest_of_alpha))");
    f.let("h", "add(mul(?h, ?beta), mul(mul(?g, ?g), ?rest_of_beta))");
    f.let("later", "div(mul(?r, sqrt(sub(1, pow(?beta, ?t)))), sub(1, pow(?alpha, ?t)))");
    f.let("r", "where(greater(?t, 0), ?later, ?r)");
    return std::vector{f("mul(sub(?x, div(mul(?r, ?v), add(sqrt(?h), ?epsilon))), ?kept)"), f("?v"), f("?h")};
  });
}

void read_momentum(ImportCall& c) {
  const std::string mode = c.text("mode");
  if (mode != "standard" && mode != "nesterov") c.refuse("its mode is neither standard nor nesterov");
  for_each_tensor(c, 1, [&](ImportFormula& f) {
    f.let("alpha", c.real("alpha"));
    f.let("beta", c.real("beta"));
    f.let("v", "add(mul(?v, ?alpha), mul(where(greater(?t, 0), ?beta, 1), ?g))");
    f.let("direction", mode == "nesterov" ? "add(?g, mul(?v, ?alpha))" : "?v");
    return std::vector{f("sub(?x, mul(?r, ?direction))"), f("?v")};
  });
}

constexpr OnnxImportRow training_import_rows[] = {
    {.op_type = "Adagrad", .read = read_adagrad, .domain = training_domain},
    {.op_type = "Adam", .read = read_adam, .domain = training_domain},
    {.op_type = "Momentum", .read = read_momentum, .domain = training_domain},
};

}  // namespace

std::span<const OnnxImportRow> import_training_rows() { return training_import_rows; }

}  // namespace webnn::compiler
