#include "compiler/browsers/browsers.hpp"

#include <algorithm>

namespace webnn::compiler {
namespace {

using enum DataType;

constexpr DataTypes every_type{float32, float16, int32, uint32, int64, uint64, int8, uint8, int4, uint4};
constexpr DataTypes every_type_but_uint4{float32, float16, int32, uint32, int64, uint64, int8, uint8, int4};

/// Whether a list of words has this one.
bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::string_view first = list.substr(0, list.find(' '));
    if (first == word) return true;
    list.remove_prefix(std::min(list.size(), first.size() + 1));
  }
  return false;
}

}  // namespace

std::span<const Browser> browsers() {
  static const Browser table[] = {
      {"chromium-litert", "chromium", "LiteRT", "151.0.7909.0", every_type_but_uint4, every_type_but_uint4,
       chromium_litert_limits()},
      {"chromium-onnxruntime", "chromium", "ONNX Runtime", "151.0.7909.0", every_type, every_type,
       chromium_onnxruntime_limits()},
  };
  return table;
}

std::vector<const Browser*> browsers_named(std::string_view name) {
  std::vector<const Browser*> found;
  for (const Browser& browser : browsers())
    if (browser.name == name || browser.family == name) found.push_back(&browser);
  return found;
}

std::vector<std::string_view> browser_names() {
  std::vector<std::string_view> names;
  for (const Browser& browser : browsers()) {
    if (std::ranges::find(names, browser.family) == names.end()) names.push_back(browser.family);
    names.push_back(browser.name);
  }
  return names;
}

bool has_operator(const Browser& browser, std::string_view op) {
  return std::ranges::any_of(browser.limits,
                             [&](const OperandLimits& limits) { return has_word(limits.operators, op); });
}

const OperandLimits* limits_of(const Browser& browser, std::string_view op, std::string_view operand) {
  for (const OperandLimits& limits : browser.limits) {
    const bool fits = limits.operands.empty() ? operand != "output" : has_word(limits.operands, operand);
    if (fits && has_word(limits.operators, op)) return &limits;
  }
  return nullptr;
}

}  // namespace webnn::compiler
