// Kernels whose invocations take several elements each: counts at which the last ones are missing, and every way in
// which an operand broadcasts along four neighbours.
#include <doctest/doctest.h>
#include <random>

#include "api/kernels.hpp"
#include "runtime/vulkan/kernels/dispatch.hpp"
#include "runtime/vulkan/kernels/shapes.hpp"
#include "runtime/vulkan/vulkan_device.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/runtime/vulkan/check_row.hpp"

namespace webnn::tests::lanes_test {
namespace {

using namespace runtime::vulkan;

constexpr auto f32 = DataType::float32, f16 = DataType::float16, i32 = DataType::int32, u32 = DataType::uint32,
               i64 = DataType::int64, i8 = DataType::int8, u8 = DataType::uint8;

const Target gpu = gpu_of_units(1);

std::vector<RowCall> calls() {
  std::vector<RowCall> list;
  for (const std::uint32_t count : {1u, 2u, 3u, 4u, 5u, 511u, 512u, 1'022u, 1'025u}) {
    for (const DataType type : {f32, f16, i32, i64, i8}) list.push_back({"vulkan.unary", "neg", {{type, {count}}}});
    for (const DataType type : {f32, f16, i32, u32, i8, u8}) {
      list.push_back({"vulkan.binary", "max", {{type, {count}}, {type, {count}}}});
      list.push_back({"vulkan.comparison", "lesser", {{type, {count}}, {type, {}}}});
      list.push_back({"vulkan.where", "where", {{u8, {count}}, {type, {count}}, {type, {1}}}});
      for (const DataType to : {f32, f16, i32, u8, i64, DataType::int4})
        list.push_back({"vulkan.cast", "cast", {{type, {count}}}, {{"dataType", to}}});
    }
    list.push_back({"vulkan.predicate", "isNaN", {{f16, {count}}}});
    list.push_back({"vulkan.logical", "logicalNot", {{u8, {count}}}});
  }
  // By the second operand: neighbours, also across axes; one element for four; neighbours that are not aligned, or not
  // in fours; several axes that become one.
  const std::vector<std::pair<Shape, Shape>> broadcasts{
      {{7, 12}, {12}},           {{3, 5, 2, 6}, {5, 2, 6}},    {{7, 12}, {7, 1}},
      {{2, 3, 4, 5}, {3, 1, 1}}, {{3, 7, 4}, {3, 1, 4}},       {{3, 7}, {7}},
      {{5, 6}, {5, 1}},          {{2, 3, 5, 4}, {2, 1, 5, 1}}, {{4, 1, 3}, {1, 3}},
      {{2, 1, 8}, {2, 1, 1}},    {{1, 1, 4, 1, 9}, {1, 9}},    {{2, 2, 2, 2, 2}, {2, 1, 2, 1, 2}},
      {{3, 8, 5}, {3, 8, 1}},    {{6, 4, 4}, {4, 1}},          {{2, 3, 4, 4}, {2, 1, 4, 4}}};
  for (const auto& [whole, part] : broadcasts)
    for (const DataType type : {f32, f16, i32, i64, u8}) {
      list.push_back({"vulkan.binary", "sub", {{type, whole}, {type, part}}});
      list.push_back({"vulkan.binary", "sub", {{type, part}, {type, whole}}});
      list.push_back({"vulkan.comparison", "greater", {{type, part}, {type, whole}}});
      list.push_back({"vulkan.where", "where", {{u8, part}, {type, whole}, {type, part}}});
      list.push_back({"vulkan.where", "where", {{u8, whole}, {type, part}, {type, {}}}});
    }
  // Slices of 16, 8, 4, 2 and 1 bytes together.
  for (const std::uint32_t inner : {1u, 2u, 3u, 4u, 6u, 8u, 16u, 32u})
    for (const DataType type : {f32, f16, i64, u8}) {
      list.push_back({"vulkan.gather", "gather", {{type, {5, inner}}, {i32, {7}}}, {{"axis", 0}}});
      list.push_back({"vulkan.gather", "gather", {{type, {3, 5, inner}}, {i64, {2, 2}}}, {{"axis", 1}}});
      list.push_back({"vulkan.gatherND", "gatherND", {{type, {3, 5, inner}}, {i32, {4, 2}}}});
      list.push_back(
          {"vulkan.scatterND", "scatterND", {{type, {3, 5, inner}}, {i32, {2, 1}}, {type, {2, 5, inner}}}, {}, 3});
    }
  return list;
}

}  // namespace

TEST_CASE("vulkan lanes: tails and broadcasting operands") {
  const auto device = open_test_gpu();
  if (!device) return;
  std::mt19937 engine(5);
  for (const RowCall& call : calls()) check_row(*device, call, gpu, engine);
}

TEST_CASE("vulkan lanes: invocations of large calls work in rounds") {
  const auto device = open_test_gpu();
  if (!device) return;
  constexpr std::uint32_t many = 32'768 * DispatchMaker::large_group;
  const auto result = [&](const char* kernel, const char* op, const std::vector<std::byte>& bytes, DataType type,
                          const NamedAttributes& attributes) {
    const OptionalTensors inputs{TestTensor{{type, {std::uint32_t(bytes.size())}}, bytes}};
    const KernelSpec spec = operator_spec(op, inputs, attributes);
    return run_on_device(*device, *api::find_kernel(kernel), spec, inputs).front().data;
  };
  std::vector<std::byte> bytes(4 * many + 3);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i * 7 + i / 256);
  std::vector<std::byte> negative(bytes);
  for (std::byte& byte : negative) byte = std::byte(-int(byte));
  CHECK(result("vulkan.unary", "neg", bytes, i8, {}) == negative);
  bytes.resize(many + 77);
  const std::vector<std::byte> reversed(bytes.rbegin(), bytes.rend());
  CHECK(result("vulkan.reverse", "reverse", bytes, u8, {{"axes", IntegerList{0}}}) == reversed);
}

TEST_CASE("vulkan lanes: operands that walk alike along neighbouring axes have fewer axes") {
  const auto walk_of = [](const Shape& a, const Shape& b) {
    const KernelSpec spec = operator_spec("add", {TestTensor{{f32, a}, {}}, TestTensor{{f32, b}, {}}});
    return OperandWalk(spec, 0, 2);
  };
  const OperandWalk channels = walk_of({2, 64, 7, 8}, {64, 1, 1});
  CHECK(channels.shape == Shape{2, 64, 56});
  CHECK(channels.of_four(Addressing::strided, 1) == Addressing::repeated);
  const OperandWalk rows = walk_of({2, 64, 768}, {768});
  CHECK(rows.shape == Shape{128, 768});
  CHECK(rows.of_four(Addressing::strided, 1) == Addressing::neighbours);
  CHECK(walk_of({2, 64, 767}, {767}).of_four(Addressing::strided, 1) == Addressing::strided);
}

}  // namespace webnn::tests::lanes_test
