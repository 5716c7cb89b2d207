// Kernels that move elements, on shapes that reach every way of the strided copy: whole runs, tiles and their edges,
// thin matrices, repeated elements, strides of both signs, several threads.
#include <random>

#include "api/kernels.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::simd_movement_test {
namespace {

using enum DataType;

/// Elements that tell their places: all bytes of a wide element differ from its neighbours'.
TestTensor pattern(DataType type, const Shape& shape) {
  TestTensor result{{type, shape}, std::vector<std::byte>(byte_length({type, shape}))};
  std::mt19937 engine(7);
  for (std::byte& byte : result.data) byte = std::byte(engine());
  return result;
}

std::vector<TestTensor> run_simd(std::string_view kernel, const KernelSpec& spec, const OptionalTensors& inputs,
                                 const RunOptions& options = {}) {
  return run_kernel(runtime::cpu_kernels().find(*api::find_kernel(kernel))->prepare, spec, inputs, options);
}

/// Runs kernel `simd.<op>` with one and with three threads and compares bit for bit with the reference kernel.
void check(std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes = {},
           const RunOptions& options = {}) {
  const KernelSpec spec = operator_spec(op, inputs, attributes);
  CAPTURE(op);
  CAPTURE(inputs[0]->descriptor.text());
  CAPTURE(spec.outputs[0].text());
  const std::vector<TestTensor> expected = run_operator(op, inputs, attributes);
  for (const unsigned threads : {1u, 3u}) {
    const runtime::Team team(threads);
    CHECK((run_simd("simd." + std::string(op), spec, inputs, options) == expected));
  }
}

constexpr DataType sizes[] = {uint8, float16, float32, int64};

TEST_CASE("simd transpose: every size of elements, edges of tiles, thin and long matrices") {
  for (const DataType type : sizes)
    for (const Shape& shape : {Shape{1, 1}, Shape{3, 50}, Shape{50, 3}, Shape{2, 7}, Shape{16, 16}, Shape{17, 33},
                               Shape{64, 130}, Shape{129, 65}, Shape{1000, 49}, Shape{256, 256}, Shape{4, 4}})
      check("transpose", {pattern(type, shape)});
}

TEST_CASE("simd transpose: permutations of more axes, short runs as wide elements") {
  for (const DataType type : sizes) {
    for (const std::uint32_t last : {1u, 2u, 3u, 4u, 5u, 8u, 16u, 17u, 40u, 64u})
      for (const auto& permutation : {IntegerList{1, 0, 2, 3}, IntegerList{0, 2, 1, 3}, IntegerList{0, 2, 3, 1},
                                      IntegerList{3, 2, 1, 0}, IntegerList{2, 3, 0, 1}, IntegerList{0, 1, 2, 3}})
        check("transpose", {pattern(type, {2, 19, 5, last})}, {{"permutation", permutation}});
    check("transpose", {pattern(type, {2, 3, 2, 3, 2, 3, 2, 3})},
          {{"permutation", IntegerList{7, 0, 6, 1, 5, 2, 4, 3}}});
  }
  check("transpose", {scalar(int64, 5)});
  check("transpose", {pattern(float32, {128, 12, 64})}, {{"permutation", IntegerList{1, 0, 2}}});
}

TEST_CASE("simd reorder: to channels-last and back, one and three threads") {
  for (const DataType type : sizes)
    for (const Shape& shape : {Shape{1, 3, 20, 21}, Shape{2, 4, 5, 6}, Shape{1, 40, 9, 7}, Shape{3, 17, 3, 3},
                               Shape{2, 1, 5, 5}, Shape{2, 5, 1, 1}, Shape{1, 64, 56, 56}}) {
      KernelSpec spec;
      spec.op = "@reorder"_op;
      spec.inputs = {OperandDescriptor{type, shape}};
      spec.outputs = {OperandDescriptor{type, shape}};
      for (const Layout from : {Layout::row_major, Layout::channels_last})
        for (const unsigned threads : {1u, 3u}) {
          const runtime::Team team(threads);
          spec.input_layouts = {from};
          spec.output_layouts = {from == Layout::row_major ? Layout::channels_last : Layout::row_major};
          const TestTensor x = pattern(type, shape);
          CAPTURE(x.descriptor.text());
          CHECK((run_simd("simd.reorder", spec, {x}) == run_kernel(find_reference_kernel(spec), spec, {x})));
        }
    }
}

TEST_CASE("simd copy: a reshape out of, into and between channels-last tensors") {
  const TestTensor x = pattern(float32, {2, 3, 4, 5});
  for (const auto& shape :
       {IntegerList{2, 3, 4, 5}, IntegerList{2, 15, 2, 2}, IntegerList{120}, IntegerList{2, 60, 1, 1}})
    for (const Layout from : {Layout::row_major, Layout::channels_last})
      for (const Layout to : {Layout::row_major, Layout::channels_last}) {
        if (shape.size() != 4 && to == Layout::channels_last) continue;
        KernelSpec spec = operator_spec("reshape", {x}, {{"newShape", shape}});
        spec.input_layouts = {from};
        spec.output_layouts = {to};
        const TestTensor expected = run_operator("reshape", {x}, {{"newShape", shape}})[0];
        const TestTensor actual = run_simd("simd.copy", spec, {in_layout(x, Layout::row_major, from)})[0];
        CHECK(((shape.size() == 4 ? in_layout(actual, to, Layout::row_major) : actual) == expected));
      }
  CHECK((run_simd("simd.copy", operator_spec("identity", {x}), {x}, {.in_place = 0})[0] == x));
}

TEST_CASE("simd concat and split: along every axis, with parts of one element") {
  for (const DataType type : sizes)
    for (int axis = 0; axis < 3; ++axis) {
      OptionalTensors parts;
      IntegerList splits;
      for (const std::uint32_t size : {1u, 7u, 64u, 2u}) {
        Shape shape{5, 6, 33};
        shape[unsigned(axis)] = size;
        splits.push_back(size);
        parts.emplace_back(pattern(type, shape));
      }
      check("concat", parts, {{"axis", axis}});
      check("split", {run_operator("concat", parts, {{"axis", axis}})[0]}, {{"splits", splits}, {"axis", axis}});
    }
  check("concat", {pattern(float32, {300, 256}), pattern(float32, {300, 128})}, {{"axis", 1}});
}

TEST_CASE("simd slice, expand, tile and reverse") {
  for (const DataType type : sizes) {
    const TestTensor x = pattern(type, {6, 9, 35});
    check("slice", {x}, {{"starts", IntegerList{1, 2, 3}}, {"sizes", IntegerList{4, 5, 32}}});
    check("slice", {x},
          {{"starts", IntegerList{1, 0, 3}}, {"sizes", IntegerList{5, 9, 30}}, {"strides", IntegerList{2, 3, 4}}});
    for (const auto& axes : {IntegerList{}, IntegerList{0}, IntegerList{1}, IntegerList{2}, IntegerList{0, 2}})
      check("reverse", {x}, {{"axes", axes}});
    check("tile", {x}, {{"repetitions", IntegerList{2, 1, 3}}});
    check("tile", {x}, {{"repetitions", IntegerList{1, 4, 1}}});
    check("tile", {pattern(type, {3, 1})}, {{"repetitions", IntegerList{1, 77}}});
    check("expand", {pattern(type, {9, 1})}, {{"newShape", IntegerList{6, 9, 35}}});
    check("expand", {pattern(type, {6, 1, 35})}, {{"newShape", IntegerList{6, 9, 35}}});
    check("expand", {pattern(type, {4, 2})}, {{"newShape", IntegerList{3, 4, 2}}});
    check("expand", {pattern(type, {})}, {{"newShape", IntegerList{3, 700}}});
  }
}

TEST_CASE("simd pad: all modes, inner axes that are not padded, nothing padded") {
  for (const DataType type : sizes)
    for (const char* mode : {"constant", "edge", "reflection"}) {
      const TestTensor x = pattern(type, {3, 4, 5, 6});
      const auto pad = [&](const IntegerList& before, const IntegerList& after) {
        check("pad", {x}, {{"beginningPadding", before}, {"endingPadding", after}, {"mode", mode}, {"value", 7}});
      };
      pad({0, 0, 0, 0}, {0, 0, 0, 0});
      pad({0, 0, 1, 2}, {0, 0, 3, 4});
      pad({0, 1, 2, 0}, {0, 2, 0, 0});
      pad({2, 0, 0, 0}, {1, 0, 0, 0});
      pad({1, 3, 4, 5}, {2, 2, 2, 2});
    }
  check("pad", {scalar(float32, 3)}, {{"beginningPadding", IntegerList{}}, {"endingPadding", IntegerList{}}});
  check("pad", {pattern(float32, {64, 56, 56})},
        {{"beginningPadding", IntegerList{0, 1, 1}}, {"endingPadding", IntegerList{0, 1, 1}}});
}

TEST_CASE("simd triangular: diagonals inside and beyond the matrix, in place") {
  for (const DataType type : sizes)
    for (const int diagonal : {0, 1, -3, 100, -100})
      for (const bool upper : {true, false})
        for (const int in_place : {-1, 0})
          check("triangular", {pattern(type, {3, 7, 9})}, {{"upper", upper}, {"diagonal", diagonal}},
                {.in_place = in_place});
}

TEST_CASE("simd gather and scatter: indices from the end and out of range") {
  const auto indices = [](DataType type, const Shape& shape) {
    Numbers elements;
    std::mt19937 engine(3);
    for (std::size_t i = 0; i < element_count(shape); ++i)
      elements.emplace_back(std::int64_t(engine() % 24) - (type == uint32 ? 0 : 12));
    return tensor(type, shape, elements);
  };
  for (const DataType type : sizes)
    for (const DataType index : {int32, uint32, int64}) {
      const TestTensor x = pattern(type, {8, 9, 7});
      for (int axis = 0; axis < 3; ++axis) {
        check("gather", {x, indices(index, {4, 5})}, {{"axis", axis}});
        Shape shape = x.descriptor.shape;
        shape[unsigned(axis)] = 5;
        check("gatherElements", {x, indices(index, shape)}, {{"axis", axis}});
        check("scatterElements", {x, indices(index, shape), pattern(type, shape)}, {{"axis", axis}});
        check("scatterElements", {x, indices(index, shape), pattern(type, shape)}, {{"axis", axis}}, {.in_place = 0});
      }
      check("gatherND", {x, indices(index, {6, 2})});
      check("gatherND", {x, indices(index, {6, 3})});
      check("scatterND", {x, indices(index, {6, 2}), pattern(type, {6, 7})});
      check("scatterND", {x, indices(index, {6, 1}), pattern(type, {6, 9, 7})}, {}, {.in_place = 0});
    }
  check("gather", {pattern(float32, {500, 384}), indices(int32, {300})});
}

TEST_CASE("simd cumulativeSum: both ends, with and without the element, side by side and along memory") {
  for (const DataType type : {int32, uint32, int64, uint64})
    for (int axis = 0; axis < 3; ++axis)
      for (const bool exclusive : {false, true})
        for (const bool reversed : {false, true})
          check("cumulativeSum", {pattern(type, {3, 5, 130})},
                {{"axis", axis}, {"exclusive", exclusive}, {"reversed", reversed}});
  check("cumulativeSum", {counting(float32, {4, 1000}, -300)}, {{"axis", 1}});
  check("cumulativeSum", {tensor(float32, {4}, {1, infinity, 2, -infinity})}, {{"axis", 0}, {"exclusive", true}});
}

}  // namespace
}  // namespace webnn::tests::simd_movement_test
