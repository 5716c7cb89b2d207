// Commands on ONNX files: sizes of dimensions, inputs that become constants, the table of operators, weights in a file
// of their own, the cache.
#include <doctest/doctest.h>
#include <fstream>
#include <onnx/onnx_pb.h>
#include <string>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::onnx_commands_test {
namespace {

namespace fs = std::filesystem;
using ::onnx::TensorProto;

void add_value(::onnx::ValueInfoProto& value, const std::string& name, int type, const std::vector<std::string>& dims) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  for (const std::string& dim : dims) {
    auto& size = *tensor.mutable_shape()->add_dim();
    if (std::isdigit(static_cast<unsigned char>(dim[0])))
      size.set_dim_value(std::stoi(dim));
    else
      size.set_dim_param(dim);
  }
}

::onnx::NodeProto& add_node(::onnx::GraphProto& graph, const std::string& op, const std::vector<std::string>& inputs,
                            const std::string& output) {
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

/// y = x with its axes in one, whose size the model computes; z = x in the shape of the input `shape`.
::onnx::ModelProto shapes_model(bool with_shape_input) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  ::onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("shapes");
  add_value(*graph.add_input(), "x", TensorProto::FLOAT, {"batch", "3"});
  add_node(graph, "Size", {"x"}, "size");
  TensorProto& axis = *graph.add_initializer();
  axis.set_name("axis");
  axis.set_data_type(TensorProto::INT64);
  axis.add_dims(1);
  axis.add_int64_data(0);
  add_node(graph, "Unsqueeze", {"size", "axis"}, "length");
  add_node(graph, "Reshape", {"x", "length"}, "y");
  add_value(*graph.add_output(), "y", TensorProto::FLOAT, {"n"});
  if (with_shape_input) {
    add_value(*graph.add_input(), "shape", TensorProto::INT64, {"2"});
    add_node(graph, "Reshape", {"x", "shape"}, "z");
    add_value(*graph.add_output(), "z", TensorProto::FLOAT, {"a", "b"});
  }
  return model;
}

std::string written(const ::onnx::ModelProto& model, const fs::path& file) {
  std::ofstream stream(file, std::ios::binary);
  REQUIRE(model.SerializeToOstream(&stream));
  return file.string();
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("onnx commands: a dimension without a size is named, and --dim gives it one") {
  const ScratchFolder folder;
  const std::string file = written(shapes_model(false), folder.path() / "m.onnx");
  const CommandResult refused = webnn_cli({"run", file, "--fill", "ones"});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "the dimension 'batch' has no size"));
  CHECK(has(refused.err, "`--dim 'batch=4'`"));
  CHECK(has(refused.err, "cannot be read with these sizes of its dimensions: 1 error"));
  CHECK(webnn_cli({"run", file, "--fill", "ones", "--dim", "batch=2", "--dim", "time=2"}).code == 2);
  for (const std::string command : {"run", "profile"})
    CHECK(webnn_cli({command, file, "--fill", "ones", "--dim", "batch=2"}).code == 0);
  CHECK(has(webnn_cli({"run", file, "--fill", "ones", "--dim", "batch=2"}).out, "y: float32[6]"));
  CHECK(has(webnn_cli({"inspect", file, "--dim", "batch=5"}).out, "y: float32[15]"));
  CHECK(webnn_cli({"validate", file, "--dim", "batch=5"}).code == 0);
  const CommandResult bench = webnn_cli({"bench", file, "--dim", "batch=1,4", "--time", "1ms", "--warm-up", "1ms"});
  CHECK_MESSAGE(bench.code == 0, bench.err);
  const CommandResult other = webnn_cli({"run", file, "--fill", "ones", "--dim", "bach=2"});
  CHECK(other.code == 2);
  CHECK(has(other.err, "no dimension has the name 'bach'"));
}

TEST_CASE("onnx commands: the cache tells sizes apart") {
  const ScratchFolder folder;
  const std::string file = written(shapes_model(false), folder.path() / "m.onnx");
  for (int round = 0; round < 2; ++round)
    for (const std::string size : {"2", "3"})
      CHECK(has(webnn_cli({"run", file, "--fill", "ones", "--dim", "batch=" + size}).out,
                "y: float32[" + std::to_string(3 * std::stoi(size)) + "]"));
}

TEST_CASE("onnx commands: --constant-input makes an input that decides a shape a constant") {
  const ScratchFolder folder;
  const std::string file = written(shapes_model(true), folder.path() / "m.onnx");
  const CommandResult refused = webnn_cli({"run", file, "--dim", "batch=2", "--fill", "ones"});
  CHECK(refused.code == 3);
  CHECK(has(refused.err, "--constant-input"));
  const auto run = [&](const std::string& shape) {
    return webnn_cli({"run", file, "--dim", "batch=2", "--fill", "ones", "--constant-input", "shape=" + shape});
  };
  CHECK(has(run("[3, 2]").out, "z: float32[3, 2]"));
  CHECK(has(run("[6, 1]").out, "z: float32[6, 1]"));
  CHECK(run("[4, 1]").code == 3);
  CHECK(has(webnn_cli({"run", file, "--dim", "batch=2", "--constant-input", "form=[1]"}).err,
            "no input has the name 'form'"));
}

TEST_CASE("onnx commands: validate --operators counts operators and says what became of each") {
  const ScratchFolder folder;
  const std::string file = written(shapes_model(true), folder.path() / "m.onnx");
  const CommandResult result = webnn_cli({"validate", file, "--operators", "--dim", "batch=2"});
  CHECK(result.code == 3);
  CHECK(has(result.out, "  Reshape        2  1 refused: its shape must be known"));
  CHECK(has(result.out, "  Size           1  ok"));
}

TEST_CASE(
    "onnx commands: the digits model of the repository is what convert writes, with weights inside or beside it") {
  const fs::path graph = source_dir() / "models/digits/digits.json";
  const ScratchFolder folder;
  const fs::path inside = folder.path() / "digits.onnx", beside = folder.path() / "beside.onnx";
  REQUIRE(webnn_cli({"convert", graph.string(), "-o", inside.string()}).code == 0);
  CHECK(read_file(inside) == read_file(source_dir() / "models/onnx/digits.onnx"));
  REQUIRE(webnn_cli({"convert", graph.string(), "-o", beside.string(), "--weights", "external"}).code == 0);
  for (const fs::path& file : {inside, beside}) {
    const std::string image = "image=@" + (source_dir() / "models/digits/digits.input.image.npy").string();
    const CommandResult compared = webnn_cli({"compare", graph.string(), file.string(), "--input", image});
    CHECK_MESSAGE(compared.code == 0, compared.out << compared.err);
  }
  // Other weights in the file beside it are another model for the cache.
  const std::string image = "image=@" + (source_dir() / "models/digits/digits.input.image.npy").string();
  const std::string before = webnn_cli({"run", beside.string(), "--input", image}).out;
  std::string data = read_file(folder.path() / "beside.onnx.data");
  std::fill(data.begin(), data.end(), '\0');
  write_file(folder.path() / "beside.onnx.data", data);
  CHECK(webnn_cli({"run", beside.string(), "--input", image}).out != before);
}

TEST_CASE("onnx commands: external data lie in the folder of --base-dir, and no weights file is read") {
  const ScratchFolder folder;
  const std::string graph = (source_dir() / "models/digits/digits.json").string();
  const std::string file = (folder.path() / "m.onnx").string(), data = (folder.path() / "m.onnx.data").string();
  REQUIRE(webnn_cli({"convert", graph, "-o", file, "--weights", "external"}).code == 0);
  const std::string elsewhere = (folder.path() / "elsewhere").string();
  fs::create_directory(elsewhere);
  fs::rename(data, elsewhere + "/m.onnx.data");
  const CommandResult absent = webnn_cli({"run", file, "--fill", "ones"});
  CHECK(absent.code == 3);
  CHECK(has(absent.err, "no file 'm.onnx.data' beside the model, or in the folder that `--base-dir` names"));
  CHECK(webnn_cli({"run", file, "--fill", "ones", "--base-dir", elsewhere}).code == 0);
  const CommandResult named = webnn_cli({"run", file, "--fill", "ones", "--base-dir", elsewhere, "--weights-file",
                                         elsewhere + "/m.onnx.data"});  // although its program is in the cache
  CHECK(named.code == 2);
  CHECK(has(named.err, "m.onnx' names the files of its weights itself"));
  CHECK(has(named.err, "hint: `--base-dir` is their folder"));
}

TEST_CASE("onnx commands: real models as ONNX files give the outputs that other runtimes gave") {
  WEBNN_REQUIRE_CORPUS(corpus);
  for (const std::string model : {"selfie-segmenter", "ultraface-320"}) {
    const ScratchFolder folder;
    fs::copy_file(corpus / "models/onnx" / (model + ".onnx"), folder.path() / (model + ".onnx"));
    for (const auto& file : fs::directory_iterator(corpus / "models" / model))
      if (file.path().extension() == ".npy") fs::copy_file(file.path(), folder.path() / file.path().filename());
    const CommandResult result = webnn_cli({"test", folder.path().string()});
    CHECK_MESSAGE(has(result.out, "1 passed, 0 failed"), result.out);
  }
}

TEST_CASE("onnx commands: a photo through SqueezeNet as an ONNX file is a goldfish") {
  WEBNN_REQUIRE_CORPUS(corpus);
  const ScratchFolder folder;
  const fs::path model = corpus / "models/squeezenet1.1";
  const std::string file = (folder.path() / "squeezenet.onnx").string();
  REQUIRE(webnn_cli({"convert", (model / "squeezenet1.1.json").string(), "-o", file}).code == 0);
  const CommandResult result = webnn_cli({"run", file, "--image", "data_0=@" + (model / "goldfish.jpg").string(),
                                          "--top", "1", "--labels", (model / "imagenet-labels.txt").string()});
  CHECK_MESSAGE(has(result.out, "goldfish"), result.out << result.err);
}

}  // namespace webnn::tests::onnx_commands_test
