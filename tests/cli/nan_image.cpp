// An image of NaN through a network: no class is found, whichever kernels compute it.
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <vector>

#include "api/kernels.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"

namespace webnn::tests::nan_image_test {

TEST_CASE("cli: of an image of NaN every network makes NaN, whichever kernels compute it") {
  const ScratchFolder scratch;
  const std::string image = (scratch.path() / "nan.bin").string(), graph = (scratch.path() / "network.webnn").string();
  const std::vector<float> pixels(std::size_t(3 * 64 * 64), std::numeric_limits<float>::quiet_NaN());
  std::ofstream(image, std::ios::binary)
      .write(reinterpret_cast<const char*>(pixels.data()), std::streamsize(pixels.size() * sizeof(float)));
  std::ofstream(graph) << R"(webnn_graph "network" v1 {
  inputs { x: f32[1, 3, 64, 64]; }
  consts { a: f32[16, 3, 7, 7] @scalar(0.01); b: f32[32, 16, 3, 3] @scalar(0.02); c: f32[2048, 64] @scalar(0.03); }
  nodes {
    x1 = conv2d(x, a, strides=[2, 2], padding=[3, 3, 3, 3]);
    x2 = relu(x1);
    x3 = maxPool2d(x2, windowDimensions=[2, 2], strides=[2, 2]);
    x4 = conv2d(x3, b, strides=[2, 2], padding=[1, 1, 1, 1]);
    x5 = clamp(x4, minValue=0, maxValue=6);
    x6 = reshape(x5, newShape=[1, 2048]);
    x7 = matmul(x6, c);
    y = relu(x7);
  }
  outputs { y; }
}
)";
  std::vector<std::vector<std::string>> ways{
      {}, {"-O0"}, {"-O1"}, {"--threads", "1"}, {"--threads", "3"}, {"--isa", "baseline"}};
  for (const std::string_view provider : api::cpu_providers()) ways.push_back({"--kernels", std::string(provider)});
  for (const std::vector<std::string>& options : ways) {
    std::vector<std::string> arguments{"run", graph, "--no-cache", "--input", "x=1x3x64x64:float32=@" + image};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = webnn_cli(arguments);
    CAPTURE(arguments.back());
    CAPTURE(result.out);
    CAPTURE(result.err);
    CHECK(result.code == 0);
    CHECK(contains(result.out, "NaN 64"));
  }
}

}  // namespace webnn::tests::nan_image_test
