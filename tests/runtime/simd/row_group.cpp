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

using Operands = std::vector<NewOperand<KernelSpec>>;

/// layerNormalization of the running result, with these other operands.
void append_layer_normalization(KernelSpec& spec, std::int64_t axis, Operands operands) {
  constexpr OperatorId op = "layerNormalization"_op;
  Attributes attributes(row(op).attributes.size());
  attributes[std::size_t(row(op).attribute_index("axes"))].emplace(std::in_place_type<IntegerList>, IntegerList{axis});
  operands.insert(operands.begin(), running_result(spec));
  append_post_op(spec, op, std::move(attributes), operands);
}

}  // namespace

TEST_CASE("row group: elementwise steps and operators along rows are its parts") {
  KernelSpec spec = softmax_of_rows();
  append_post_op(spec, "mul"_op, {}, {ResultOf{0}, f32({128})});
  append_post_op(spec, "add"_op, {}, {ResultOf{1}, ResultOf{1}});
  append_layer_normalization(spec, 1, {f32({128}), f32({128})});
  const auto group = row_group_of(spec);
  REQUIRE(group);
  CHECK(group->rows == 8);
  CHECK(group->row_length == 128);
  REQUIRE(group->parts.size() == 3);
  CHECK(group->parts[0].along_rows);
  CHECK(group->parts[0].spec.inputs[0]->shape == Shape{128});  // one row
  using Sources = std::vector<std::optional<std::size_t>>;
  CHECK(group->parts[1].operands == Sources{std::nullopt, 1});
  CHECK(group->parts[1].spec.post_ops.size() == 1);
  CHECK(group->parts[2].operands == Sources{std::nullopt, 2, 3});
}

TEST_CASE("row group: scale and bias of a layerNormalization come from outside") {
  KernelSpec spec;
  spec.op = "add"_op;
  spec.attributes = Attributes(row(spec.op).attributes.size());
  spec.inputs = {f32({128}), f32({128})};
  spec.outputs = {f32({128})};
  append_post_op(spec, "sin"_op, {}, {ResultOf{0}});
  KernelSpec with_sum = spec;
  append_layer_normalization(spec, 0, {f32({128}), f32({128})});
  CHECK(row_group_of(spec));
  append_layer_normalization(with_sum, 0, {ResultOf{0}, f32({128})});
  CHECK(!row_group_of(with_sum));
}

TEST_CASE("row group: a part has no more operands than a kernel has room for") {
  KernelSpec spec = softmax_of_rows();
  for (std::size_t i = 0; i < longest_chain; ++i) {  // each takes the softmax's result twice
    append_post_op(spec, "add"_op, {}, {ResultOf{0}, ResultOf{0}});
    CHECK(row_group_of(spec).has_value() == (2 * spec.post_ops.size() <= most_group_inputs));
  }
}

}  // namespace row_group_test
