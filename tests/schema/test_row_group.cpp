// Which groups with operators along rows there are, and how they are cut into parts.
#include <doctest/doctest.h>

#include "runtime/cpu/simd/reduction/row_group_parts.hpp"
#include "runtime/kernel_conditions.hpp"

namespace row_group_test {

using namespace webnn::schema;
using namespace webnn::runtime;
using namespace webnn::runtime::simd;

namespace {

OperandDescriptor f32(Shape shape) { return {DataType::float32, shape}; }

/// softmax over the last axis of [8, 128], without post-ops.
KernelSpec softmax_of_rows() {
  KernelSpec spec;
  spec.op = "softmax"_op;
  spec.attributes = Attributes(row(spec.op).attributes.size());
  spec.attributes[0].emplace(std::in_place_type<std::int64_t>, 1);
  spec.inputs = {f32({8, 128})};
  spec.outputs = {f32({8, 128})};
  return spec;
}

PostOp step(OperatorId op, PostOp::Operands operands = {1}) {
  return {op, Attributes(row(op).attributes.size()), operands};
}

PostOp layer_normalization(std::int64_t axis, PostOp::Operands operands) {
  PostOp post_op = step("layerNormalization"_op, operands);
  post_op.attributes[std::size_t(row(post_op.op).attribute_index("axes"))].emplace(std::in_place_type<IntegerList>,
                                                                                   IntegerList{axis});
  return post_op;
}

}  // namespace

TEST_CASE("row group: elementwise steps and operators along rows are its parts") {
  KernelSpec spec = softmax_of_rows();
  spec.post_ops = {step("mul"_op, {1, 0, 0}), step("add"_op, {1, 1, 0}), layer_normalization(1, {1, 0, 0})};
  spec.inputs.insert(spec.inputs.end(), {f32({128}), f32({128}), f32({128})});
  const auto group = row_group_of(spec);
  REQUIRE(group);
  CHECK(group->rows == 8);
  CHECK(group->row_length == 128);
  REQUIRE(group->parts.size() == 3);
  CHECK(group->parts[0].along_rows);
  CHECK(group->parts[0].spec.inputs[0]->shape == Shape{128});  // one row
  using Operands = std::vector<std::optional<std::size_t>>;
  CHECK(group->parts[1].operands == Operands{std::nullopt, 1});
  CHECK(group->parts[1].spec.post_ops.size() == 1);
  CHECK(group->parts[2].operands == Operands{std::nullopt, 2, 3});
}

TEST_CASE("row group: scale and bias of a layerNormalization come from outside") {
  KernelSpec spec;
  spec.op = "add"_op;
  spec.attributes = Attributes(row(spec.op).attributes.size());
  spec.inputs = {f32({128}), f32({128}), f32({128})};
  spec.outputs = {f32({128})};
  spec.post_ops = {step("sin"_op), layer_normalization(0, {1, 0, 0})};
  spec.inputs.push_back(f32({128}));
  REQUIRE(row_group_of(spec));
  spec.post_ops[1].operands = {1, 2, 0};  // the sum, two steps back
  spec.inputs.pop_back();
  CHECK(!row_group_of(spec));
}

TEST_CASE("row group: a part has no more operands than a kernel has room for") {
  KernelSpec spec = softmax_of_rows();
  for (std::size_t i = 0; i < longest_chain; ++i) {  // each takes the softmax's result twice
    const auto back = std::uint8_t(i + 1);
    spec.post_ops.push_back(step("add"_op, {back, back, 0}));
    CHECK(row_group_of(spec).has_value() == (2 * spec.post_ops.size() <= most_group_inputs));
  }
}

}  // namespace row_group_test
