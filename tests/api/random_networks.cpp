// Small convolutional networks made by chance, in both orders of axes, compiled for what this machine has and for less:
// fused, reordered and packed they compute what the reference kernels compute node by node.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <random>

#include "api/runner/session.hpp"
#include "compiler/ir/print.hpp"
#include "schema/elements/compare_tensors.hpp"
#include "tests/harness/evaluate_graph.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::random_networks_test {
namespace {

using namespace webnn::compiler;
using compiler::Graph;  // and not the public interface's

class Generator {
 public:
  Generator(std::uint32_t seed, DataType type) : engine_(seed), type_(type) {}

  Graph run(int nodes) {
    graph_.name = "network";
    values_.push_back(graph_.add_input("x", {type_, {1 + below(2), 4, 6, 5}}));
    values_.push_back(graph_.add_input("nhwc", {type_, {1, 6, 5, 4}}));
    for (int made = 0; made < nodes;) made += add();
    for (std::uint32_t i = 0; i < graph_.value_count(); ++i)
      if (graph_.value({i}).kind == Value::Kind::result && (graph_.use_count({i}) == 0 || below(8) == 0))
        graph_.add_output("output" + std::to_string(i), {i});
    return std::move(graph_);
  }

 private:
  using Named = std::vector<std::pair<std::string_view, AttributeValue>>;

  std::uint32_t below(std::uint32_t count) { return std::uint32_t(engine_() % count); }
  const Shape& shape(ValueId id) const { return graph_.value(id).descriptor.shape; }

  /// Mostly one of the last, so that the network becomes deep.
  ValueId any_value() {
    const auto count = std::uint32_t(values_.size());
    return values_[below(3) == 0 ? below(count) : count - 1 - below(std::min(count, 3u))];
  }

  ValueId constant(const Shape& shape, float low = -1, float high = 1) {
    std::uniform_real_distribution<float> chance(low, high);
    Numbers elements(element_count(shape));
    for (Number& element : elements) element = chance(engine_);
    return graph_.add_constant("c", {type_, shape}, Bytes(tensor(type_, shape, elements).data));
  }

  bool node(OperatorId op, std::vector<ValueId> inputs, const Named& named = {}) {
    Attributes attributes(row(op).attributes.size());
    for (const auto& [name, value] : named) attributes[std::size_t(row(op).attribute_index(name))] = value;
    const NodeId id = graph_.add_node(op, std::move(inputs), std::move(attributes), {});
    if (!id.valid()) return false;
    for (const ValueId output : graph_.node(id).outputs) values_.push_back(output);
    return true;
  }

  bool convolution(ValueId x, bool nhwc) {
    const std::uint32_t channels = shape(x)[nhwc ? 3 : 1], window = 1 + 2 * below(2);
    const bool depthwise = !nhwc && below(3) == 0;
    const std::uint32_t filters = depthwise ? channels : 2 + 2 * below(4), group = depthwise ? 1 : channels;
    const ValueId w = constant(nhwc ? Shape{filters, window, window, group} : Shape{filters, group, window, window});
    const std::int64_t padding = window / 2, stride = 1 + below(2);
    Named attributes{{"padding", IntegerList(4, padding)},
                     {"strides", IntegerList(2, stride)},
                     {"groups", std::int64_t(depthwise ? channels : 1)}};
    if (nhwc) attributes.insert(attributes.end(), {{"inputLayout", "nhwc"}, {"filterLayout", "ohwi"}});
    return node("conv2d"_op, {x, w, below(2) ? constant({filters}) : ValueId{}}, attributes);
  }

  ValueId operand_for(ValueId x) {
    const Shape& full = shape(x);
    switch (below(5)) {
      case 0:
        return constant({});
      case 1:
        return constant(full.rank() == 4 ? Shape{full[1], 1, 1} : Shape{full[full.rank() - 1]});
      case 2:
        return constant(full);
      case 3:
        return any_value();
      default:
        for (const ValueId other : values_)
          if (other != x && shape(other) == full) return other;
        return x;
    }
  }

  bool add() {
    const ValueId x = any_value();
    if (element_count(shape(x)) > 4000) return false;
    const unsigned rank = shape(x).rank();
    static const OperatorId unary[] = {"relu"_op, "sigmoid"_op, "tanh"_op, "hardSwish"_op, "neg"_op, "elu"_op};
    static const OperatorId binary[] = {"add"_op, "add"_op, "sub"_op, "mul"_op, "max"_op};
    static const IntegerList orders[] = {{0, 2, 3, 1}, {0, 3, 1, 2}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 2, 3}};
    switch (below(12)) {
      case 0:
      case 1:
        return rank == 4 && convolution(x, below(3) == 0);
      case 2:
        return node(unary[below(6)], {x});
      case 3:
      case 4: {
        const bool first = below(4) != 0;
        const ValueId other = operand_for(x);
        return node(binary[below(5)], {first ? x : other, first ? other : x});
      }
      case 5:
        return rank == 4 && node("transpose"_op, {x}, {{"permutation", orders[below(5)]}});
      case 6:
        return rank == 4 && node(below(2) ? "maxPool2d"_op : "averagePool2d"_op, {x},
                                 {{"windowDimensions", IntegerList(2, 2)}, {"layout", below(4) ? "nchw" : "nhwc"}});
      case 7:
        return node("concat"_op, {x, operand_for(x)}, {{"axis", std::int64_t{below(rank)}}});
      case 8:
        return rank == 4 &&
               node("batchNormalization"_op,
                    {x, constant({shape(x)[1]}), constant({shape(x)[1]}, 0.5, 1.5), constant({shape(x)[1]}), {}});
      case 9:
        return rank == 4 && node("resample2d"_op, {x}, {{"scales", RealList{2, 2}}, {"mode", "linear"}});
      case 10:
        return rank == 4 &&
               node("reshape"_op, {x},
                    {{"newShape", IntegerList{shape(x)[0], std::int64_t{shape(x)[1]} * shape(x)[2], shape(x)[3]}}});
      default:
        return rank == 4 && node("split"_op, {x}, {{"axis", std::int64_t{1}}, {"splits", std::int64_t{2}}});
    }
  }

  std::mt19937 engine_;
  DataType type_;
  Graph graph_;
  std::vector<ValueId> values_;
};

/// What the compiler has done in all networks together.
struct Counts {
  std::size_t steps = 0, post_ops = 0, reorders = 0, channels_last = 0, packed = 0;

  void add(const Program& program) {
    for (const Step& step : program.steps) {
      ++steps;
      post_ops += step.post_ops.size();
      reorders += step.op == "@reorder"_op;
    }
    for (const ProgramValue& value : program.values) {
      channels_last += value.layout == Layout::channels_last;
      packed += value.layout == Layout::private_form;
    }
  }
};

/// What networks are compiled for.
struct Setting {
  std::string device = "cpu", isa = "baseline";
  bool keep_layouts = false;

  std::string text() const { return device + ", " + isa + (keep_layouts ? ", layouts of tensors kept" : ""); }
};

/// Empty, or what is wrong.
std::string failure_of(const Graph& graph, const Setting& setting, const TestTensors& inputs, const TestTensors& wanted,
                       Counts& counts) {
  api::Session session({.device = setting.device, .isa = setting.isa, .threads = 2});
  Diagnostics diagnostics;
  Options options;
  options.keep_layouts = setting.keep_layouts;
  if (!session.compile(graph, options, diagnostics)) return diagnostics.all().front().message;
  counts.add(session.context().executable(session.executable()).program());
  std::vector<std::span<const std::byte>> bytes;
  for (const auto& [name, input] : inputs) bytes.emplace_back(input.data);
  const auto found = session.run(bytes);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [name, tensor] = wanted[i];
    double greatest = 1;
    for (const Number& element : numbers(tensor)) greatest = std::max(greatest, std::fabs(element.as_double()));
    const Comparison comparison =
        compare_tensors(tensor.descriptor, found[i], tensor.data,
                        Tolerance{64, (tensor.descriptor.type == DataType::float16 ? 3e-2 : 3e-5) * greatest, 0});
    if (!comparison.passed())
      return name + ": " + std::to_string(comparison.mismatches) + " of " + std::to_string(comparison.count) +
             " elements differ";
  }
  return {};
}

}  // namespace

TEST_CASE("networks: compiled for fast kernels they compute what the reference kernels compute") {
  std::vector<Setting> settings{{}, {.keep_layouts = true}, {.device = "cpu:reference", .keep_layouts = true}};
  for (const Feature isa : {Feature::avx2, Feature::avx512})
    if (const std::string name = text_of(isa); machine_has(isa))
      settings.insert(settings.end(), {{.isa = name}, {.isa = name, .keep_layouts = true}});
    else
      skip_part("--isa " + name, machine_lacks(isa));
  Counts counts;
  for (std::uint32_t seed = 0; seed < 250; ++seed) {
    CAPTURE(seed);
    // Now and then a network so small that nodes lie between the caller's own tensors.
    const int nodes = seed % 5 == 0 ? 1 + int(seed / 5 % 2) : 14;
    const Graph graph = Generator(seed, seed % 4 == 3 ? DataType::float16 : DataType::float32).run(nodes);
    std::mt19937 engine(seed);
    std::uniform_real_distribution<float> chance(-1, 1);
    TestTensors inputs;
    for (const ValueId input : graph.inputs()) {
      const OperandDescriptor& descriptor = graph.value(input).descriptor;
      Numbers elements(element_count(descriptor.shape));
      for (Number& element : elements) element = chance(engine);
      inputs.emplace_back(graph.value(input).name, tensor(descriptor.type, descriptor.shape, elements));
    }
    const TestTensors wanted = evaluate_graph(graph, inputs);
    for (const Setting& setting : settings)
      CHECK_MESSAGE(failure_of(graph, setting, inputs, wanted, counts) == "", setting.text(), "\n", print(graph));
  }
  MESSAGE(counts.steps, " steps, ", counts.post_ops, " post-ops, ", counts.channels_last, " values channels-last, ",
          counts.reorders, " reorders, ", counts.packed, " packed");
  if (machine_has(Feature::avx2)) CHECK(std::min({counts.post_ops, counts.channels_last, counts.packed}) > 100);
}

}  // namespace webnn::tests::random_networks_test
