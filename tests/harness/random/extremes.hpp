// Calls whose attributes are far from ordinary: paddings, strides, dilations and windows up to 2^32 - 1, sizes and
// axes that just fit; and what each row of the CPU makes of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/sliding_window.hpp"
#include "tests/harness/random/random_call.hpp"

namespace webnn::tests {

/// `Engine` gives 32 bits at each call: std::mt19937, or the bytes of a fuzzer.
template <typename Engine>
class Extremes {
 public:
  explicit Extremes(Engine& engine) : engine_(engine) {}

  /// Changes attributes of the call; false when the result is no correct call, or too large to compute here.
  bool change(RandomCall& call) {
    KernelSpec& spec = call.spec;
    if (!slides(spec) || below(4) == 0 || !stretch_windows(spec)) change_some(spec);
    const Inference inference = check_operator(SpecCall(spec));
    if (!inference.ok() || inference.outputs().empty()) return false;
    spec.outputs = inference.outputs();
    return std::ranges::all_of(
        spec.outputs, [](const OperandDescriptor& output) { return element_count(output.shape) <= most_elements; });
  }

 private:
  static constexpr std::int64_t most = 0xffffffff;
  static constexpr std::uint64_t most_elements = 100'000;

  std::uint32_t below(std::uint32_t count) { return engine_() % count; }

  std::int64_t extreme(std::int64_t old) {
    switch (below(4)) {
      case 0:
        return old + below(5) - 2;
      case 1:
        return std::int64_t(engine_());
      case 2:
        return most - below(3);
      default:
        return (std::int64_t{1} << below(32)) + below(5) - 2;
    }
  }

  static bool slides(const KernelSpec& spec) { return row(spec.op).attribute_index("dilations") >= 0; }
  static IntegerList* list(KernelSpec& spec, std::string_view name, std::size_t size) {
    auto& value = spec.attributes[std::size_t(row(spec.op).attribute_index(name))];
    if (!value) value.emplace(IntegerList(size, 1));
    return std::get_if<IntegerList>(&*value);
  }

  /// Strides and dilations of any size, and paddings with which a few windows fit.
  bool stretch_windows(KernelSpec& spec) {
    const bool transposed = spec.op == "convTranspose2d"_op;
    auto windows = sliding_windows(SpecCall(spec));
    IntegerList &strides = *list(spec, "strides", 2), &dilations = *list(spec, "dilations", 2);
    IntegerList& padding = *list(spec, "padding", 4);
    for (std::size_t i = 0; i < 2; ++i) {
      SlidingWindow& axis = windows[i];
      axis.stride = std::clamp<std::int64_t>(below(2) ? 1 + below(4) : extreme(2), 1, most);
      axis.dilation = std::clamp<std::int64_t>(below(2) ? 1 + below(4) : extreme(2), 1, most);
      const std::int64_t wanted = 1 + below(6);  // positions
      std::int64_t total = transposed ? (axis.input - 1) * axis.stride + axis.extent() - wanted
                                      : (wanted - 1) * axis.stride + axis.extent() - axis.input + below(3) - 1;
      total = std::clamp<std::int64_t>(total, 0, 2 * most);
      const std::int64_t begin = below(3) == 0 ? total / 2 : below(2) ? 0 : std::int64_t(engine_()) % (total + 1);
      padding[2 * i] = std::min(begin, most);
      padding[2 * i + 1] = std::min(total - padding[2 * i], most);
      strides[i] = axis.stride;
      dilations[i] = axis.dilation;
    }
    for (const char* name : {"outputSizes", "outputPadding"})
      if (const int index = row(spec.op).attribute_index(name); index >= 0) spec.attributes[std::size_t(index)].reset();
    return true;
  }

  void change_some(KernelSpec& spec) {
    const Operator& op = row(spec.op);
    for (unsigned changes = 1 + below(3); changes > 0 && op.attributes.size() != 0; --changes) {
      const std::size_t index = below(std::uint32_t(op.attributes.size()));
      auto& value = spec.attributes[index];
      if (!value || op.attributes[index].name.ends_with("ZeroPoint")) continue;  // a byte, as passes write it
      if (auto* integers = std::get_if<IntegerList>(&*value)) {
        if (!integers->empty())
          if (std::int64_t& item = (*integers)[below(std::uint32_t(integers->size()))]; true)
            item = std::clamp<std::int64_t>(extreme(item), 0, most);
      } else if (auto* integer = std::get_if<std::int64_t>(&*value)) {
        *integer = extreme(*integer);
      } else if (auto* reals = std::get_if<RealList>(&*value)) {
        constexpr double factors[] = {1e-30, 0.1, 0.33333, 7.5, 1.0000001, 0.9999999, 123456, 1e9};
        if (!reals->empty()) (*reals)[below(std::uint32_t(reals->size()))] = factors[below(std::size(factors))];
      }
    }
  }

  Engine& engine_;
};

/// What a row of the CPU that takes the call computes, in memory that is watched; row-major.
std::vector<TestTensor> run_cpu_row(const KernelRow& kernel, RandomCall call);

/// Whether two results differ by no more than roundings of attributes at the edge: 1 of an integer, a hundredth of the
/// largest float.
bool nearly_alike(const TestTensor& actual, const TestTensor& expected);

}  // namespace webnn::tests
