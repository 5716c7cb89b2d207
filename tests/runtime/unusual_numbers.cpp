// Whole graphs with numbers that few networks have, in places where kernels and rewrites take shortcuts: whatever computes
// them, they are what the reference kernels say.
#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/command_line.hpp"
#include "tests/harness/paths.hpp"
#include "tests/harness/providers.hpp"
#include "tests/harness/skip.hpp"

namespace webnn::tests::unusual_numbers_test {
namespace {

std::string constant(const std::string& name, const std::string& type, const std::string& shape,
                     const std::string& value) {
  return "\"" + name + R"(":{"dataType":")" + type + R"(","shape":)" + shape + R"(,"init":{"kind":"scalar","value":)" +
         value + "}}";
}

std::string graph(const std::string& inputs, const std::string& constants, const std::string& nodes) {
  return R"({"format":"webnn-graph-json","version":2,"inputs":{)" + inputs + R"(},"consts":{)" + constants +
         R"(},"nodes":[)" + nodes + R"(],"outputs":{"y":"y"}})";
}

constexpr const char* bias_input = R"(,"p":{"dataType":"float32","shape":[16]})";

/// A convolution of quantised numbers. Its bias is `factor`, or with an input "p" that times `factor`.
std::string quantized(const std::string& scale, const std::string& input, const std::string& factor,
                      const std::string& nodes_behind) {
  const std::string one = "[1,1,1,1]";
  const bool is_known = input.empty();
  const std::string constants = constant("s", "float32", one, scale) + "," + constant("z", "uint8", one, "7") + "," +
                                constant("w", "int8", "[16,16,1,1]", "3") + "," + constant("wz", "int8", one, "0") +
                                "," + constant(is_known ? "b" : "q", "float32", is_known ? "[16]" : "[]", factor);
  const std::string bias = is_known ? "" : R"({"id":"b","op":"mul","inputs":["p","q"]},)";
  return graph(R"("x":{"dataType":"uint8","shape":[1,16,4,4]})" + input, constants,
               R"({"id":"d","op":"dequantizeLinear","inputs":["x","s","z"]},
                  {"id":"e","op":"dequantizeLinear","inputs":["w","s","wz"]},)" +
                   bias + R"({"id":"c","op":"conv2d","inputs":["d","e"],"options":{"bias":"b"}},)" + nodes_behind);
}

void check(const std::string& text, const std::string& fill = "ones") {
  const ScratchFolder scratch;
  const std::string file = (scratch.path() / "g.json").string();
  write_file(file, text);
  for (const char* const kernels : {"onednn", "xnnpack", "simd"}) {
    if (!has_provider(kernels)) {
      skip_part(kernels, no_provider(kernels));
      continue;
    }
    const CommandResult result =
        webnn_cli({"compare", file, "--kernels", std::string("reference,") + kernels, "--fill", fill});
    CAPTURE(kernels);
    CAPTURE(result.out + result.err);
    CHECK(result.code == 0);
  }
}

}  // namespace

TEST_CASE("unusual numbers: pixels of wide pictures are interpolated with weights of all digits") {
  const auto resampled = [](const std::string& from, const std::string& to) {
    return graph(R"("x":{"dataType":"float32","shape":[1,)" + from + "]}", "",
                 R"({"id":"y","op":"resample2d","inputs":["x"],"options":{"mode":"linear","sizes":[)" + to + "]}}");
  };
  for (const auto& [from, to] : {std::pair("1,1,100003", "1,70001"), std::pair("3,65,127", "189,38"),
                                 std::pair("2,50,300", "100,100"), std::pair("2,40,64", "160,128")})
    check(resampled(from, to), "random(seed=3,low=-4,high=4)");
}

TEST_CASE("unusual numbers: infinite weights of grouped convolutions meet no padding") {
  const std::string wide =
      R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":[1,0,3,3],"strides":[2,1],"groups":2}})";
  const std::string deep =
      R"({"id":"y","op":"conv2d","inputs":["x","w"],"options":{"padding":[0,0,9,1],"dilations":[1,2],"groups":4}})";
  const std::string wide_input = R"("x":{"dataType":"float32","shape":[1,8,2,2]})",
                    deep_input = R"("x":{"dataType":"float32","shape":[1,4,1,3]})";
  check(graph(wide_input, constant("w", "float32", "[4,4,3,7]", "\"Infinity\""), wide));
  check(graph(deep_input, constant("w", "float32", "[4,1,1,7]", "\"Infinity\""), deep));
  // Weights that are not known before: ones divided by 0, and by 1.
  for (const char* const divisor : {"0", "1"})
    check(graph(wide_input + R"(,"v":{"dataType":"float32","shape":[4,4,3,7]})",
                constant("q", "float32", "[]", divisor), R"({"id":"w","op":"div","inputs":["v","q"]},)" + wide));
}

TEST_CASE("unusual numbers: a bias that is an input is too large for the unit of quantised products") {
  const std::string as_it_is = R"({"id":"y","op":"identity","inputs":["c"]})";
  check(quantized("0.001", bias_input, "1e33", as_it_is));
  check(quantized("1e-30", bias_input, "1", as_it_is));
}

TEST_CASE("unusual numbers: a limit of quantised numbers does not see a NaN of the bias") {
  const std::string limited =
      R"({"id":"r","op":"relu","inputs":["c"]},{"id":"y","op":"quantizeLinear","inputs":["r","s","z"]})";
  check(quantized("0.5", "", "\"NaN\"", limited));
  check(quantized("0.5", bias_input, "\"NaN\"", limited));
}

TEST_CASE("unusual numbers: a bias lies between multiples of the unit of quantised products, which is large") {
  const std::string in_bytes = R"({"id":"y","op":"quantizeLinear","inputs":["c","s","z"]})";
  check(quantized("100", "", "2884900", in_bytes));   // the sums are -2880000
  check(quantized("300", "", "25926000", in_bytes));  // the sums are -25920000
}

}  // namespace webnn::tests::unusual_numbers_test
