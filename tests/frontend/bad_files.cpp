// Broken inputs as a user meets them: each bad-NAME.* beside this file is given to webnn-cli, which must refuse it with
// exit code 3 or 7, or 2 when only sizes of dimensions are missing; bad-NAME.txt holds what it says. Inputs that a
// checkout cannot hold (links, pipes, sparse and very deep files) are made at run time.
//
//   bad-NAME.json, bad-NAME.webnn   a graph file
//   bad-NAME/                       model.json or model.webnn with its weights
//   bad-NAME.safetensors            the weights of a graph with one constant
//   bad-NAME.npy                    the input of a graph that takes float32[2]
#include <algorithm>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <sys/stat.h>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/harness/golden.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::bad_files_test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const fs::path folder = "tests/frontend";

constexpr const char* constant_graph = R"({"format": "webnn-graph-json", "version": 2, "inputs": {},
 "consts": {"w": {"dataType": "float32", "shape": [2], "init": {"kind": "weights", "ref": "w"}}},
 "nodes": [{"id": "y", "op": "relu", "inputs": ["w"]}], "outputs": {"y": "y"}}
)";
constexpr const char* input_graph = R"({"format": "webnn-graph-json", "version": 2,
 "inputs": {"x": {"dataType": "float32", "shape": [2]}},
 "nodes": [{"id": "y", "op": "relu", "inputs": ["x"]}], "outputs": {"y": "y"}}
)";

/// The command line for an input; `scratch` is for what lies beside it.
Arguments command_for(const fs::path& input, const fs::path& scratch) {
  const std::string form = input.extension().string();
  if (fs::is_directory(input)) {
    const fs::path text = input / "model.webnn";
    return {"validate", fs::exists(text) ? text.string() : (input / "model.json").string()};
  }
  if (form == ".safetensors") {
    write_file(scratch / "model.json", constant_graph);
    fs::copy_file(input, scratch / "model.safetensors");
    return {"validate", (scratch / "model.json").string()};
  }
  if (form == ".npy") {
    write_file(scratch / "model.json", input_graph);
    return {"run", (scratch / "model.json").string(), "--input", "x=@" + input.string()};
  }
  return {"validate", input.string()};
}

/// What the program says, with folders' names left out.
std::string answer_to(const Arguments& arguments, const fs::path& scratch) {
  const CommandResult result = webnn_cli(arguments);
  std::string text = result.err + result.out + "exit code " + std::to_string(result.code) + "\n";
  for (const fs::path& prefix : {source_dir() / folder, scratch})
    for (const std::string& name : {prefix.string() + "/", prefix.string()})
      for (auto at = text.find(name); at != text.npos; at = text.find(name))
        text.replace(at, name.size(), name.back() == '/' ? "" : ".");
  CHECK((result.code == 2 || result.code == 3 || result.code == 7));
  return text;
}

void check_refused(const std::string& name, const Arguments& arguments, const fs::path& scratch) {
  CAPTURE(name);
  check_golden(folder / (name + ".txt"), answer_to(arguments, scratch));
}

std::string repeated(std::string_view piece, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += piece;
  return text;
}

std::string graph_of(const std::string& nodes) {
  return R"({"format": "webnn-graph-json", "version": 2, "inputs": {"x": {"dataType": "float32", "shape": [1000]}},
 "nodes": [)" +
         nodes + R"(], "outputs": {"y": "y"}})";
}

const std::string manifest = R"({"format": "wg-weights-manifest", "version": 1, "tensors": {
 "w": {"dataType": "float32", "shape": [2], "byteOffset": 0, "byteLength": 8}}})";

/// A safetensors file that says that its header has `length` bytes.
std::string safetensors_header(std::uint64_t length, const std::string& header) {
  std::string text;
  for (unsigned i = 0; i < 8; ++i) text += char(length >> (8 * i) & 255);
  return text + header;
}

/// An input that is made in an empty folder.
struct Made {
  const char* name;
  std::function<Arguments(const fs::path& at)> make;
};

Arguments validate_content(const fs::path& at, const char* name, const std::string& content) {
  write_file(at / name, content);
  return {"validate", (at / name).string()};
}

/// A graph with one constant, whose weights `put` puts beside it.
std::function<Arguments(const fs::path&)> with_weights(const std::function<void(const fs::path& at)>& put) {
  return [put](const fs::path& at) {
    write_file(at / "model" / "model.json", constant_graph);
    put(at);
    return Arguments{"validate", (at / "model" / "model.json").string()};
  };
}

const Made made[] = {
    {"bad-deep-arrays",
     [](const fs::path& at) { return validate_content(at, "model.json", graph_of(repeated("[", 10000))); }},
    {"bad-deep-objects",
     [](const fs::path& at) {
       return validate_content(at, "model.json", graph_of(repeated("{\"a\":", 10000) + "1" + repeated("}", 10000)));
     }},
    {"bad-deep-text",
     [](const fs::path& at) {
       return validate_content(at, "model.webnn",
                               "webnn_graph \"deep\" v2 {\n  inputs { x: f32[2]; }\n  nodes {\n    y = relu(x, " +
                                   repeated("[", 10000) + repeated("]", 10000) + ");\n  }\n  outputs { y; }\n}\n");
     }},
    {"bad-deep-blocks",
     [](const fs::path& at) {
       return validate_content(at, "model.webnn", "webnn_graph \"deep\" v2 {\n  nodes { " + repeated("{", 10000));
     }},
    {"bad-deep-header", with_weights([](const fs::path& at) {
       const std::string header = "{\"w\":" + repeated("[", 10000) + repeated("]", 10000) + "}";
       write_file(at / "model" / "model.safetensors", safetensors_header(header.size(), header));
     })},
    {"bad-long-header", with_weights([](const fs::path& at) {
       const fs::path file = at / "model" / "model.safetensors";
       write_file(file, safetensors_header((16u << 20) + 1, "{"));
       fs::resize_file(file, (17u << 20));  // sparse
     })},
    {"bad-long-npy-header",
     [](const fs::path& at) {
       write_file(at / "model.json", input_graph);
       std::string content("\x93NUMPY\x02\x00", 8);
       content += std::string("\x01\x00\x01\x00", 4) + "{'shape': (2,)," + std::string(65536, ' ');
       write_file(at / "x.npy", content);
       return Arguments{"run", (at / "model.json").string(), "--input", "x=@" + (at / "x.npy").string()};
     }},
    {"bad-link-out", with_weights([](const fs::path& at) {
       write_file(at / "secret.weights", "12345678");
       write_file(at / "model" / "model.manifest.json", manifest);
       fs::create_symlink("../secret.weights", at / "model" / "model.weights");
     })},
    {"bad-link-absolute",
     with_weights([](const fs::path& at) { fs::create_symlink("/etc/passwd", at / "model" / "model.safetensors"); })},
    {"bad-link-loop",
     with_weights([](const fs::path& at) { fs::create_symlink("model.weights", at / "model" / "model.weights"); })},
    {"bad-link-manifest", with_weights([](const fs::path& at) {
       write_file(at / "secret.json", manifest);
       write_file(at / "model" / "model.weights", "12345678");
       fs::create_symlink("../secret.json", at / "model" / "model.manifest.json");
     })},
    {"bad-hard-link", with_weights([](const fs::path& at) {
       write_file(at / "secret.weights", "12345678");
       write_file(at / "model" / "model.manifest.json", manifest);
       fs::create_hard_link(at / "secret.weights", at / "model" / "model.weights");
     })},
    {"bad-weights-folder",
     with_weights([](const fs::path& at) { fs::create_directory(at / "model" / "model.safetensors"); })},
    {"bad-weights-pipe",
     with_weights([](const fs::path& at) { REQUIRE(mkfifo((at / "model" / "model.weights").c_str(), 0600) == 0); })},
    {"bad-weights-alone",
     with_weights([](const fs::path& at) { write_file(at / "model" / "model.weights", "12345678"); })},
    {"bad-weights-absent", with_weights([](const fs::path&) {})},
    {"bad-many-nodes",
     [](const fs::path& at) {
       Arguments command = validate_content(
           at, "model.json", graph_of(repeated("{\"id\": \"n\", \"op\": \"relu\", \"inputs\": [\"x\"]}, ", 100) + "5"));
       command.insert(command.end(), {"--max-nodes", "100"});
       return command;
     }},
    {"bad-many-mistakes",
     [](const fs::path& at) { return validate_content(at, "model.json", graph_of(repeated("5, ", 2000) + "6")); }},
    {"bad-large-file",
     [](const fs::path& at) {
       Arguments command = validate_content(at, "model.json", graph_of(repeated(" ", 2000)));
       command.insert(command.end(), {"--max-model-size", "1KB"});
       return command;
     }},
    {"bad-large-tensor",
     [](const fs::path& at) {
       Arguments command =
           validate_content(at, "model.json", graph_of(R"({"id": "y", "op": "relu", "inputs": ["x"]})"));
       command.insert(command.end(), {"--max-tensor-bytes", "1KB"});
       return command;
     }},
};

}  // namespace

TEST_CASE("bad files: every one is refused, with place, reason and hint") {
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(source_dir() / folder))
    if (const fs::path& path = entry.path(); path.filename().string().starts_with("bad-") && path.extension() != ".txt")
      inputs.push_back(path);
  std::sort(inputs.begin(), inputs.end());
  CHECK(inputs.size() >= 40);
  for (const fs::path& input : inputs) {
    const ScratchFolder scratch;
    check_refused(input.stem().string(), command_for(input, scratch.path()), scratch.path());
  }
}

TEST_CASE("bad files: links, pipes, deep nesting and limits, made at run time") {
  for (const Made& row : made) {
    const ScratchFolder scratch;
    check_refused(row.name, row.make(scratch.path()), scratch.path());
  }
}

}  // namespace webnn::tests::bad_files_test
