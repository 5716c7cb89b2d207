// Which calls are views of their operand.
#include <doctest/doctest.h>

#include "schema/view.hpp"

namespace view_test {

namespace {

using namespace webnn::schema;
constexpr Layout plain = Layout::row_major, last = Layout::channels_last;

bool view(OperatorId op, const Shape& from, Layout from_layout, const Shape& to, Layout to_layout,
          IntegerList permutation = {}) {
  KernelSpec spec;
  spec.op = op;
  spec.attributes = Attributes(row(op).attributes.size());
  if (!permutation.empty()) spec.attributes[0] = std::move(permutation);
  spec.inputs = {OperandDescriptor{DataType::float32, from}};
  spec.outputs = {{DataType::float32, to}};
  spec.input_layouts = {from_layout};
  spec.output_layouts = {to_layout};
  return is_view(spec);
}

}  // namespace

TEST_CASE("view: reshapes of row-major values, and of those whose layouts coincide") {
  CHECK(view("reshape"_op, {2, 3}, plain, {6}, plain));
  CHECK(view("reshape"_op, {1, 3, 2, 2}, last, {1, 3, 2, 2}, last));
  CHECK_FALSE(view("reshape"_op, {1, 3, 2, 2}, last, {12}, plain));
  CHECK_FALSE(view("reshape"_op, {12}, plain, {1, 3, 2, 2}, last));
  CHECK_FALSE(view("reshape"_op, {1, 3, 2, 2}, last, {1, 2, 3, 2}, last));
  CHECK(view("reshape"_op, {2, 3, 1, 1}, last, {6}, plain));
  CHECK(view("identity"_op, {1, 3, 2, 2}, last, {1, 3, 2, 2}, last));
  CHECK_FALSE(view("identity"_op, {1, 3, 2, 2}, last, {1, 3, 2, 2}, plain));
}

TEST_CASE("view: transposes between nchw and nhwc") {
  CHECK(view("transpose"_op, {1, 3, 2, 4}, last, {1, 2, 4, 3}, plain, {0, 2, 3, 1}));
  CHECK(view("transpose"_op, {1, 2, 4, 3}, plain, {1, 3, 2, 4}, last, {0, 3, 1, 2}));
  CHECK_FALSE(view("transpose"_op, {1, 3, 2, 4}, plain, {1, 2, 4, 3}, plain, {0, 2, 3, 1}));
  CHECK_FALSE(view("transpose"_op, {1, 3, 2, 4}, last, {1, 2, 4, 3}, last, {0, 2, 3, 1}));
  CHECK_FALSE(view("transpose"_op, {1, 3, 2, 4}, last, {1, 4, 2, 3}, plain, {0, 3, 2, 1}));
  CHECK_FALSE(view("transpose"_op, {2, 3}, plain, {3, 2}, plain, {1, 0}));
  CHECK(view("transpose"_op, {1, 3, 2}, plain, {3, 1, 2}, plain, {1, 0, 2}));
}

TEST_CASE("view: reorders that move nothing, and no other operators") {
  CHECK(view("@reorder"_op, {2, 1, 3, 4}, plain, {2, 1, 3, 4}, last));
  CHECK(view("@reorder"_op, {2, 3, 1, 1}, last, {2, 3, 1, 1}, plain));
  CHECK_FALSE(view("@reorder"_op, {2, 3, 1, 4}, last, {2, 3, 1, 4}, plain));
  CHECK_FALSE(view("relu"_op, {2, 3}, plain, {2, 3}, plain));
}

}  // namespace view_test
