// Specialisation constants: numbers for which a driver compiles a shader.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "runtime/vulkan/fragments.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::vulkan {

/// Those that have the same meaning in all shaders.
enum class Constant : std::uint32_t {
#define WEBNN_CONSTANT(name, number) name = number,
#include "runtime/vulkan/shaders/common/constants.def"
#undef WEBNN_CONSTANT
};

/// The constants of a dispatch. A shader has its own values for what is not among them, and ignores what it does not have.
class Specialization {
 public:
  static constexpr std::size_t most_own = 9;

  struct Value {
    std::uint32_t number = 0, value = 0;
    auto operator<=>(const Value&) const = default;
  };

  Specialization() = default;
  /// A shader's own constants, from 1 on.
  Specialization(std::initializer_list<std::uint32_t> own) {
    assert(own.size() <= most_own);
    for (const std::uint32_t value : own) values_.push_back({std::uint32_t(values_.size() + 1), value});
  }

  void set(Constant constant, std::uint32_t value) {
    const auto number = std::uint32_t(constant);
    const auto place = std::ranges::find(values_, number, &Value::number);
    if (place == values_.end())
      values_.push_back({number, value});
    else
      place->value = value;
  }

  void set(const Fragment& fragment) {
    set(Constant::fragment_rows, fragment.rows);
    set(Constant::fragment_columns, fragment.columns);
    set(Constant::fragment_inner, fragment.inner);
  }

  std::span<const Value> values() const { return values_; }
  bool operator==(const Specialization&) const = default;

 private:
  CountedVector<Value> values_;
};

}  // namespace webnn::runtime::vulkan
