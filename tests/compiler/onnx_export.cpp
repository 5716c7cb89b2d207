// ONNX files: every operator's row, read back with protobuf, and the forms that matter for speed.
#include "compiler/onnx/export/onnx_export.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <limits>
#include <map>
#include <onnx/onnx_pb.h>
#include <set>
#include <sstream>

#include "compiler/onnx/export/onnx_file.hpp"
#include "compiler/vectors/vector_reader.hpp"
#include "schema/error.hpp"
#include "schema/operators/elementwise.hpp"
#include "tests/harness/graph_text.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/specification.hpp"

namespace webnn::tests::onnx_export_test {
namespace {

namespace fs = std::filesystem;
using namespace webnn::schema;

std::string file_of(const compiler::OnnxModel& model, const std::string& data_file = {}) {
  std::string file;
  compiler::write_onnx(model, data_file, [&](std::string_view piece) { file += piece; });
  return file;
}

/// The graph's file, read back by protobuf.
::onnx::ModelProto read_back(const compiler::Graph& graph, const std::string& data_file = {}) {
  ::onnx::ModelProto proto;
  REQUIRE(proto.ParseFromString(file_of(compiler::export_onnx(graph), data_file)));
  return proto;
}

std::string text_of(const ::onnx::AttributeProto& attribute) {
  std::ostringstream text;
  text << attribute.name() << "=";
  if (attribute.type() == ::onnx::AttributeProto::INT) text << attribute.i();
  if (attribute.type() == ::onnx::AttributeProto::FLOAT) text << attribute.f();
  if (attribute.type() == ::onnx::AttributeProto::STRING) text << attribute.s();
  for (const auto value : attribute.ints()) text << value << ",";
  for (const auto& value : attribute.strings()) text << value << ",";
  return text.str();
}

/// One line for each node: "y = Conv(x, w) group=1 pads=0,0,0,0, ..", attributes as they come.
std::string nodes_text(const ::onnx::GraphProto& graph) {
  std::ostringstream text;
  for (const auto& node : graph.node()) {
    for (int i = 0; i < node.output_size(); ++i) text << (i ? ", " : "") << node.output(i);
    text << " = " << node.op_type() << "(";
    for (int i = 0; i < node.input_size(); ++i) text << (i ? ", " : "") << node.input(i);
    text << ")";
    for (const auto& attribute : node.attribute()) text << " " << text_of(attribute);
    text << "\n";
  }
  return text.str();
}

std::string nodes_text(const std::string& lines) { return nodes_text(read_back(graph_of(lines)).graph()); }

const ::onnx::TensorProto& initializer(const ::onnx::ModelProto& model, const std::string& name) {
  for (const auto& tensor : model.graph().initializer())
    if (tensor.name() == name) return tensor;
  FAIL("no initializer " << name);
  return model.graph().initializer(0);
}

std::vector<float> floats_of(const ::onnx::TensorProto& tensor) {
  std::vector<float> values(tensor.raw_data().size() / sizeof(float));
  std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
  return values;
}

unsigned bits_of_onnx(std::int32_t type) {
  for (unsigned i = 0; i < data_type_count; ++i)
    if (std::int32_t(compiler::onnx_type(DataType(i))) == type) return bits_of(DataType(i));
  return 0;
}

void check_value(const ::onnx::ValueInfoProto& actual, const std::string& name, const OperandDescriptor& descriptor) {
  CHECK(actual.name() == name);
  const auto& tensor = actual.type().tensor_type();
  CHECK(tensor.elem_type() == std::int32_t(compiler::onnx_type(descriptor.type)));
  REQUIRE(tensor.shape().dim_size() == int(descriptor.shape.rank()));
  for (unsigned axis = 0; axis < descriptor.shape.rank(); ++axis)
    CHECK(tensor.shape().dim(int(axis)).dim_value() == descriptor.shape[axis]);
}

/// What every ONNX graph keeps to: inputs and outputs are the graph's, each name is given once and before it is used,
/// constants have the bytes of their shape, and no two nodes have one name.
void check_well_formed(const compiler::Graph& graph, const ::onnx::GraphProto& onnx) {
  REQUIRE(onnx.input_size() == int(graph.inputs().size()));
  REQUIRE(onnx.output_size() == int(graph.outputs().size()));
  std::set<std::string> known;
  for (int i = 0; i < onnx.input_size(); ++i) {
    const compiler::Value& value = graph.value(graph.inputs()[std::size_t(i)]);
    check_value(onnx.input(i), value.name, value.descriptor);
    known.insert(value.name);
  }
  for (const auto& tensor : onnx.initializer()) {
    CHECK_MESSAGE(known.insert(tensor.name()).second, tensor.name());
    std::uint64_t bits = bits_of_onnx(tensor.data_type());
    for (const auto size : tensor.dims()) bits *= std::uint64_t(size);
    CHECK_MESSAGE(tensor.raw_data().size() == (bits + 7) / 8, tensor.name());
  }
  std::set<std::string> nodes;
  for (const auto& node : onnx.node()) {
    if (!node.name().empty()) CHECK_MESSAGE(nodes.insert(node.name()).second, node.name());
    for (const auto& input : node.input()) CHECK_MESSAGE((input.empty() || known.contains(input)), input);
    for (const auto& output : node.output())
      if (!output.empty()) CHECK_MESSAGE(known.insert(output).second, output);
  }
  for (int i = 0; i < onnx.output_size(); ++i) {
    const compiler::GraphOutput& output = graph.outputs()[std::size_t(i)];
    check_value(onnx.output(i), output.name, graph.value(output.value).descriptor);
    CHECK_MESSAGE(known.contains(output.name), output.name);
  }
}

/// Why the graph cannot be written; empty when it can.
std::string refusal(const std::string& lines) {
  try {
    compiler::export_onnx(graph_of(lines));
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::unsupported);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("onnx: the cases of every operator become well-formed graphs") {
  for (const Operator& op : operator_table()) {
    CAPTURE(op.name);
    const fs::path file = source_dir() / "tests/operators" / (std::string(op.name) + ".json");
    std::size_t written = 0;
    for (const auto& vector : compiler::read_conformance_vectors(read_file(file), file.string())) {
      CAPTURE(vector.name);
      ::onnx::ModelProto model;
      try {
        const std::string text = file_of(compiler::export_onnx(vector.graph));
        REQUIRE(model.ParseFromString(text));
      } catch (const Error& error) {
        CHECK(error.code() == ExitCode::unsupported);
        CHECK(std::string(error.what()).find(op.name) != std::string::npos);
        continue;
      }
      ++written;
      CHECK(model.opset_import(0).version() >= compiler::onnx_opset);
      check_well_formed(vector.graph, model.graph());
    }
    const ElementwiseRow* const elementwise = find_elementwise(*find_operator(op.name));
    CHECK((written > 0) == (elementwise ? !elementwise->onnx.empty() : is_specified(op.name)));
  }
}

TEST_CASE("onnx: operators with a fused form in ONNX keep it") {
  const std::string x = "%x = input float32[1, 4, 6, 6]\n";
  const auto operator_of = [&](const std::string& call) {
    const auto model = read_back(graph_of(x + "%y = " + call + "\noutput \"y\" = %y\n"));
    REQUIRE(model.graph().node_size() == 1);
    return model.graph().node(0).op_type();
  };
  const std::map<std::string, std::string> expected = {{"gelu(%x)", "Gelu"},
                                                       {"hardSwish(%x)", "HardSwish"},
                                                       {"layerNormalization(%x) {axes=[3]}", "LayerNormalization"},
                                                       {"clamp(%x) {minValue=0, maxValue=6}", "Clip"},
                                                       {"averagePool2d(%x)", "GlobalAveragePool"},
                                                       {"linear(%x) {alpha=2}", "Mul"},
                                                       {"softmax(%x) {axis=1}", "Softmax"}};
  for (const auto& [call, op_type] : expected) {
    CAPTURE(call);
    CHECK(operator_of(call) == op_type);
  }
}

TEST_CASE("onnx: a convolution with channels last gets transposes around it and its filter's are done here") {
  const auto model =
      read_back(graph_of("%x = input float32[1, 5, 5, 2]\n%w = constant float32[3, 1, 1, 2] {1, 2, 3, 4, 5, 6}\n"
                         "%y = conv2d(%x, %w) {padding=[1, 2, 3, 4], inputLayout=\"nhwc\", filterLayout=\"ohwi\"}\n"
                         "output \"y\" = %y\n"));
  CHECK(nodes_text(model.graph()) ==
        "y.Transpose = Transpose(x) perm=0,3,1,2,\n"
        "y.Conv = Conv(y.Transpose, w.transposed) strides=1,1, pads=1,3,2,4, dilations=1,1, group=1\n"
        "y = Transpose(y.Conv) perm=0,2,3,1,\n");
  CHECK(model.graph().initializer_size() == 1);  // the filter in its old form is not there
}

TEST_CASE("onnx: gates of recurrent weights are brought into order and biases joined") {
  const auto model = read_back(
      graph_of("%x = input float32[1, 1, 1]\n%w = constant float32[1, 4, 1] {1, 2, 3, 4}\n"
               "%b = constant float32[1, 4] {5, 6, 7, 8}\n"
               "%h, %c = lstm(%x, %w, %w, bias=%b) {steps=1, hiddenSize=1, layout=\"ifgo\"}\noutput \"h\" = %h\n"));
  REQUIRE(model.graph().node_size() == 1);
  const auto& node = model.graph().node(0);
  CHECK(node.op_type() == "LSTM");
  REQUIRE(node.output_size() == 2);  // the cell state, which nobody needs, is left out
  CHECK(node.output(0).empty());
  CHECK(node.output(1) == "h");
  CHECK(floats_of(initializer(model, node.input(1))) == std::vector<float>{1, 4, 2, 3});  // i o f g
  CHECK(floats_of(initializer(model, node.input(3))) == std::vector<float>{5, 8, 6, 7, 0, 0, 0, 0});
}

TEST_CASE("onnx: equal constants that the exporter makes are made once") {
  const auto model = read_back(
      graph_of("%x = input float32[1, 1, 1]\n%w = constant float32[1, 4, 1] {1, 2, 3, 4}\n"
               "%b = constant float32[1, 4] {5, 6, 7, 8}\n"
               "%h, %c = lstm(%x, %w, %w, bias=%b, recurrentBias=%b) {steps=1, hiddenSize=1, layout=\"ifgo\"}\n"
               "%i, %d = lstm(%x, %w, %w, bias=%b, recurrentBias=%b) {steps=1, hiddenSize=1, layout=\"ifgo\"}\n"
               "%y = add(%h, %i)\noutput \"y\" = %y\n"));
  CHECK(model.graph().initializer_size() == 2);  // the weight and both biases side by side
  CHECK(floats_of(initializer(model, model.graph().node(0).input(3))) == std::vector<float>{5, 8, 6, 7, 5, 8, 6, 7});
}

TEST_CASE("onnx: logical values stay booleans between operators") {
  CHECK(nodes_text("%a = input float32[2]\n%b = input float32[2]\n%less = lesser(%a, %b)\n%nan = isNaN(%a)\n"
                   "%both = logicalAnd(%less, %nan)\n%y = where(%both, %a, %b)\noutput \"y\" = %y\n") ==
        "less.boolean = Less(a, b)\nnan.boolean = IsNaN(a)\nboth.boolean = And(less.boolean, nan.boolean)\n"
        "y = Where(both.boolean, a, b)\n");
}

TEST_CASE("onnx: scales are scalars, one for each slice of an axis, or in blocks") {
  const auto quantized = [](const std::string& scale, const std::string& zeros) {
    const auto model =
        read_back(graph_of("%x = input float32[2, 4]\n%s = constant float32" + scale + "\n%z = constant int8" + zeros +
                           "\n%y = quantizeLinear(%x, %s, %z)\noutput \"y\" = %y\n"));
    const auto& node = model.graph().node(0);
    std::string text = std::to_string(model.opset_import(0).version()) + ":";
    for (const auto& attribute : node.attribute()) text += " " + text_of(attribute);
    for (const auto size : initializer(model, node.input(1)).dims()) text += " [" + std::to_string(size) + "]";
    return text;
  };
  CHECK(quantized("[1, 1] {0.5}", "[1, 1] {0}") == "20:");
  CHECK(quantized("[1, 4] {1, 2, 3, 4}", "[1, 4] {0, 0, 0, 0}") == "20: axis=1 [4]");
  CHECK(quantized("[2, 2] {1, 2, 3, 4}", "[2, 2] {0, 0, 0, 0}") == "21: axis=1 block_size=2 [2] [2]");
}

TEST_CASE("onnx: outputs that are inputs, constants or given twice are copies") {
  CHECK(nodes_text("%x = input float32[2]\n%k = constant float32[2] {1, 2}\n%r = relu(%x)\n"
                   "output \"a\" = %r\noutput \"b\" = %r\noutput \"c\" = %x\noutput \"d\" = %k\n") ==
        "a = Relu(x)\nb = Identity(a)\nc = Identity(x)\nd = Identity(k)\n");
}

TEST_CASE("onnx: a call's last node has its label, and no other node has the same") {
  std::string names;
  const auto model =
      read_back(graph_of("%x = input float32[1, 5, 5, 2]\n%p = averagePool2d(%x) {layout=\"nhwc\"} label \"act\"\n"
                         "%r = relu(%p) label \"act\"\n%s = relu(%r) label \"act\"\n"
                         "output \"y\" = %s\noutput \"act\" = %s\n"));
  for (const auto& node : model.graph().node()) names += node.name() + " ";
  CHECK(names == "act.Transpose_1 act.GlobalAveragePool act.Transpose act.Relu_1 act.Relu act ");
}

TEST_CASE("onnx: strides count where there is room for one window only") {
  const auto attributes_of = [](const std::string& call, const std::string& strides) {
    const auto model = read_back(graph_of(
        "%x = input float32[1, 1, 4, 4]\n%w = constant float32[1, 1, 3, 3] {1, 2, 3, 4, 5, 6, 7, 8, 9}\n%y = " + call +
        "strides=" + strides + "}\noutput \"y\" = %y\n"));
    std::string text;
    for (const auto& attribute : model.graph().node(0).attribute()) text += text_of(attribute) + " ";
    return text;
  };
  const std::string pool = "maxPool2d(%x) {windowDimensions=[3, 3], ", convolution = "conv2d(%x, %w) {";
  CHECK(attributes_of(pool, "[3, 2]") == "kernel_shape=3,3, strides=3,2, pads=0,0,0,0, ");
  CHECK(attributes_of(convolution, "[2, 2]") == "strides=2,2, pads=0,0,0,0, dilations=1,1, group=1 ");
  CHECK(attributes_of(pool, "[4294967295, 1]") == "kernel_shape=3,3, strides=2147483647,1, pads=0,0,0,0, ");
}

TEST_CASE("onnx: padding of a pooling that is as large as its window is an operator of its own") {
  const auto pooled = [](const std::string& op, const std::string& type, const std::string& options) {
    return "%x = input " + type + "[1, 1, 6, 6]\n%y = " + op + "(%x) {windowDimensions=[2, 2], " + options +
           "}\noutput \"y\" = %y\n";
  };
  // One row of padding in front: the last window begins behind the input.
  const std::string rounded_up = "strides=[3, 3], padding=[1, 0, 0, 0], outputShapeRounding=\"ceil\"";
  const auto padding_of = [&](const std::string& op, const std::string& type) {
    const auto model = read_back(graph_of(pooled(op, type, rounded_up)));
    REQUIRE(model.graph().node_size() == 2);
    CHECK(nodes_text(model.graph()).starts_with("y.Pad = Pad(x, y.pads, y.padding, y.axes)\n"));
    CHECK(text_of(model.graph().node(1).attribute(model.graph().node(1).attribute_size() - 1)) == "pads=0,0,0,0,");
    return initializer(model, "y.padding").raw_data();
  };
  const float lowest = -std::numeric_limits<float>::infinity(), zero = 0;
  CHECK(padding_of("maxPool2d", "float32") == std::string(reinterpret_cast<const char*>(&lowest), sizeof(lowest)));
  CHECK(padding_of("maxPool2d", "int8") == "\x80");
  CHECK(padding_of("maxPool2d", "uint8") == std::string(1, '\0'));
  CHECK(padding_of("l2Pool2d", "float32") == std::string(reinterpret_cast<const char*>(&zero), sizeof(zero)));
  CHECK(refusal(pooled("averagePool2d", "float32", rounded_up)) ==
        "ONNX cannot express averagePool2d 'y': its padding is as large as its window");
  CHECK(read_back(graph_of(pooled("maxPool2d", "float32", "padding=[1, 1, 1, 1]"))).graph().node_size() == 1);
}

TEST_CASE("onnx: what ONNX cannot express is refused with operator and node") {
  CHECK(refusal("%x = input int8[2]\n%s = input int8[2]\n%y = prelu(%x, %s)\noutput \"y\" = %y\n") ==
        "ONNX cannot express prelu 'y': PRelu does not take int8");
  CHECK(refusal("%x = input float32[1, 1, 1]\n%w = constant float32[1, 4, 1] {1, 2, 3, 4}\n"
                "%p = constant float32[1, 3] {1, 2, 3}\n%h, %c = lstm(%x, %w, %w, peepholeWeight=%p) {steps=1, "
                "hiddenSize=1}\n"
                "output \"h\" = %h\n")
            .starts_with("ONNX cannot express lstm 'h': peepholes"));
  compiler::Graph open = graph_of("%x = input float32[4]\n%y = relu(%x)\noutput \"y\" = %y\n");
  open.add_named_dimension({open.inputs()[0], 0, "batch"});
  CHECK_THROWS_WITH_AS(compiler::export_onnx(open), "the dimension 'batch' of the input 'x' has no size", Error);
}

TEST_CASE("onnx: large constants lie at aligned places of a file of their own when asked for") {
  std::vector<std::byte> bytes(5000 * sizeof(float));
  bytes[1] = std::byte{7};
  compiler::Graph graph;
  const auto w = graph.add_constant("w", {DataType::float32, {5000}}, Bytes(bytes));
  const auto v = graph.add_constant("v", {DataType::float32, {5000}}, Bytes(bytes));
  graph.add_output("y", graph.node(graph.add_node("add"_op, {w, v}, {}, {})).outputs[0]);
  const compiler::OnnxModel model = compiler::export_onnx(graph);
  const auto proto = read_back(graph, "m.data");
  std::string data;
  compiler::write_onnx_data(model, [&](std::string_view piece) { data += piece; });
  REQUIRE(proto.graph().initializer_size() == 2);
  for (const auto& tensor : proto.graph().initializer()) {
    CHECK(tensor.data_location() == ::onnx::TensorProto::EXTERNAL);
    std::map<std::string, std::string> entries;
    for (const auto& entry : tensor.external_data()) entries[entry.key()] = entry.value();
    CHECK(entries["location"] == "m.data");
    CHECK(std::stoul(entries["offset"]) % 4096 == 0);
    CHECK(std::stoul(entries["length"]) == bytes.size());
    CHECK(data.substr(std::stoul(entries["offset"]), bytes.size()) ==
          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
}

}  // namespace webnn::tests::onnx_export_test
