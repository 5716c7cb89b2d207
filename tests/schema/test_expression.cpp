// Expressions: small ones by hand, and random ones in which results are used several times.
#include <algorithm>
#include <doctest/doctest.h>
#include <random>

#include "api/kernels.hpp"
#include "compiler/ir/parse.hpp"
#include "compiler/ir/print.hpp"
#include "schema/expression.hpp"
#include "schema/file/program_file.hpp"
#include "schema/operators/check_spec.hpp"
#include "schema/program.hpp"

namespace webnn::tests::expression_test {
namespace {

using namespace webnn::schema;

const OperandDescriptor matrix{DataType::float32, {2, 3}};

/// add of two matrices
KernelSpec sum() {
  KernelSpec spec;
  spec.op = "add"_op;
  spec.attributes = Attributes(row(spec.op).attributes.size());
  spec.inputs = {matrix, matrix};
  spec.outputs = {matrix};
  return spec;
}

/// x * sigmoid(x) + input 2, where x is a sum.
KernelSpec swish() {
  KernelSpec spec = sum();
  append_post_op(spec, "sigmoid"_op, {}, {ResultOf{0}});
  append_post_op(spec, "mul"_op, {}, {ResultOf{0}, ResultOf{1}});
  append_post_op(spec, "add"_op, {}, {matrix, ResultOf{2}});
  return spec;
}

/// Up to a dozen steps. Each operand is any earlier result, or another input.
KernelSpec random_spec(std::mt19937& engine) {
  static constexpr OperatorId ops[] = {"neg"_op, "tanh"_op, "add"_op, "sub"_op, "mul"_op, "max"_op};
  KernelSpec spec = sum();
  for (std::size_t more = engine() % 12; more > 0; --more) {
    const OperatorId op = ops[engine() % std::size(ops)];
    std::vector<NewOperand<KernelSpec>> operands;
    for (std::size_t place = 0; place < row(op).operands.size(); ++place)
      if (engine() % 4 == 0)
        operands.push_back(matrix);
      else
        operands.push_back(ResultOf{engine() % Expression(spec).size()});
    append_post_op(spec, op, {}, operands);
  }
  return spec;
}

std::string text_of_call(const Expression& expression, std::size_t step, const std::vector<std::string>& operands) {
  std::string text(row(expression.op(step)).name);
  for (const std::string& operand : operands) text += " (" + operand + ")";
  return text;
}

/// What a step computes, written out.
std::string naive(const Expression& expression, std::size_t step) {
  std::vector<std::string> operands;
  for (const StepOperand operand : expression.operands(step))
    operands.push_back(operand.is_step() ? naive(expression, operand.index) : "x" + std::to_string(operand.index));
  return text_of_call(expression, step, operands);
}

/// A program whose only step is this call.
Program program_of(const KernelSpec& spec) {
  Program program;
  program.target = {DeviceKind::cpu, Feature::avx2 | Feature::neon};
  Step step;
  const auto takes_it = [&](const KernelRow& kernel) { return takes(kernel, spec, program.target); };
  step.kernel = {&*std::ranges::find_if(webnn::api::kernel_table(), takes_it)};
  step.op = spec.op;
  step.attributes = spec.attributes;
  step.post_ops = spec.post_ops;
  const auto bind = [&](std::vector<Binding>& to, std::vector<std::uint32_t>& of_step, Slot::Kind kind) {
    const auto value = std::uint32_t(program.values.size());
    const Slot slot{kind, std::uint32_t(to.size()), 0, byte_length(matrix)};
    const std::string name = "v" + std::to_string(value);
    program.values.push_back({name, matrix, Layout::row_major, slot});
    to.push_back({name, matrix, value});
    of_step.push_back(value);
  };
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) bind(program.inputs, step.inputs, Slot::Kind::input);
  bind(program.outputs, step.outputs, Slot::Kind::output);
  program.steps = {std::move(step)};
  return program;
}

std::string error_after(void (*damage)(KernelSpec&)) {
  KernelSpec spec = swish();
  damage(spec);
  return Expression(spec).form_error();
}

/// The post-ops of a node with two operands for its root, as read from a file.
std::string error_in_file(OperatorId op, WrittenOperands written) {
  std::vector<PostOp> post_ops{{op, Attributes(row(op).attributes.size())}};
  return read_operands(post_ops, std::vector{written}, 2);
}

}  // namespace

TEST_CASE("expression: operands, inputs and links") {
  const KernelSpec spec = swish();
  const Expression expression(spec);
  CHECK(expression.form_error() == "");
  CHECK(expression.size() == 4);
  CHECK(expression.root_operand_count() == 2);
  CHECK(expression.operands(0) == std::vector{StepOperand::input(0), StepOperand::input(1)});
  CHECK(expression.operands(1) == std::vector{StepOperand::step(0)});
  CHECK(expression.operands(3) == std::vector{StepOperand::input(2), StepOperand::step(2)});
  CHECK(expression.first_input(3) == 2);
  CHECK(expression.first_input(4) == 3);
  CHECK(expression.is_link(1));
  CHECK_FALSE(expression.is_link(2));  // it takes an earlier result, too
  CHECK(expression.is_link(3));
  CHECK(expression.running_operand(3) == 1);
  CHECK_FALSE(expression.is_chain());
  CHECK(Expression(sum()).is_chain());
  KernelSpec square = sum();
  append_post_op(square, "mul"_op, {}, {ResultOf{0}, ResultOf{0}});
  CHECK_FALSE(Expression(square).is_link(1));
}

TEST_CASE("expression: what is none") {
  CHECK(error_after([](KernelSpec& s) { s.op.index = 999; }) == "operator number 999 does not exist");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[0].attributes = Attributes(1); }) ==
        "sigmoid has 0 attributes, found 1");
  CHECK(error_after([](KernelSpec& s) { s.inputs.pop_back(); }) == "add takes 3 operand places, found 2");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[1].operands[1] = StepOperand::step(2); }) ==
        "operand 1 of post-op mul is the result of step 2, which is not before it");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[0].operands[2] = StepOperand::step(0); }) ==
        "post-op sigmoid has no operand 2");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[2].operands[0] = StepOperand::input(1); }) ==
        "operand 0 of post-op add is not the next of the inputs");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[0].operands[0] = {}; }) ==
        "operand 0 of post-op sigmoid is not the next of the inputs");
  CHECK(error_after([](KernelSpec& s) { s.post_ops[0].op = "concat"_op, s.post_ops[0].attributes = Attributes(1); }) ==
        "concat cannot be a post-op");
}

TEST_CASE("expression: numbers in files that are refused") {
  CHECK(error_in_file("relu"_op, {1}) == "");
  CHECK(error_in_file("relu"_op, {3}) == "operand 0 of post-op relu is from 3 steps back, but there are 1 before it");
  CHECK(error_in_file("relu"_op, {1, 1}) == "post-op relu has no operand 1");
  CHECK(error_in_file("concat"_op, {1}) == "concat cannot be a post-op");
}

TEST_CASE("expression: random ones are computed, taken apart, written and read") {
  std::mt19937 engine(71);
  for (int i = 0; i < 300; ++i) {
    const KernelSpec spec = random_spec(engine);
    const Expression expression(spec);
    REQUIRE(spec_error(spec) == "");

    const auto texts = results_of<std::string>(
        expression,
        [&, kept = std::vector<std::string>(spec.inputs.size())](std::size_t input) mutable {
          kept[input] = "x" + std::to_string(input);
          return &kept[input];
        },
        [&](std::size_t step, std::span<const std::string* const> operands) {
          std::vector<std::string> list;
          for (const std::string* operand : operands) list.push_back(*operand);
          return text_of_call(expression, step, list);
        });
    for (std::size_t step = 0; step < expression.size(); ++step) CHECK(texts[step] == naive(expression, step));

    std::vector<WrittenOperands> written;
    std::vector<PostOp> read = spec.post_ops;
    for (std::size_t step = 1; step < expression.size(); ++step) {
      written.push_back(written_operands(expression, step));
      read[step - 1].operands = {};
    }
    CHECK(read_operands(read, written, spec.inputs.size()) == "");
    CHECK(read == spec.post_ops);

    std::vector<std::byte> file;
    write_program(program_of(spec),
                  [&](std::span<const std::byte> bytes) { file.insert(file.end(), bytes.begin(), bytes.end()); });
    Diagnostics diagnostics;
    const auto program =
        read_program(Bytes(std::move(file)), "x.wnnc", webnn::api::kernel_table(), nullptr, diagnostics);
    REQUIRE(program);
    CHECK(program->steps[0].post_ops == spec.post_ops);

    // Cut in two, and joined again.
    const std::size_t cut = 1 + engine() % expression.size();
    const auto from_outside = [&](StepOperand operand) { return spec.inputs.at(operand.index); };
    KernelSpec joined = node_of_steps<KernelSpec>(expression, 0, cut, from_outside);
    append_steps(joined, expression, cut, expression.size(), [&](StepOperand operand) -> NewOperand<KernelSpec> {
      if (operand.is_step()) return ResultOf{operand.index};
      return from_outside(operand);
    });
    CHECK(joined.post_ops == spec.post_ops);
    CHECK(joined.inputs == spec.inputs);

    compiler::Graph graph;
    compiler::Node node;
    for (std::size_t input = 0; input < spec.inputs.size(); ++input)
      node.inputs.push_back(graph.add_input("x", matrix));
    const compiler::NodeId id = graph.add_node(spec.op, {node.inputs[0], node.inputs[1]}, {}, {});
    const std::vector<compiler::ValueId> inputs = node.inputs;
    node = graph.node(id);
    append_steps(node, expression, 1, expression.size(), [&](StepOperand operand) -> NewOperand<compiler::Node> {
      if (operand.is_step()) return ResultOf{operand.index};
      return inputs[operand.index];
    });
    graph.extend(id, node, matrix);
    graph.add_output("y", graph.node(id).outputs[0]);
    const auto parsed = compiler::parse(compiler::print(graph), {}, diagnostics);
    REQUIRE(parsed);
    CHECK(parsed->node(id).post_ops == spec.post_ops);
    CHECK(parsed->node(id).inputs == node.inputs);
  }
}

}  // namespace webnn::tests::expression_test
