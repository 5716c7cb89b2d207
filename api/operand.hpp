// MLOperand: a value of a graph under construction.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "schema/elements/data_type.hpp"
#include "schema/elements/number.hpp"

namespace webnn {

using schema::DataType;
using schema::Number;

/// Sizes, outermost first. Any list may be written; functions that take a shape check it.
using Dimensions = std::vector<std::uint32_t>;

/// How `split` divides an axis: into a number of equal parts, or into parts with these sizes.
class Splits {
 public:
  Splits(std::uint32_t count) : value_(count) {}
  Splits(std::vector<std::uint32_t> sizes) : value_(std::move(sizes)) {}
  Splits(std::initializer_list<std::uint32_t> sizes) : value_(std::vector<std::uint32_t>(sizes)) {}
  const std::variant<std::uint32_t, std::vector<std::uint32_t>>& value() const { return value_; }

 private:
  std::variant<std::uint32_t, std::vector<std::uint32_t>> value_;
};

/// MLOperand: a value in the graph of one builder. An empty operand stands for an option that is not given.
class Operand {
 public:
  Operand() = default;
  bool empty() const { return !builder_; }
  DataType dataType() const { return data_type_; }
  const Dimensions& shape() const { return shape_; }

 private:
  friend class GraphBuilder;
  std::shared_ptr<const void> builder_;  // identity; kept alive so that no other builder gets its address
  std::uint32_t value_ = 0;
  DataType data_type_ = DataType::float32;
  Dimensions shape_;
};

}  // namespace webnn
