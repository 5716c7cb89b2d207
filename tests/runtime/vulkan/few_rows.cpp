// Products of few rows: every way in which their shaders read the second matrix, alone and by several workgroups.
#include <doctest/doctest.h>
#include <random>

#include "tests/harness/machine/gpu.hpp"
#include "tests/runtime/vulkan/check_row.hpp"

namespace webnn::tests::few_rows_test {
namespace {

constexpr auto f32 = DataType::float32, f16 = DataType::float16;

/// `splits`: workgroups share out the inner axis, and a second dispatch adds their sums.
void check(runtime::Device& device, const char* kernel, const char* op, const std::vector<OperandDescriptor>& operands,
           const NamedAttributes& attributes, bool splits) {
  std::mt19937 engine(3);
  check_row(device, {kernel, op, operands, attributes, splits ? 2u : 1u}, gpu_of_units(60), engine);
}

}  // namespace

TEST_CASE("vulkan few rows: matrices of floats, as they are and transposed") {
  auto device = open_test_gpu();
  if (!device) return;
  for (const DataType type : {f32, f16})
    for (const std::uint32_t rows : {1u, 3u, 8u})
      for (const std::uint32_t inner : {7u, 600u}) {
        check(*device, "vulkan.matmul.few_rows", "matmul", {{type, {rows, inner}}, {type, {inner, 37}}}, {},
              inner > 512);
        check(*device, "vulkan.gemm.few_rows", "gemm", {{type, {rows, inner}}, {type, {37, inner}}, {type, {37}}},
              {{"bTranspose", true}}, inner > 512);
      }
}

TEST_CASE("vulkan few columns: matrices as they are, transposed and in batches, and filters at few positions") {
  auto device = open_test_gpu();
  if (!device) return;
  for (const DataType type : {f32, f16})
    for (const std::uint32_t columns : {1u, 3u, 8u})
      for (const std::uint32_t inner : {7u, 1024u}) {
        const bool splits = inner > 512;
        check(*device, "vulkan.matmul.few_columns", "matmul", {{type, {37, inner}}, {type, {inner, columns}}}, {},
              splits);
        check(*device, "vulkan.matmul.few_columns", "matmul", {{type, {2, 1, 9, inner}}, {type, {3, inner, columns}}},
              {}, splits);
        for (const Shape& c : {Shape{columns}, Shape{37, 1}, Shape{37, columns}})
          check(*device, "vulkan.gemm.few_columns", "gemm", {{type, {inner, 37}}, {type, {columns, inner}}, {type, c}},
                {{"aTranspose", true}, {"bTranspose", true}, {"alpha", 0.5}, {"beta", 2.0}}, splits);
        const auto filters_at = [&](const Shape& positions) {
          check(*device, "vulkan.conv2d.few_columns", "conv2d",
                {{type, positions}, {type, {37, inner, 1, 1}}, {type, {37}}}, {}, splits);
        };
        filters_at({1, inner, 1, columns});
        filters_at({columns, inner, 1, 1});
      }
  check(*device, "vulkan.conv2d.few_columns", "conv2d", {{f32, {1, 1024, 2, 2}}, {f32, {3, 1024, 1, 1}}}, {}, true);
}

TEST_CASE("vulkan few rows: matrices of 4 and 8 bits, by words and by numbers, with blocks along both axes") {
  auto device = open_test_gpu();
  if (!device) return;
  constexpr DataType types[] = {DataType::int4, DataType::uint4, DataType::int8, DataType::uint8};
  struct Form {
    std::uint32_t inner, columns, inner_blocks, column_blocks;
    bool splits = false;
  };
  // Words and single numbers, a scale for each column and for several, columns that fill no workgroup.
  constexpr Form forms[] = {{64, 40, 2, 40}, {96, 24, 3, 6},    {40, 200, 1, 200},        {21, 13, 3, 13},
                            {60, 15, 5, 5},  {24, 520, 1, 130}, {1024, 48, 32, 48, true}, {1030, 18, 5, 9, true}};
  for (const DataType type : types)
    for (const std::uint32_t rows : {1u, 5u})
      for (const Form& form : forms)
        for (const bool transposed : {false, true}) {
          const auto matrix = [&](std::uint32_t lines, std::uint32_t width) {
            return transposed ? Shape{width, lines} : Shape{lines, width};
          };
          const Shape blocks = matrix(form.inner_blocks, form.column_blocks);
          check(*device, "vulkan.blockQuantizedMatmul.few_rows", "@blockQuantizedMatmul",
                {{transposed == (rows == 1) ? f32 : f16, {rows, 1, form.inner}},
                 {type, matrix(form.inner, form.columns)},
                 {rows % 2 ? f32 : f16, blocks},
                 {type, blocks}},
                {{"bTranspose", transposed}}, form.splits);
        }
}

}  // namespace webnn::tests::few_rows_test
