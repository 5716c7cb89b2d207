// lstm, gru and their cells in ONNX. A cell is a network with one time step and one direction.
//
// Weights have the same shape, [directions, gates * hidden, inputs], but ONNX has one fixed order of the gates (iofc,
// zrh) and keeps both biases in one tensor.
#include <algorithm>
#include <cstring>

#include "compiler/onnx/export/onnx_call.hpp"

namespace webnn::compiler {
namespace {

/// The position of each of ONNX's gates in WebNN's order.
struct GateOrder {
  std::string_view layout;
  std::vector<unsigned> gates;
};

std::vector<unsigned> gates_of(std::string_view layout) {
  static const GateOrder orders[] = {
      {"iofg", {0, 1, 2, 3}}, {"ifgo", {0, 3, 1, 2}}, {"zrn", {0, 1, 2}}, {"rzn", {1, 0, 2}}};
  return std::ranges::find(orders, layout, &GateOrder::layout)->gates;
}

struct Recurrence {
  bool cell;
  std::uint32_t directions, hidden;
  std::vector<unsigned> gates;  // order of the gates
};

/// The operand with a leading axis of directions or time steps.
OnnxOperand with_leading_one(OnnxCall& c, const OnnxOperand& operand) {
  Shape shape{1};
  for (const std::uint32_t size : operand.shape) shape.push_back(size);
  return c.reshaped(operand, shape);
}

/// An operand of the row by its name, with the shape that it has for a network; absent ones stay absent.
OnnxOperand operand_of(OnnxCall& c, const Recurrence& r, std::string_view name) {
  const std::size_t index = std::size_t(c.call.op().operand_index(name));
  if (!c.has(index)) return {};
  return r.cell ? with_leading_one(c, c.operand(index)) : c.operand(index);
}

/// A weight or bias with its gates in ONNX's order.
OnnxOperand with_gates(OnnxCall& c, const Recurrence& r, const OnnxOperand& operand) {
  if (operand.name.empty() || std::ranges::is_sorted(r.gates)) return operand;
  if (operand.data) {
    const std::size_t blocks = operand.shape[0], bytes = operand.data->size() / blocks / r.gates.size();
    std::vector<std::byte> data(operand.data->size());
    for (std::size_t block = 0, at = 0; block < blocks; ++block)
      for (const unsigned gate : r.gates) {
        std::memcpy(data.data() + at, operand.data->data() + (block * r.gates.size() + gate) * bytes, bytes);
        at += bytes;
      }
    return c.constant(operand.name + ".gates", operand.type, operand.shape, std::move(data));
  }
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < r.gates.size(); ++i) parts.push_back(c.name_for("gate"));
  const OnnxIntegers sizes(r.gates.size(), r.hidden);
  c.finish_as("Split", {operand.name, c.integers("gates", sizes).name}, parts, {{"axis", std::int64_t(1)}});
  OnnxInputs ordered;
  for (const unsigned gate : r.gates) ordered.push_back(parts[gate]);
  return c.add("Concat", ordered, operand.type, operand.shape, {{"axis", std::int64_t(1)}});
}

/// Both biases joined; absent when neither is given.
std::string joined_bias(OnnxCall& c, const Recurrence& r) {
  const auto bias = [&](std::string_view name) { return with_gates(c, r, operand_of(c, r, name)); };
  OnnxOperand input = bias("bias"), recurrent = bias("recurrentBias");
  if (input.name.empty() && recurrent.name.empty()) return {};
  const Shape shape{r.directions, std::uint32_t(r.gates.size()) * r.hidden};
  for (OnnxOperand* operand : {&input, &recurrent})
    if (operand->name.empty()) *operand = c.filled("noBias", c.operand(0).type, shape, 0);
  const Shape joined{shape[0], 2 * shape[1]};
  if (!input.data || !recurrent.data)
    return c.add("Concat", {input.name, recurrent.name}, input.type, joined, {{"axis", std::int64_t(1)}}).name;
  const std::size_t row = input.data->size() / r.directions;
  std::vector<std::byte> data(2 * input.data->size());
  for (std::size_t direction = 0; direction < r.directions; ++direction) {
    std::memcpy(data.data() + 2 * direction * row, input.data->data() + direction * row, row);
    std::memcpy(data.data() + (2 * direction + 1) * row, recurrent.data->data() + direction * row, row);
  }
  return c.constant(input.name + ".joined", input.type, joined, std::move(data)).name;
}

std::vector<std::string> activations_of(OnnxCall& c, const Recurrence& r) {
  std::vector<std::string> names;
  for (std::uint32_t direction = 0; direction < r.directions; ++direction)
    for (const std::string_view name : c.call.text_list("activations")) {
      names.emplace_back(name);
      names.back()[0] = char(names.back()[0] - 'a' + 'A');
    }
  return names;
}

std::string direction_of(std::string_view direction) {
  if (direction == "both") return "bidirectional";
  return direction == "backward" ? "reverse" : "forward";
}

/// The names of the node's results in ONNX's order: the sequence, then the states.
std::vector<std::string> result_names(OnnxCall& c, const Recurrence& r, std::size_t states) {
  std::vector<std::string> names(1);
  if (r.cell) {
    for (std::size_t i = 0; i < states; ++i) names.push_back(c.name_for("state"));
    return names;
  }
  for (std::size_t i = 0; i < states; ++i) names.push_back(c.result(i).name);
  if (c.result_count() > states) names[0] = c.result(states).name;
  return names;
}

/// lstm has initial states as optional operands, lstmCell as required ones with other names.
OnnxOperand state_of(OnnxCall& c, const Recurrence& r, std::string_view in_network, std::string_view in_cell) {
  return operand_of(c, r, r.cell ? in_cell : in_network);
}

void finish_recurrence(OnnxCall& c, std::string_view onnx, const Recurrence& r, std::size_t states,
                       OnnxInputs more_inputs, OnnxAttributes more_attributes) {
  OnnxInputs inputs{operand_of(c, r, "input").name, with_gates(c, r, operand_of(c, r, "weight")).name,
                    with_gates(c, r, operand_of(c, r, "recurrentWeight")).name, joined_bias(c, r), ""};
  inputs.insert(inputs.end(), more_inputs.begin(), more_inputs.end());
  while (inputs.back().empty()) inputs.pop_back();
  OnnxAttributes attributes{{"hidden_size", std::int64_t(r.hidden)},
                            {"direction", r.cell ? "forward" : direction_of(c.call.text("direction"))},
                            {"activations", activations_of(c, r)}};
  attributes.insert(attributes.end(), more_attributes.begin(), more_attributes.end());
  const std::vector<std::string> names = result_names(c, r, states);
  c.finish_as(onnx, inputs, names, attributes);
  if (!r.cell) return;
  for (std::size_t i = 0; i < states; ++i) {
    const Shape& shape = c.result(i).shape;
    c.finish_as("Reshape", {names[1 + i], c.integers("shape", {shape.begin(), shape.end()}).name}, {c.result(i).name});
  }
}

Recurrence recurrence_of(const OnnxCall& c) {
  const bool cell = c.call.op().name.ends_with("Cell");
  const bool both = !cell && c.call.text("direction") == "both";
  return {cell, both ? 2u : 1u, c.call.u32("hiddenSize"), gates_of(c.call.text("layout"))};
}

void lstm(OnnxCall& c, std::string_view onnx) {
  const Recurrence r = recurrence_of(c);
  if (c.has(std::size_t(c.call.op().operand_index("peepholeWeight"))))
    c.refuse("peepholes of its output gate look at the new cell state, those of WebNN at the old one");
  finish_recurrence(
      c, onnx, r, 2,
      {state_of(c, r, "initialHiddenState", "hiddenState").name, state_of(c, r, "initialCellState", "cellState").name},
      {});
}

void gru(OnnxCall& c, std::string_view onnx) {
  const Recurrence r = recurrence_of(c);
  finish_recurrence(c, onnx, r, 1, {state_of(c, r, "initialHiddenState", "hiddenState").name},
                    {{"linear_before_reset", std::int64_t(c.call.boolean("resetAfter"))}});
}

constexpr OnnxRow recurrent_rows[] = {
    {"gru", "GRU", gru, {}},
    {"gruCell", "GRU", gru, {}},
    {"lstm", "LSTM", lstm, {}},
    {"lstmCell", "LSTM", lstm, {}},
};

}  // namespace

std::span<const OnnxRow> onnx_recurrent_rows() { return recurrent_rows; }

}  // namespace webnn::compiler
