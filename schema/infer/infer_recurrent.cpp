// Shape rules of gru, lstm and their cells.
#include "schema/infer/infer.hpp"
#include "schema/infer/infer_support.hpp"
#include "schema/sentence.hpp"

namespace webnn::schema {
namespace {

/// What differs between the four operators. In all of them, the weights of the gates are stacked along one axis.
struct Form {
  std::uint64_t gates;  // 3 for gru, 4 for lstm
  bool cell;            // one time step, without the leading axes of time steps and directions
};

/// Prepends the axis of directions, which cells do not have.
Sizes with_directions(const OperatorCall& call, const Form& form, Sizes sizes) {
  if (!form.cell) sizes.insert(sizes.begin(), call.text("direction") == "both" ? 2 : 1);
  return sizes;
}

/// Checks all operands against hiddenSize, the batch and the input; gives the shape of a state.
Sizes check_recurrent(const OperatorCall& call, Inference& result, const Form& form) {
  const Shape& input = call.shape(0);
  const std::uint64_t hidden = call.u32("hiddenSize");
  const std::uint64_t batch = input[form.cell ? 0 : 1], features = input[form.cell ? 1 : 2];
  const std::string stacked = sentence(form.gates, " * hiddenSize");
  if (!form.cell && input[0] != call.u32("steps"))
    result.fail_attribute("steps", sentence("'steps' is ", call.u32("steps"), ", but the input ", input, " has ",
                                            counted(input[0], "step")));
  if (hidden * form.gates * 2 > max_dimension) {
    result.fail_attribute("hiddenSize",
                          sentence("'hiddenSize' is ", hidden, ", but both biases together would have ",
                                   hidden * form.gates * 2, " elements, over the limit of ", max_dimension));
    return {};
  }
  Sizes state = with_directions(call, form, {batch, hidden});
  const std::string_view lead = form.cell ? "" : "directions, ";
  struct Expected {
    std::string_view operand;
    Sizes sizes;
    std::string meaning;
  };
  const Expected expected[] = {
      {"weight", {form.gates * hidden, features}, sentence(lead, stacked, ", input size")},
      {"recurrentWeight", {form.gates * hidden, hidden}, sentence(lead, stacked, ", hiddenSize")},
      {"bias", {form.gates * hidden}, sentence(lead, stacked)},
      {"recurrentBias", {form.gates * hidden}, sentence(lead, stacked)},
      {"peepholeWeight", {3 * hidden}, sentence(lead, "3 * hiddenSize")},
      {form.cell ? "hiddenState" : "initialHiddenState", {batch, hidden}, sentence(lead, "batch, hiddenSize")},
      {form.cell ? "cellState" : "initialCellState", {batch, hidden}, sentence(lead, "batch, hiddenSize")},
  };
  for (const Expected& e : expected)
    if (call.op().operand_index(e.operand) >= 0)
      check_shape(call, result, e.operand, with_directions(call, form, e.sizes), e.meaning);
  return state;
}

/// Outputs the states, then the sequence of hidden states if it is requested.
void infer_recurrent(const OperatorCall& call, Inference& result, const Form& form, int states) {
  Sizes state = check_recurrent(call, result, form);
  if (!result.ok()) return;
  const DataType type = call.operand(0).type;
  for (int i = 0; i < states; ++i) infer_output(result, type, state);
  if (form.cell || !call.boolean("returnSequence")) return;
  state.insert(state.begin(), call.u32("steps"));
  infer_output(result, type, state);
}

}  // namespace

void infer_gru(const OperatorCall& call, Inference& result) { infer_recurrent(call, result, {3, false}, 1); }
void infer_gru_cell(const OperatorCall& call, Inference& result) { infer_recurrent(call, result, {3, true}, 1); }
void infer_lstm(const OperatorCall& call, Inference& result) { infer_recurrent(call, result, {4, false}, 2); }
void infer_lstm_cell(const OperatorCall& call, Inference& result) { infer_recurrent(call, result, {4, true}, 2); }

}  // namespace webnn::schema
