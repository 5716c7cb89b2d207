// The C interface, through the library of this program. That webnn.h is C99 is proved by api/examples/c_interface.c.
#include <algorithm>
#include <cstddef>
#include <doctest/doctest.h>
#include <filesystem>
#include <malloc.h>
#include <set>

#include "api/internals.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "tests/api/c_interface_support.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::c_interface_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;

// ---- a graph, written again by calls of the C interface

/// An attribute as C gives it; it points into `value` and `words`.
webnn_attribute attribute_of(const char* name, const AttributeValue& value, std::vector<const char*>& words) {
  struct {
    const char* name;
    std::vector<const char*>& words;
    webnn_attribute operator()(bool held) const { return webnn_boolean(name, held); }
    webnn_attribute operator()(std::int64_t held) const { return webnn_integer(name, held); }
    webnn_attribute operator()(double held) const { return webnn_real(name, held); }
    webnn_attribute operator()(DataType held) const { return webnn_type(name, webnn_data_type(held)); }
    webnn_attribute operator()(const std::string& held) const { return webnn_text(name, held.c_str()); }
    webnn_attribute operator()(const IntegerList& held) const { return webnn_integers(name, held.data(), held.size()); }
    webnn_attribute operator()(const RealList& held) const { return webnn_reals(name, held.data(), held.size()); }
    webnn_attribute operator()(const TextList& held) const {
      for (const std::string& word : held) words.push_back(word.c_str());
      return webnn_texts(name, words.data(), words.size());
    }
    webnn_attribute operator()(const Number& held) const {
      if (held.kind() == Number::Kind::real) return webnn_real(name, held.as_double());
      if (held.kind() == Number::Kind::signed_integer) return webnn_integer(name, held.as_int64());
      return webnn_unsigned(name, held.as_uint64());
    }
  } const visitor{name, words};
  return std::visit(visitor, value);
}

using Operands = std::vector<webnn_operand*>;  // by value of the graph

void call_again(webnn_builder* builder, const compiler::Graph& graph, const compiler::Node& node, Operands& operands) {
  const Operator& op = row(node.op);
  Operands inputs, outputs(node.outputs.size());
  for (const compiler::ValueId input : node.inputs) inputs.push_back(input.valid() ? operands[input.index] : nullptr);
  std::vector<std::string> names(op.attributes.size());
  std::vector<std::vector<const char*>> words(op.attributes.size());
  std::vector<webnn_attribute> attributes;
  for (std::size_t i = 0; i < node.attributes.size(); ++i) {
    if (!node.attributes[i]) continue;
    names[i] = op.attributes[i].name;
    attributes.push_back(attribute_of(names[i].c_str(), *node.attributes[i], words[i]));
  }
  succeed(webnn_builder_call(builder, std::string(op.name).c_str(), inputs.data(), inputs.size(), attributes.data(),
                             attributes.size(), node.label.c_str(), outputs.data(), outputs.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    operands[node.outputs[i].index] = outputs[i];
    webnn_descriptor descriptor{sizeof descriptor, {}, 0, nullptr, nullptr};
    succeed(webnn_operand_descriptor(outputs[i], &descriptor));
    const OperandDescriptor& expected = graph.value(node.outputs[i]).descriptor;
    REQUIRE(descriptor.data_type == webnn_data_type(expected.type));
    REQUIRE(std::ranges::equal(std::span(descriptor.shape, descriptor.rank), expected.shape));
  }
}

Owned<webnn_graph> build_again(webnn_context* context, const compiler::Graph& graph) {
  const Owned<webnn_builder> builder = make_builder(context);
  Operands operands(graph.value_count());
  for (std::uint32_t i = 0; i < graph.value_count(); ++i) {
    const compiler::Value& value = graph.value(compiler::ValueId{i});
    const webnn_descriptor descriptor = descriptor_of(value.descriptor);
    if (value.kind == compiler::Value::Kind::input)
      succeed(webnn_builder_input(builder.get(), value.name.c_str(), &descriptor, &operands[i]));
    if (value.kind == compiler::Value::Kind::constant)
      succeed(webnn_builder_constant(builder.get(), &descriptor, value.data.data(), value.data.size(), &operands[i]));
  }
  for (const compiler::NodeId node : graph.order()) call_again(builder.get(), graph, graph.node(node), operands);
  std::vector<webnn_named_operand> outputs;
  for (const compiler::GraphOutput& output : graph.outputs())
    outputs.push_back({output.name.c_str(), operands[output.value.index]});
  webnn_graph* built = nullptr;
  succeed(webnn_builder_build(builder.get(), outputs.data(), outputs.size(), &built));
  return Owned<webnn_graph>(built);
}

/// The outputs of the vector's own graph, which did not go through the C interface.
std::vector<std::vector<std::byte>> outputs_of(Context& context, const compiler::ConformanceVector& vector) {
  compiler::Options options;
  options.keep_layouts = BuildOptions{}.keepLayouts;
  Diagnostics diagnostics;
  const std::optional<Graph> graph = api::Internals::compile(context, vector.graph, options, diagnostics);
  if (!graph) throw std::runtime_error(diagnostics.all().front().message);
  NamedTensors inputs, outputs;
  for (const compiler::NamedTensor& input : vector.inputs) {
    const OperandDescriptor& descriptor = input.tensor.descriptor;
    const Tensor tensor = context.createTensor(
        {.dataType = descriptor.type, .shape = {descriptor.shape.begin(), descriptor.shape.end()}, .writable = true});
    context.writeTensor(tensor, input.tensor.data.view());
    inputs.emplace(input.name, tensor);
  }
  for (const NamedDescriptor& output : graph->outputs())
    outputs.emplace(output.name,
                    context.createTensor({.dataType = output.dataType, .shape = output.shape, .readable = true}));
  context.dispatch(*graph, inputs, outputs);
  std::vector<std::vector<std::byte>> results;
  for (const compiler::NamedTensor& output : vector.expected)
    results.push_back(context.readTensor(outputs.at(output.name)).get());
  return results;
}

/// Empty when the vector gives the same bits through the C interface, else what is wrong.
std::string failure_of(webnn_context* context, Context& same, const compiler::ConformanceVector& vector) {
  const std::vector<std::vector<std::byte>> wanted = outputs_of(same, vector);
  const Owned<webnn_graph> graph = build_again(context, vector.graph);
  std::vector<Owned<webnn_tensor>> tensors;
  std::vector<webnn_named_tensor> inputs, outputs;
  for (const compiler::NamedTensor& input : vector.inputs) {
    tensors.push_back(make_tensor(context, input.tensor.descriptor));
    succeed(
        webnn_context_write_tensor(context, tensors.back().get(), input.tensor.data.data(), input.tensor.data.size()));
    inputs.push_back({input.name.c_str(), tensors.back().get()});
  }
  for (const compiler::NamedTensor& output : vector.expected) {
    tensors.push_back(make_tensor(context, output.tensor.descriptor));
    outputs.push_back({output.name.c_str(), tensors.back().get()});
  }
  succeed(webnn_context_dispatch(context, graph.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<std::byte> actual(wanted[i].size());
    succeed(webnn_context_read_tensor(context, outputs[i].tensor, actual.data(), actual.size()));
    if (actual != wanted[i]) return "output " + vector.expected[i].name + " differs";
  }
  return {};
}

}  // namespace

TEST_CASE("webnn.h: every operator is called by its name and gives the bits of the same graph without C") {
  const Owned<webnn_context> context = make_context();
  Context same;
  std::set<std::string_view> called;
  for (const Operator& op : operator_table()) {
    if (op.internal()) continue;
    const fs::path file = source_dir() / "tests/operators" / (std::string(op.name) + ".json");
    for (const auto& vector : compiler::read_conformance_vectors(read_file(file), std::string(op.name))) {
      CAPTURE(vector.name);
      std::string failure;
      try {
        failure = failure_of(context.get(), same, vector);
      } catch (const std::exception& error) {
        failure = error.what();
      }
      CHECK_MESSAGE(failure.empty(), op.name, ": ", failure);
      called.insert(op.name);
    }
  }
  CHECK(called.size() == operator_count);
}

/// Bytes that are allocated now.
std::size_t allocated_bytes() { return mallinfo2().uordblks; }

TEST_CASE("webnn.h: a call with room for another number of results adds nothing to the builder") {
  const Owned<webnn_context> context = make_context();
  const Owned<webnn_builder> builder = make_builder(context.get());
  const OperandDescriptor two_by_three{DataType::float32, {2, 3}};
  const webnn_descriptor matrix = descriptor_of(two_by_three);
  webnn_operand *x = nullptr, *parts[3] = {};
  CHECK(text_of(webnn_builder_input(builder.get(), "x", &matrix, &x)).empty());
  const webnn_attribute attributes[] = {webnn_integer("splits", 2)};
  const auto split = [&](std::size_t room) {
    return text_of(webnn_builder_call(builder.get(), "split", &x, 1, attributes, 1, nullptr, parts, room));
  };
  split(1);
  const std::size_t before = allocated_bytes();
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(split(1) == "2: split has 2 results, but outputs has room for 1");
    REQUIRE(split(3) == "2: split has 2 results, but outputs has room for 3");
  }
  CHECK(allocated_bytes() < before + 1'000'000);  // a node takes hundreds
  CHECK(parts[0] == nullptr);
  CHECK(split(2).empty());
}

TEST_CASE("webnn.h: a wrong call fails with a code, a message and a hint, and changes nothing") {
  const Owned<webnn_context> context = make_context();
  const Owned<webnn_builder> builder = make_builder(context.get());
  const OperandDescriptor two_by_three{DataType::float32, {2, 3}};
  const webnn_descriptor matrix = descriptor_of(two_by_three);
  webnn_operand *x = nullptr, *y = nullptr;
  CHECK(text_of(webnn_builder_input(builder.get(), "x", &matrix, &x)).empty());
  const auto call = [&](const char* op, std::size_t operands, std::vector<webnn_attribute> attributes) {
    webnn_operand* const inputs[] = {x, x};
    return webnn_builder_call(builder.get(), op, inputs, operands, attributes.data(), attributes.size(), nullptr, &y,
                              1);
  };
  webnn_status* status = call("matmull", 2, {});
  CHECK(webnn_status_code(status) == WEBNN_USAGE);
  CHECK(std::string(webnn_status_message(status)) == "there is no operator 'matmull'");
  CHECK(std::string(webnn_status_hint(status)) == "did you mean 'matmul'?");
  webnn_status_release(status);
  CHECK(text_of(call("@reorder", 1, {})) == "2: there is no operator '@reorder'");
  CHECK(text_of(call("matmul", 2, {})).starts_with("2: matmul: "));
  CHECK(text_of(call("softmax", 1, {})).starts_with("2: softmax: "));
  CHECK(text_of(call("softmax", 1, {webnn_integer("axes", 1)})) == "2: softmax has no attribute 'axes'");
  CHECK(text_of(call("softmax", 1, {webnn_integer("axis", 1), webnn_integer("axis", 1)})) ==
        "2: softmax: 'axis' is given twice");
  CHECK(text_of(call("softmax", 1, {webnn_text("axis", "1")})).starts_with("2: softmax: 'axis' must be "));
  CHECK(text_of(call("softmax", 1, {webnn_unsigned("axis", ~std::uint64_t{0})})) == "2: 'axis' is too large");
  CHECK(text_of(call("softmax", 1, {{"axis", webnn_attribute_kind(77), {}, 0}})) ==
        "2: 'axis' is of no kind that there is");
  CHECK(text_of(call("transpose", 1, {webnn_integers("permutation", nullptr, 2)})) ==
        "2: a list of an attribute is null");
  CHECK(text_of(call("split", 1, {webnn_integer("splits", 2)})) ==
        "2: split has 2 results, but outputs has room for 1");
  CHECK(y == nullptr);
  CHECK(text_of(webnn_builder_call(nullptr, "relu", &x, 1, nullptr, 0, nullptr, &y, 1)) == "2: builder is null");
  CHECK(text_of(webnn_builder_input(builder.get(), nullptr, &matrix, &y)) == "2: name is null");
  CHECK(text_of(webnn_builder_input(builder.get(), "y", nullptr, &y)) == "2: descriptor is null");
  const webnn_descriptor no_type{sizeof no_type, webnn_data_type(10), 0, nullptr, nullptr};
  CHECK(text_of(webnn_builder_input(builder.get(), "y", &no_type, &y)) == "2: 10 is no data type");
  const float numbers[6] = {};
  CHECK(text_of(webnn_builder_constant(builder.get(), &matrix, numbers, 20, &y)) ==
        "2: float32[2, 3] takes 24 bytes, not 20");
  CHECK(text_of(webnn_builder_build(builder.get(), nullptr, 0, nullptr)) == "2: graph is null");

  CHECK(text_of(call("softmax", 1, {webnn_integer("axis", 1)})).empty());
  CHECK(y != nullptr);
}

TEST_CASE("webnn.h: options of other versions of the header") {
  struct Newer {
    webnn_context_options known{};
    std::uint64_t later = 0;
  } newer;
  webnn_context* context = nullptr;
  const auto create = [&](std::size_t size) {
    newer.known.struct_size = size;
    std::string text = text_of(webnn_context_create(&newer.known, &context));
    webnn_context_release(std::exchange(context, nullptr));
    return text;
  };
  CHECK(create(sizeof(Newer)).empty());
  newer.later = 1;
  CHECK(create(sizeof(Newer)) == "2: options sets what this version of the library does not know");
  CHECK(create(sizeof(webnn_context_options)).empty());
  CHECK(create(0) == "2: options has struct_size 0");
  CHECK(create(1u << 20) == "2: options has struct_size 1048576");
  newer.known.reserved = 1;
  CHECK(create(sizeof(webnn_context_options)) == "2: options.reserved is not 0");
  newer.known.reserved = 0;
  newer.known.isa = "sse9";
  CHECK(create(offsetof(webnn_context_options, isa)).empty());  // an older one did not have it
  CHECK(create(sizeof(webnn_context_options)).starts_with("2: "));

  // What is given out is cut to the room that there is.
  const Owned<webnn_context> owner = make_context();
  const Owned<webnn_tensor> tensor = make_tensor(owner.get(), {DataType::int8, {2, 3}});
  const std::uint32_t kept = 99;
  webnn_descriptor descriptor{offsetof(webnn_descriptor, shape), WEBNN_FLOAT32, 99, &kept, nullptr};
  CHECK(text_of(webnn_tensor_descriptor(tensor.get(), &descriptor)).empty());
  CHECK(descriptor.data_type == WEBNN_INT8);
  CHECK(descriptor.rank == 2);
  CHECK(descriptor.shape == &kept);
}

TEST_CASE("webnn.h: graph files, their named dimensions and their limits") {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "relu.json";
  const std::string text = R"({
    "format": "webnn-graph-json", "version": 2,
    "inputs": {"x": {"dataType": "float32", "shape": [{"name": "rows", "maxSize": 9}, 2]}},
    "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}],
    "outputs": {"y": "y"}
  })";
  write_file(file, text);
  const Owned<webnn_context> context = make_context();
  webnn_graph* graph = nullptr;
  const auto load = [&](const webnn_load_options& options) {
    webnn_graph_release(std::exchange(graph, nullptr));
    return text_of(webnn_graph_load(context.get(), file.c_str(), &options, &graph));
  };
  const webnn_dimension rows[] = {{"rows", 5}, {"rows", 6}};
  webnn_load_options options{};
  options.struct_size = sizeof options;
  CHECK(load(options).starts_with("2: "));  // no size for the rows
  options.dimensions = rows;
  options.dimension_count = 2;
  CHECK(load(options) == "2: dimensions has two sizes for rows");
  options.dimension_count = 1;
  options.max_tensor_bytes = 32;
  CHECK(load(options).starts_with("7: "));
  options.max_tensor_bytes = 0;
  options.max_file_bytes = 10;
  CHECK(load(options).starts_with("7: "));
  options.max_file_bytes = 0;
  REQUIRE(load(options).empty());

  webnn_descriptor descriptor{sizeof descriptor, WEBNN_INT8, 0, nullptr, nullptr};
  REQUIRE(webnn_graph_input_count(graph) == 1);
  REQUIRE(webnn_graph_output_count(graph) == 1);
  CHECK(text_of(webnn_graph_input(graph, 0, &descriptor)).empty());
  CHECK(std::string(descriptor.name) == "x");
  CHECK(descriptor.data_type == WEBNN_FLOAT32);
  CHECK(std::ranges::equal(std::span(descriptor.shape, descriptor.rank), std::vector<std::uint32_t>{5, 2}));
  CHECK(text_of(webnn_graph_output(graph, 1, &descriptor)) == "2: index is 1 of 1");
  webnn_graph_release(graph);

  CHECK(text_of(webnn_graph_load_text(context.get(), text.data(), text.size(), &options, &graph)).empty());
  webnn_graph_release(std::exchange(graph, nullptr));
  CHECK(text_of(webnn_graph_load(context.get(), (scratch.path() / "absent").c_str(), nullptr, &graph))
            .starts_with("6: cannot read "));
  CHECK(text_of(webnn_graph_load_text(context.get(), "{}", 2, nullptr, &graph)).starts_with("3: 'graph' has "));
  CHECK(graph == nullptr);
}

TEST_CASE("webnn.h: program files are loaded as graphs are, told by their first bytes") {
  const ScratchFolder scratch;
  const std::string model = (source_dir() / "models/digits/digits.json").string();
  const std::string file = (scratch.path() / "digits").string();  // the name says nothing
  REQUIRE(webnn_cli({"compile", model, "-o", file}).code == 0);
  const Owned<webnn_context> context = make_context();
  webnn_graph* graph = nullptr;
  REQUIRE(text_of(webnn_graph_load(context.get(), file.c_str(), nullptr, &graph)).empty());
  webnn_descriptor descriptor{sizeof descriptor, WEBNN_INT8, 0, nullptr, nullptr};
  REQUIRE(text_of(webnn_graph_output(graph, 0, &descriptor)).empty());
  CHECK(std::string(descriptor.name) == "probabilities");
  webnn_graph_release(std::exchange(graph, nullptr));

  webnn_load_options options{};
  options.struct_size = sizeof options;
  options.weights_file = "digits.weights";
  CHECK(text_of(webnn_graph_load(context.get(), file.c_str(), &options, &graph)).starts_with("2: "));
  fs::resize_file(file, 64);
  CHECK(text_of(webnn_graph_load(context.get(), file.c_str(), nullptr, &graph)).starts_with("8: "));
  CHECK(graph == nullptr);
}

TEST_CASE("webnn.h: objects may be released in any order, and nothing may be released") {
  Owned<webnn_context> context = make_context();
  const OperandDescriptor scalar{DataType::float32, {}};
  const webnn_descriptor descriptor = descriptor_of(scalar);
  const float two = 2;
  webnn_tensor* given = nullptr;
  REQUIRE(text_of(webnn_context_create_constant_tensor(context.get(), &descriptor, &two, sizeof two, &given)).empty());
  Owned<webnn_tensor> constant(given);
  Owned<webnn_builder> builder = make_builder(context.get());
  webnn_operand *operand = nullptr, *result = nullptr;
  REQUIRE(text_of(webnn_builder_constant_tensor(builder.get(), constant.get(), &operand)).empty());
  constant.reset();
  REQUIRE(text_of(webnn_builder_call(builder.get(), "sqrt", &operand, 1, nullptr, 0, nullptr, &result, 1)).empty());
  const webnn_named_operand output{"root", result};
  webnn_graph* built = nullptr;
  REQUIRE(text_of(webnn_builder_build(builder.get(), &output, 1, &built)).empty());
  Owned<webnn_graph> graph(built);
  builder.reset();
  Owned<webnn_tensor> tensor = make_tensor(context.get(), scalar);
  const webnn_named_tensor binding{"root", tensor.get()};
  REQUIRE(text_of(webnn_context_dispatch(context.get(), graph.get(), nullptr, 0, &binding, 1)).empty());
  graph.reset();
  float root = 0;
  CHECK(text_of(webnn_context_read_tensor(context.get(), tensor.get(), &root, sizeof root)).empty());
  CHECK(root == doctest::Approx(1.41421356));
  context.reset();
  tensor.reset();
  webnn_status_release(nullptr);
  webnn_context_release(nullptr);
  webnn_graph_release(nullptr);
  webnn_tensor_release(nullptr);
  webnn_builder_release(nullptr);
  CHECK(webnn_status_code(nullptr) == WEBNN_OK);
  CHECK(std::string(webnn_status_message(nullptr)).empty());
}

}  // namespace webnn::tests::c_interface_test
