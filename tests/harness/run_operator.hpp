// Running one operator on tensors written as numbers: how tests of kernels read.
//
//   const auto sums = run_operator("add", {tensor(DataType::float32, {2}, {1, 2}), scalar(DataType::float32, 10)});
//   CHECK(numbers(sums[0]) == Numbers{11, 12});
#pragma once

#include <cstddef>
#include <doctest/doctest.h>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::tests {

using namespace webnn::schema;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

using Numbers = std::vector<Number>;

struct TestTensor {
  OperandDescriptor descriptor;
  std::vector<std::byte> data;  // row-major

  bool operator==(const TestTensor&) const = default;  // bit for bit
};

/// A tensor with these elements, cast to `type`; the count must fit the shape.
TestTensor tensor(DataType type, const Shape& shape, const Numbers& elements);
TestTensor scalar(DataType type, Number element);
/// A tensor with start, start + 1, ...
TestTensor counting(DataType type, const Shape& shape, int start = 0);
/// The elements; integers are exact.
Numbers numbers(const TestTensor& tensor);

/// An attribute by name; the row of the operator decides how a plain number is taken.
struct NamedAttribute {
  std::string_view name;
  AttributeValue value;

  NamedAttribute(std::string_view n, bool v) : name(n), value(v) {}
  NamedAttribute(std::string_view n, int v) : name(n), value(std::int64_t{v}) {}
  NamedAttribute(std::string_view n, double v) : name(n), value(v) {}
  NamedAttribute(std::string_view n, Number v) : name(n), value(v) {}
  NamedAttribute(std::string_view n, const char* v) : name(n), value(std::string(v)) {}
  NamedAttribute(std::string_view n, DataType v) : name(n), value(v) {}
  NamedAttribute(std::string_view n, IntegerList v) : name(n), value(std::move(v)) {}
  NamedAttribute(std::string_view n, RealList v) : name(n), value(std::move(v)) {}
  NamedAttribute(std::string_view n, TextList v) : name(n), value(std::move(v)) {}
};

using OptionalTensors = std::vector<std::optional<TestTensor>>;  // in the row's order; nullopt: absent
using NamedAttributes = std::vector<NamedAttribute>;

/// The checked call as a kernel's specification. Throws std::runtime_error with all complaints when the call is wrong.
KernelSpec operator_spec(std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes = {});

struct RunOptions {
  int in_place = -1;                     // output 0 is written over this input
  std::vector<std::size_t> constants{};  // inputs that the kernel gets when it is prepared, too
  bool may_allocate = false;             // while it runs: a library behind it does
  std::uint8_t overreads = 0;            // bit i: it may read past the end of input i; see KernelRow
};

/// Prepares and runs a kernel. Outputs hold garbage before the run. Throws std::runtime_error when the kernel writes
/// beside an output, changes an input, allocates memory, or computes some lines alone otherwise (lines_of_kernel.hpp).
/// Tensors end where a page ends and the next one may not be touched, so that a kernel which reads too far ends the
/// process.
std::vector<TestTensor> run_kernel(runtime::PrepareFunction prepare, const KernelSpec& spec,
                                   const OptionalTensors& inputs, const RunOptions& options = {});

/// Runs the reference kernel of an operator.
std::vector<TestTensor> run_operator(std::string_view op, const OptionalTensors& inputs,
                                     const NamedAttributes& attributes = {}, const RunOptions& options = {});
/// The results of a call's root operator, and of each of its post-ops, by reference kernels one after another; all
/// operands are row-major, whatever the spec says.
std::vector<TestTensor> run_steps(const KernelSpec& spec, const OptionalTensors& inputs);
/// The prepare function of the reference kernel that takes `spec`. Throws std::runtime_error when there is none.
runtime::PrepareFunction find_reference_kernel(const KernelSpec& spec);
/// The tensor with its bytes in another layout, by the reference kernel of @reorder.
TestTensor in_layout(const TestTensor& tensor, Layout from, Layout to);

}  // namespace webnn::tests

template <>
struct doctest::StringMaker<webnn::tests::Numbers> {
  static String convert(const webnn::tests::Numbers& numbers) {
    std::string text;
    for (const auto& number : numbers) text += (text.empty() ? "[" : ", ") + number.text();
    return (text + "]").c_str();
  }
};
