// Windows whose padding, strides or dilations lie far outside the input: the positions do not fit in 32 bits.
#include <doctest/doctest.h>

#include "tests/cli/command_line.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::windows_test {
namespace {

struct Attack {
  const char* name;
  const char* inputs;
  const char* node;
};

constexpr Attack attacks[] = {
    {"a pool that copied memory of the process", R"("x":{"dataType":"float32","shape":[1,1,1,6]})",
     R"({"id":"y","op":"maxPool2d","inputs":["x"],"options":{"windowDimensions":[1,2],
         "padding":[0,0,20000,2147482640],"dilations":[1,2147483646]}})"},
    {"a pool whose taps overflow", R"("x":{"dataType":"float32","shape":[1,1,15,6]})",
     R"({"id":"y","op":"maxPool2d","inputs":["x"],"options":{"windowDimensions":[1,2],
         "padding":[0,0,1073741823,1073741824],"dilations":[1,2147483646]}})"},
    {"a strided pool of float16", R"("x":{"dataType":"float16","shape":[2,1,15,6]})",
     R"({"id":"y","op":"maxPool2d","inputs":["x"],"options":{"windowDimensions":[1,2],
         "padding":[0,7,854532155,1292951499],"strides":[4,4],"dilations":[4,2147483646]}})"},
    {"a convolution that crashed",
     R"("x":{"dataType":"float32","shape":[1,16,4,4]},"w":{"dataType":"float32","shape":[16,16,2,2]})",
     R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":[1073741824,1073741824,0,0],
         "dilations":[2147483647,1]}})"},
    {"a convolution that walked over padding",
     R"("x":{"dataType":"float32","shape":[1,64,17,13]},"w":{"dataType":"float32","shape":[32,64,3,3]})",
     R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":[675,340,0,305072974],"strides":[2,1],
         "dilations":[514,152536490]}})"},
    {"a dilation above 2^31",
     R"("x":{"dataType":"float32","shape":[1,4,4,4]},"w":{"dataType":"float32","shape":[4,4,2,2]})",
     R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":[0,4294967295,0,0],
         "dilations":[4294967295,1]}})"},
    {"a depthwise convolution",
     R"("x":{"dataType":"float32","shape":[1,4,4,4]},"w":{"dataType":"float32","shape":[4,1,3,3]})",
     R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"groups":4,"padding":[2147483648,2147483647,1,1],
         "dilations":[2147483647,1],"strides":[4294967295,1]}})"},
    {"a transposed convolution",
     R"("x":{"dataType":"float32","shape":[1,4,2,2]},"w":{"dataType":"float32","shape":[4,4,2,2]})",
     R"({"id":"y","op":"convTranspose2d","inputs":["x","w"],"options":{"padding":[1073741824,1073741824,0,0],
         "dilations":[2147483647,1],"strides":[4,1]}})"},
};

std::string graph_of(const Attack& attack) {
  return std::string(R"({"format":"webnn-graph-json","version":2,"inputs":{)") + attack.inputs + R"(},"nodes":[)" +
         attack.node + R"(],"outputs":{"y":"y"}})";
}

/// The quantised forms, as the compiler makes them of float convolutions between conversions.
std::string quantized_graph(const char* groups, const char* filter, const char* options) {
  return std::string(R"({"format":"webnn-graph-json","version":2,"inputs":{"x":{"dataType":"int8","shape":[1,16,4,4]}},
    "consts":{"s":{"dataType":"float32","shape":[1,1,1,1],"init":{"kind":"scalar","value":0.5}},
      "z":{"dataType":"int8","shape":[1,1,1,1],"init":{"kind":"scalar","value":1}},
      "w":{"dataType":"int8","shape":)") +
         filter + R"(,"init":{"kind":"scalar","value":3}}},
    "nodes":[{"id":"fx","op":"dequantizeLinear","inputs":["x","s","z"]},
      {"id":"fw","op":"dequantizeLinear","inputs":["w","s","z"]},
      {"id":"c","op":"conv2d","inputs":["fx","fw"],"options":{"groups":)" +
         groups + "," + options + R"(}},
      {"id":"y","op":"quantizeLinear","inputs":["c","s","z"]}],"outputs":{"y":"y"}})";
}

void agrees(const std::string& name, const std::string& text, const std::filesystem::path& folder,
            const std::string& device = "cpu") {
  CAPTURE(name);
  const std::filesystem::path graph = folder / "graph.json";
  write_file(graph, text);
  const CommandResult compared =
      webnn_cli({"compare", graph.string(), "--devices", "cpu:reference," + device, "--fill", "random(seed=1)"});
  CAPTURE(compared.out);
  CAPTURE(compared.err);
  CHECK(compared.code == 0);
}

}  // namespace

TEST_CASE("security: windows far outside of their input give the reference's results") {
  const ScratchFolder scratch;
  for (const Attack& attack : attacks) agrees(attack.name, graph_of(attack), scratch.path());
  agrees("a quantised convolution",
         quantized_graph("1", "[16,16,2,2]", R"("padding":[1073741824,1073741824,0,0],"dilations":[2147483647,1])"),
         scratch.path());
  agrees("a quantised depthwise convolution",
         quantized_graph("16", "[16,1,3,3]", R"("padding":[2147483648,2147483647,1,1],"dilations":[2147483647,1])"),
         scratch.path());
}

TEST_CASE("security: windows far outside of their input give the reference's results on a GPU") {
  if (!open_test_gpu()) return;
  const ScratchFolder scratch;
  for (const Attack& attack : attacks) agrees(attack.name, graph_of(attack), scratch.path(), "gpu");
}

}  // namespace webnn::tests::windows_test
