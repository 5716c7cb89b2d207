// A call of an operator in the making, and the chances that its operands and attributes are drawn by.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {

class CallDraft {
 public:
  /// `type` is that of operands for which no other is given.
  CallDraft(OperatorId op, DataType type, std::mt19937& engine);

  /// The call with its outputs and with elements; nullopt when it is not a correct one, or too large.
  std::optional<RandomCall> finish();

 protected:
  using Sizes = std::vector<std::uint32_t>;

  const Operator& op() const { return row_; }
  DataType type() const { return type_; }
  /// A descriptor that exists already.
  OperandDescriptor& input(std::size_t place) { return *call_.spec.inputs[place]; }

  // ---- chances
  std::uint32_t below(std::uint32_t count) { return std::uint32_t(engine_() % count); }
  bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
  /// A size of a dimension: mostly small, now and then past the vectors and blocks of kernels.
  std::uint32_t size(std::uint32_t large = 40) { return chance(4) ? 1 + below(large) : 1 + below(9); }
  Sizes sizes(unsigned rank);
  unsigned rank(unsigned least, unsigned most) { return least + below(most - least + 1); }
  Sizes permutation(unsigned count);
  Sizes some_axes(unsigned of_rank);
  /// A shape that broadcasts to `shape`: leading dimensions left out, others 1.
  Sizes broadcastable(const Sizes& shape);

  // ---- operands, in their order
  void operand(const Sizes& shape, std::optional<DataType> type = std::nullopt);
  void absent() { call_.spec.inputs.emplace_back(); }
  /// An optional operand, absent now and then.
  void maybe(const Sizes& shape);

  // ---- attributes, behind the first operand
  template <class T>
  void set(std::string_view name, T value) {
    call_.spec.attributes[attribute_index(name)].emplace(std::in_place_type<T>, std::move(value));
  }
  void set_list(std::string_view name, const Sizes& list) { set(name, IntegerList(list.begin(), list.end())); }
  void draw(std::string_view name);
  void draw_all();

 private:
  std::size_t attribute_index(std::string_view name) const;

  const Operator& row_;
  DataType type_;
  std::mt19937& engine_;
  RandomCall call_;
};

}  // namespace webnn::tests
