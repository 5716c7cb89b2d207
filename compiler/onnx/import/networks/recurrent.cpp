// RNN, GRU and LSTM: as WebNN's gru and lstm where these mean the same, otherwise step by step.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

/// An activation as ONNX names it, with the numbers that it has when the node gives none.
struct RecurrentActivation {
  std::string_view name, text;
  double alpha = NAN, beta = NAN;  // NaN: it has no such number
};

constexpr RecurrentActivation recurrent_activations[] = {
    {"relu", "relu(?x)"},
    {"sigmoid", "sigmoid(?x)"},
    {"tanh", "tanh(?x)"},
    {"affine", "linear(?x) {alpha=?alpha, beta=?beta}", 1, 0},
    {"elu", "elu(?x) {alpha=?alpha}", 1},
    {"hardsigmoid", "hardSigmoid(?x) {alpha=?alpha, beta=?beta}", 0.2, 0.5},
    {"leakyrelu", "leakyRelu(?x) {alpha=?alpha}", 0.01},
    {"scaledtanh", "mul(tanh(mul(?x, ?beta)), ?alpha)", 1, 1},
    {"softplus", "softplus(?x)"},
    {"softsign", "softsign(?x)"},
    {"thresholdedrelu", "where(greaterOrEqual(?x, ?alpha), ?x, 0)", 1},
};
constexpr std::size_t webnn_activations = 3;  // the first ones

/// More steps would make too many nodes.
constexpr std::int64_t most_unrolled_steps = 1024;

/// What a kind of network has in each direction.
struct RecurrentKind {
  std::int64_t gates = 1;
  std::vector<std::string> activations{};
  bool has_cell_state = false;
};

struct RecurrentState {
  TensorId hidden, cell;
};

class Recurrence {
 public:
  Recurrence(ImportCall& c, RecurrentKind kind) : c_(c), kind_(std::move(kind)) {
    batch_first_ = c.flag("layout");
    x_ = batch_first(c.input(0), {1, 0, 2});
    w_ = c.input(1);
    r_ = c.input(2);
    for (const TensorId id : {x_, w_, r_})
      if (c.rank(id) != 3)
        c.refuse("its input or its weights do not have three dimensions");
      else if (c.count(id) == 0)
        c.refuse("its input or its weights have no elements, and WebNN has no such tensors");
    const std::string direction = c.text("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      c.refuse("its direction is unknown");
    steps_ = c.dims(x_)[0];
    batch_ = c.dims(x_)[1];
    directions_ = direction == "bidirectional" ? 2 : 1;
    is_reverse_ = direction == "reverse";
    hidden_ = c.dims(r_)[2];
    if (c.integer("hidden_size", hidden_) != hidden_) c.refuse("its hidden_size is not that of its weights");
    const std::int64_t rows = kind_.gates * hidden_;
    check(w_, {directions_, rows, c.dims(x_)[2]});
    check(r_, {directions_, rows, hidden_});
    if (c.has(3)) {
      check(c.input(3), {directions_, 2 * rows});
      bias_ = slice(c.input(3), 1, 0, rows);
      recurrent_bias_ = slice(c.input(3), 1, rows, rows);
    }
    set_lengths();
    const TensorId hidden = c.optional(5), cell = kind_.has_cell_state ? c.optional(6) : TensorId{};
    if (hidden.valid()) hidden0_ = state(hidden);
    if (cell.valid()) cell0_ = state(cell);
    if (kind_.has_cell_state && c.has(7)) {
      check(c.input(7), {directions_, 3 * hidden_});
      peepholes_ = c.input(7);
    }
    set_activations();
  }

  /// Whether one of WebNN's operators can do it.
  bool is_one_operator() const {
    if (lengths_.valid() || peepholes_.valid() || c_.has_attribute("clip") || c_.flag("input_forget")) return false;
    for (std::size_t i = 0; i < activations_.size(); ++i)
      if (activations_[i].row >= recurrent_activations + webnn_activations ||
          activations_[i].row != activations_[i % kind_.activations.size()].row)
        return false;
    return true;
  }

  void finish_as_one(OperatorId op, std::vector<TensorId> states, NamedAttributes more) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kind_.activations.size(); ++i) names.emplace_back(activations_[i].row->name);
    more.emplace_back("steps", steps_);
    more.emplace_back("hiddenSize", hidden_);
    if (c_.wants(0)) more.emplace_back("returnSequence", true);
    more.emplace_back("direction", std::string(directions_ == 2 ? "both" : is_reverse_ ? "backward" : "forward"));
    more.emplace_back("activations", names);
    std::vector<TensorId> operands{x_, w_, r_, bias_, recurrent_bias_};
    operands.insert(operands.end(), states.begin(), states.end());
    const std::vector<TensorId> results = c_.make_all(op, operands, std::move(more));
    finish(c_.wants(0) ? results.back() : TensorId{}, {results[0], kind_.has_cell_state ? results[1] : TensorId{}});
  }

  /// `step`: the next state from the input's share, [batch, gates * hidden] with its bias, and the last state.
  using Step = std::function<RecurrentState(std::int64_t direction, TensorId x, RecurrentState last)>;

  void finish_by_steps(const Step& step) {
    if (c_.flag("input_forget")) c_.refuse("WebNN has no coupled input and forget gates");
    if (steps_ > most_unrolled_steps)
      c_.refuse(sentence("WebNN has no such network, and ", steps_, " steps are too many to write them out"));
    std::vector<TensorId> sequences, hidden, cells;
    for (std::int64_t direction = 0; direction < directions_; ++direction) {
      RecurrentState now{initial(hidden0_, direction), kind_.has_cell_state ? initial(cell0_, direction) : TensorId{}};
      const TensorId flat = c_.reshape(x_, {steps_ * batch_, c_.dims(x_)[2]});
      const TensorId shares = product(flat, w_, direction, bias_);
      std::vector<TensorId> outputs(std::size_t(steps_), TensorId{});
      for (std::int64_t i = 0; i < steps_; ++i) {
        const std::int64_t at = is_reverse_ || direction == 1 ? steps_ - 1 - i : i;
        const RecurrentState next = step(direction, slice(shares, 0, at * batch_, batch_), now);
        outputs[std::size_t(at)] = c_.reshape(advance(now, next, at), {1, 1, batch_, hidden_});
      }
      sequences.push_back(joined(outputs, 0));
      hidden.push_back(c_.reshape(now.hidden, {1, batch_, hidden_}));
      if (now.cell.valid()) cells.push_back(c_.reshape(now.cell, {1, batch_, hidden_}));
    }
    finish(joined(sequences, 1), {joined(hidden, 0), joined(cells, 0)});
  }

  TensorId recurrent_product(TensorId hidden, std::int64_t direction, std::int64_t first_gate, std::int64_t gates,
                             bool with_bias = true) {
    const TensorId weights = slice(r_, 1, first_gate * hidden_, gates * hidden_);
    const TensorId bias = with_bias && recurrent_bias_.valid()
                              ? slice(recurrent_bias_, 1, first_gate * hidden_, gates * hidden_)
                              : TensorId{};
    return product(hidden, weights, direction, bias);
  }
  TensorId gate(TensorId all, std::int64_t index, std::int64_t count = 1) const {
    return slice(all, 1, index * hidden_, count * hidden_);
  }
  /// Of the input gate, the output gate or the forget gate; absent when there are none.
  TensorId peephole(std::int64_t direction, std::int64_t index, TensorId cell) const {
    if (!peepholes_.valid()) return {};
    const TensorId weights = slice(slice(peepholes_, 0, direction, 1), 1, index * hidden_, hidden_);
    return c_.make("mul"_op, {cell, weights});
  }
  TensorId plus(TensorId a, TensorId b) const { return b.valid() ? c_.make("add"_op, {a, b}) : a; }

  TensorId activated(std::int64_t direction, std::size_t index, TensorId x) {
    if (c_.has_attribute("clip")) {
      const double limit = c_.real("clip");
      if (!(limit > 0)) c_.refuse("its clip is not above 0");
      x = c_.make("clamp"_op, {x}, {{"minValue", Number(-limit)}, {"maxValue", Number(limit)}});
    }
    const Activation& activation = activations_[std::size_t(direction) * kind_.activations.size() + index];
    return c_.expression(activation.row->text, {{{"x", x}, {"alpha", activation.alpha}, {"beta", activation.beta}}});
  }

  TensorId bias() const { return bias_; }
  TensorId hidden0() const { return hidden0_; }
  TensorId cell0() const { return cell0_; }

 private:
  struct Activation {
    const RecurrentActivation* row;
    double alpha, beta;
  };

  void check(TensorId id, const OnnxIntegers& dims) const {
    if (c_.dims(id) != dims) c_.refuse("the sizes of its input, weights and states do not fit together");
  }
  TensorId batch_first(TensorId x, const std::vector<std::uint32_t>& permutation) const {
    if (!batch_first_ || !x.valid()) return x;
    if (c_.dims(x).size() != permutation.size()) c_.refuse("its input or a state does not have three dimensions");
    return c_.transpose(x, permutation);
  }
  TensorId state(TensorId id) const {
    id = batch_first(id, {1, 0, 2});
    check(id, {directions_, batch_, hidden_});
    return id;
  }
  TensorId slice(TensorId x, std::size_t axis, std::int64_t start, std::int64_t count) const {
    return parts::sliced_at(c_, x, axis, start, count);
  }
  TensorId joined(const std::vector<TensorId>& parts, std::int64_t axis) const {
    if (parts.size() < 2) return parts.empty() ? TensorId{} : parts[0];
    return c_.make_all("concat"_op, parts, {{"axis", axis}})[0];
  }
  /// x * weights^T + bias of a direction.
  TensorId product(TensorId x, TensorId weights, std::int64_t direction, TensorId bias) {
    weights = slice(weights, 0, direction, 1);
    weights = c_.reshape(weights, {c_.dims(weights)[1], c_.dims(weights)[2]});
    if (bias.valid()) bias = c_.reshape(slice(bias, 0, direction, 1), {c_.dims(bias)[1]});
    return c_.make("gemm"_op, {x, weights, bias}, {{"bTranspose", true}});
  }
  TensorId initial(TensorId states, std::int64_t direction) {
    if (!states.valid()) return c_.filled(c_.type(x_), {batch_, hidden_}, 0);
    return c_.reshape(slice(states, 0, direction, 1), {batch_, hidden_});
  }

  /// Nothing to do when all sequences have all steps.
  void set_lengths() {
    if (!c_.has(4)) return;
    const TensorId lengths = c_.input(4);
    check(lengths, {batch_});
    if (c_.is_known(lengths) &&
        std::ranges::all_of(c_.known_integers(lengths, "lengths"), [&](std::int64_t n) { return n >= steps_; }))
      return;
    lengths_ = c_.reshape(lengths, {batch_, 1});
  }

  /// Takes the next state where a sequence has this step, and returns the step's output.
  TensorId advance(RecurrentState& now, const RecurrentState& next, std::int64_t at) {
    TensorId output = next.hidden;
    if (!lengths_.valid()) {
      now = next;
      return output;
    }
    const TensorId goes_on = c_.make("greater"_op, {lengths_, c_.scalar_like(lengths_, at)});
    output = c_.make("where"_op, {goes_on, output, c_.scalar_like(output, 0)});
    now.hidden = c_.make("where"_op, {goes_on, next.hidden, now.hidden});
    if (now.cell.valid()) now.cell = c_.make("where"_op, {goes_on, next.cell, now.cell});
    return output;
  }

  void finish(TensorId sequence, RecurrentState last) {
    if (sequence.valid() && c_.wants(0)) c_.finish(0, batch_first_ ? c_.transpose(sequence, {2, 0, 1, 3}) : sequence);
    if (c_.wants(1)) c_.finish(1, batch_first(last.hidden, {1, 0, 2}));
    if (c_.wants(2) && last.cell.valid()) c_.finish(2, batch_first(last.cell, {1, 0, 2}));
  }

  /// Numbers are taken from the lists by the activations that have such a number, in their order.
  void set_activations() {
    std::vector<std::string> names = c_.texts("activations");
    if (names.empty())
      for (std::int64_t i = 0; i < directions_; ++i)
        names.insert(names.end(), kind_.activations.begin(), kind_.activations.end());
    if (names.size() != std::size_t(directions_) * kind_.activations.size())
      c_.refuse("it does not have an activation for each gate and direction");
    const std::vector<double> alphas = c_.reals("activation_alpha"), betas = c_.reals("activation_beta");
    std::size_t alpha = 0, beta = 0;
    for (std::string& name : names) {
      for (char& letter : name) letter = char(std::tolower(static_cast<unsigned char>(letter)));
      const auto row = std::ranges::find(recurrent_activations, name, &RecurrentActivation::name);
      if (row == std::end(recurrent_activations)) c_.refuse(sentence("its activation '", name, "' is unknown"));
      const auto number = [](double absent, const std::vector<double>& given, std::size_t& next) {
        return std::isnan(absent) || next >= given.size() ? absent : given[next++];
      };
      activations_.push_back({row, number(row->alpha, alphas, alpha), number(row->beta, betas, beta)});
    }
  }

  ImportCall& c_;
  RecurrentKind kind_;
  bool batch_first_ = false, is_reverse_ = false;
  TensorId x_, w_, r_, bias_, recurrent_bias_, hidden0_, cell0_, peepholes_, lengths_;
  std::int64_t steps_ = 0, batch_ = 0, directions_ = 1, hidden_ = 0;
  std::vector<Activation> activations_;
};

void read_rnn(ImportCall& c) {
  Recurrence r(c, {1, {"Tanh"}});
  r.finish_by_steps([&](std::int64_t direction, TensorId x, RecurrentState last) -> RecurrentState {
    return {r.activated(direction, 0, r.plus(x, r.recurrent_product(last.hidden, direction, 0, 1))), {}};
  });
}

/// Gates: update, reset, hidden.
void read_gru(ImportCall& c) {
  Recurrence r(c, {3, {"Sigmoid", "Tanh"}});
  const bool reset_after = c.flag("linear_before_reset");
  if (r.is_one_operator())
    return r.finish_as_one("gru"_op, {r.hidden0()}, {{"resetAfter", reset_after}, {"layout", std::string("zrn")}});
  r.finish_by_steps([&](std::int64_t direction, TensorId x, RecurrentState last) -> RecurrentState {
    const TensorId both =
        r.activated(direction, 0, r.plus(r.gate(x, 0, 2), r.recurrent_product(last.hidden, direction, 0, 2)));
    const TensorId update = r.gate(both, 0), reset = r.gate(both, 1);
    const TensorId memory = reset_after ? c.make("mul"_op, {reset, r.recurrent_product(last.hidden, direction, 2, 1)})
                                        : r.recurrent_product(c.make("mul"_op, {reset, last.hidden}), direction, 2, 1);
    const TensorId candidate = r.activated(direction, 1, r.plus(r.gate(x, 2), memory));
    return {
        c.expression("add(mul(sub(1, ?z), ?n), mul(?z, ?h))", {{{"z", update}, {"n", candidate}, {"h", last.hidden}}}),
        {}};
  });
}

/// Gates: input, output, forget, cell.
void read_lstm(ImportCall& c) {
  Recurrence r(c, {4, {"Sigmoid", "Tanh", "Tanh"}, true});
  if (r.is_one_operator())
    return r.finish_as_one("lstm"_op, {TensorId{}, r.hidden0(), r.cell0()}, {{"layout", std::string("iofg")}});
  r.finish_by_steps([&](std::int64_t direction, TensorId x, RecurrentState last) -> RecurrentState {
    const TensorId all = r.plus(x, r.recurrent_product(last.hidden, direction, 0, 4));
    const auto gate = [&](std::int64_t index, TensorId peephole) {
      return r.activated(direction, 0, r.plus(r.gate(all, index), peephole));
    };
    const TensorId input = gate(0, r.peephole(direction, 0, last.cell));
    const TensorId forget = gate(2, r.peephole(direction, 2, last.cell));
    const TensorId candidate = r.activated(direction, 1, r.gate(all, 3));
    const TensorId cell = c.expression("add(mul(?f, ?c), mul(?i, ?g))",
                                       {{{"f", forget}, {"c", last.cell}, {"i", input}, {"g", candidate}}});
    // Unlike WebNN's, the output gate looks at the new cell state.
    const TensorId output = gate(1, r.peephole(direction, 1, cell));
    return {c.make("mul"_op, {output, r.activated(direction, 2, cell)}), cell};
  });
}

constexpr OnnxImportRow recurrent_import_rows[] = {
    {.op_type = "GRU", .read = read_gru},
    {.op_type = "LSTM", .read = read_lstm},
    {.op_type = "RNN", .read = read_rnn},
};

}  // namespace

std::span<const OnnxImportRow> import_recurrent_rows() { return recurrent_import_rows; }

}  // namespace webnn::compiler
