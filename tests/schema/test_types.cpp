// Data types, shapes, limits of descriptors, broadcasting.
#include <doctest/doctest.h>
#include <limits>

#include "schema/elements/types.hpp"

namespace types_test {

using namespace webnn::schema;

TEST_CASE("types: each data type is found by both of its names") {
  for (std::size_t i = 0; i < data_type_count; ++i) {
    const auto type = DataType(i);
    CHECK(parse_data_type(name_of(type)) == type);
    CHECK(parse_data_type(short_name_of(type)) == type);
  }
  CHECK_FALSE(parse_data_type("float64"));
  CHECK_FALSE(parse_data_type(""));
}

TEST_CASE("types: sets of types") {
  constexpr DataTypes floats{DataType::float32, DataType::float16};
  CHECK(floats.contains(DataType::float16));
  CHECK_FALSE(floats.contains(DataType::int8));
  CHECK((floats | DataType::int8).contains(floats));
  CHECK((floats | DataType::int8).text() == "float32, float16 or int8");
  CHECK(floats.text() == "float32 or float16");
  CHECK(DataTypes(DataType::uint8).text() == "uint8");
  CHECK(DataTypes().empty());
}

TEST_CASE("types: a shape is a value of up to eight sizes") {
  Shape shape{2, 3};
  CHECK(shape.rank() == 2);
  CHECK(shape.text() == "[2, 3]");
  CHECK(Shape{}.text() == "[]");
  shape.push_back(4);
  CHECK(shape == Shape{2, 3, 4});
  CHECK_FALSE(shape == Shape{2, 3});
  CHECK(Shape::filled(3, 7) == Shape{7, 7, 7});
  CHECK(element_count(shape) == 24);
  CHECK(element_count(Shape{}) == 1);
  CHECK(OperandDescriptor{DataType::int8, shape}.text() == "int8[2, 3, 4]");
}

TEST_CASE("types: counts that exceed 64 bits are noticed") {
  const std::uint32_t huge[] = {0xffffffff, 0xffffffff, 2};
  CHECK_FALSE(checked_element_count(huge));
  CHECK(checked_element_count(std::span(huge).first(2)) == 0xfffffffe00000001u);
  CHECK(checked_element_count({}) == 1);
}

TEST_CASE("types: 4-bit elements are packed two per byte") {
  CHECK(byte_length({DataType::int4, {3}}) == 2);
  CHECK(byte_length({DataType::uint4, {4}}) == 2);
  CHECK(byte_length({DataType::uint4, {}}) == 1);
  CHECK(byte_length({DataType::float16, {3}}) == 6);
  CHECK(byte_length({DataType::uint64, {3}}) == 24);
}

TEST_CASE("types: a descriptor that cannot exist says why") {
  CHECK(descriptor_error({DataType::float32, {}}).empty());
  CHECK(descriptor_error({DataType::uint8, {2147483647}}).empty());
  CHECK(descriptor_error({DataType::float32, {2, 0}}) == "dimension 1 is 0, but a dimension is 1 to 2147483647");
  CHECK(descriptor_error({DataType::uint8, {2147483648u}}) ==
        "dimension 0 is 2147483648, but a dimension is 1 to 2147483647");
  CHECK(descriptor_error({DataType::int4, {65536, 32768}}) ==
        "int4[65536, 32768] has 2147483648 elements, but the limit is 2147483647");
  CHECK(descriptor_error({DataType::float32, {536870912}}) ==
        "float32[536870912] takes 2147483648 bytes, but the limit of a tensor is 2147483647");
  CHECK(descriptor_error({DataType::uint8, Shape::filled(8, 2147483647)}) ==
        "uint8" + Shape::filled(8, 2147483647).text() + " has more elements than the limit of 2147483647");
}

TEST_CASE("types: broadcasting aligns at the last axis and stretches sizes of 1") {
  CHECK(broadcast({2, 3}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast({2, 3}, {3}) == Shape{2, 3});
  CHECK(broadcast({3}, {2, 1}) == Shape{2, 3});
  CHECK(broadcast({}, {4, 5}) == Shape{4, 5});
  CHECK(broadcast({8, 1, 6, 1}, {7, 1, 5}) == Shape{8, 7, 6, 5});
  CHECK(broadcast({}, {}) == Shape{});
  CHECK_FALSE(broadcast({2, 3}, {2}));
  CHECK_FALSE(broadcast({2, 3}, {4, 3}));
}

}  // namespace types_test
