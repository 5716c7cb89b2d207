// Models that are not valid, or that ask for too much, get a diagnostic.
#include "tests/onnx/one_node.hpp"

namespace webnn::tests::onnx_refusals_test {

bool says(const std::string& message, std::string_view part) {
  CAPTURE(message);
  return message.find(part) != std::string::npos;
}

TEST_CASE("onnx refusals: GatherBlockQuantized wants rows, and scales for each of them") {
  OneNode vector("GatherBlockQuantized");
  vector.constant({16}, Reals(16, 1), OnnxType::uint8).input({}, {0}, OnnxType::int32).constant({1}, {1});
  CHECK(says(vector.set("block_size", 16).refusal(), "fewer than two axes"));
  OneNode other("GatherBlockQuantized");
  other.constant({4, 2, 16}, Reals(128, 1), OnnxType::uint8).input({1}, {0}, OnnxType::int32);
  other.constant({4, 3, 2}, Reals(24, 1));
  CHECK(says(other.set("block_size", 16).refusal(), "the axes of its table"));
}

TEST_CASE("onnx refusals: updates have the shape of what the indices address") {
  OneNode node("ScatterND", "");
  node.input({4, 2}, Reals(8, 0)).constant({2, 1}, {0, 1}, OnnxType::int64).constant({4}, Reals(4, 1));
  CHECK(says(node.set("reduction", std::string("add")).refusal(), "the updates have not the shape"));
}

TEST_CASE("onnx refusals: a convolution in too many parts") {
  const auto convolution = [](std::int64_t kernel) {
    OneNode node("Conv", "");
    node.input({1, 1, 9, 9, 2, 2}, Reals(324, 1)).input({1, 1, kernel, kernel, 1, 1}, Reals(kernel * kernel, 1));
    return node;
  };
  CHECK(says(convolution(9).refusal(), "too many elements"));
  CHECK(convolution(8).graph().order().size() > 64);
}

TEST_CASE("onnx refusals: an antialiased Resize whose scale has nothing to do with its input") {
  OneNode node("Resize", "");
  node.input({1, 1, 2, 2}, Reals(4, 1))
      .constant({8}, {0, 0, 0, 0, 1, 1, 1e12, 1e12})
      .constant({4}, {1, 1, 1e-12, 1e-12});
  node.set("mode", std::string("linear")).set("antialias", 1);
  node.set("coordinate_transformation_mode", std::string("tf_crop_and_resize"));
  CHECK(says(node.refusal(), "its scale is too small"));
}

TEST_CASE("onnx refusals: arithmetic on booleans") {
  for (const char* op : {"Add", "Max", "Mod", "Sub", "Sum"}) {
    OneNode node(op, "");
    node.input({2}, {0, 1}, OnnxType::boolean).input({2}, {1, 1}, OnnxType::boolean);
    CHECK(says(node.refusal(), "no arithmetic on booleans"));
  }
}

TEST_CASE("onnx refusals: axes without elements, or too long to take them apart") {
  OneNode unique("Unique", "");
  CHECK(says(unique.constant({0}, {}).refusal(), "has no elements"));
  OneNode split("SplitToSequence", "");
  CHECK(says(split.input({70000}, Reals(70000, 1)).set("keepdims", 0).refusal(), "too long to take it apart"));
}

TEST_CASE("onnx refusals: several scales of what has one") {
  OneNode node("QGemm");
  node.input({2, 2}, {1, 2, 3, 4}, OnnxType::uint8).constant({2}, {1, 2}).constant({1}, {0}, OnnxType::uint8);
  node.constant({2, 2}, {1, 2, 3, 4}, OnnxType::uint8).constant({1}, {1}).constant({1}, {0}, OnnxType::uint8);
  CHECK(says(node.refusal(), "more than one scale"));
}

TEST_CASE("onnx refusals: an empty list of axes removes all of size 1") {
  OneNode node("Squeeze", "");
  node.input({1, 3, 1}, {1, 2, 3}).constant({0}, {}, OnnxType::int64);
  CHECK(node.run()[0] == Reals{1, 2, 3});
}

}  // namespace webnn::tests::onnx_refusals_test
