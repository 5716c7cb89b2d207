// Every row of the kernel table that is not a reference row computes what the reference rows compute: random calls in
// every layout that the row takes, with and without post-ops, packed constants, results in place, several threads. No
// row of the CPU reads further than its operands go, or where it may, than the padding behind them.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <optional>

#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/parallel.hpp"
#include "schema/compare_tensors.hpp"
#include "tests/harness/gpu.hpp"
#include "tests/harness/machine.hpp"
#include "tests/harness/random_call.hpp"
#include "tests/harness/skip.hpp"

using namespace webnn;
using namespace webnn::tests;

namespace {

/// The greatest magnitude among the elements, 1 at least.
double peak_of(const std::vector<Tensor>& tensors) {
  double peak = 1;
  for (const Tensor& tensor : tensors)
    for (const Number& number : numbers(tensor))
      if (std::abs(number.as_double()) < 1e30) peak = std::max(peak, std::abs(number.as_double()));
  return peak;
}

/// How much larger layerNormalization makes its operand's rounding errors, at most: it divides by the deviation of a
/// run of elements that has the last axis in it.
double gain_of_normalization(const Tensor& operand) {
  constexpr double epsilon = 1e-5;
  const Numbers elements = numbers(operand);
  const Shape& shape = operand.descriptor.shape;
  const std::size_t run = shape.rank() == 0 ? 1 : shape[shape.rank() - 1];
  double gain = 1;
  for (std::size_t first = 0; first + run <= elements.size(); first += run) {
    double sum = 0, squares = 0;
    for (std::size_t i = first; i < first + run; ++i) sum += elements[i].as_double();
    for (std::size_t i = first; i < first + run; ++i)
      squares += std::pow(elements[i].as_double() - sum / double(run), 2);
    gain = std::max(gain, 1 / std::sqrt(squares / double(run) + epsilon));
  }
  return gain;
}

struct Expected {
  std::vector<Tensor> outputs;
  double peak = 1;  // of them and of what earlier steps gave, with what later steps make of its rounding errors
};

/// The call by reference kernels, one operator after another, all row-major.
Expected expected_outputs(const RandomCall& call) {
  std::vector<Tensor> results = run_steps(call.spec, call.inputs);
  double peak = peak_of(results);
  for (std::size_t i = 0; i < call.spec.post_ops.size(); ++i)
    if (const PostOp& post_op = call.spec.post_ops[i];
        post_op.op == "layerNormalization"_op && post_op.operands[0] != 0)
      peak *= gain_of_normalization(results[i + 1 - post_op.operands[0]]);
  if (!call.spec.post_ops.empty()) results.erase(results.begin(), results.end() - 1);
  return {std::move(results), peak};
}

/// Layouts for the call's activations as the row's rule allows them.
void choose_layouts(const KernelRow& kernel, KernelSpec& spec, std::mt19937& engine) {
  const auto choose = [&](Layout common) {
    switch (kernel.layouts) {
      case LayoutRule::row_major:
        return Layout::row_major;
      case LayoutRule::channels_last:
        return Layout::channels_last;
      case LayoutRule::uniform:
        return common;
      case LayoutRule::any:
        break;
    }
    return engine() % 2 ? Layout::row_major : Layout::channels_last;
  };
  const Layout common = engine() % 2 ? Layout::row_major : Layout::channels_last;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    spec.input_layouts.push_back(spec.is_activation(i) ? choose(common) : Layout::row_major);
  for (const OperandDescriptor& output : spec.outputs)
    spec.output_layouts.push_back(output.shape.rank() == 4 ? choose(common) : Layout::row_major);
}

/// Operands that are constants: those that must be, and most of those that the row packs.
std::uint8_t random_constants(const KernelRow& kernel, const KernelSpec& spec, std::mt19937& engine) {
  std::uint8_t constants = 0;
  for (std::size_t i = 0; i < spec.inputs.size() && i < 8; ++i) {
    const bool may_be = ((kernel.packs >> i) & 1u) && engine() % 4 != 0;
    if (spec.inputs[i] && (may_be || ((kernel.constants >> i) & 1u))) constants |= std::uint8_t(1u << i);
  }
  return constants;
}

/// An operand that the row may write its result over, now and then; -1: none.
int random_in_place(const KernelRow& kernel, const RandomCall& call, std::mt19937& engine) {
  int in_place = -1;
  for (std::size_t i = 0; i < call.inputs.size() && i < 8; ++i)
    if (((kernel.in_place >> i) & 1u) && call.inputs[i] && call.spec.inputs[i] == call.spec.outputs[0] &&
        call.spec.input_layout(i) == call.spec.output_layout(0) && engine() % 2 == 0)
      in_place = int(i);
  return in_place;
}

/// Runs a row on a call; nullopt where the device lacks what the row needs for it.
using RunRow = std::function<std::optional<std::vector<Tensor>>(const KernelRow&, RandomCall, std::mt19937&)>;

/// On the CPU. Constant operands are packed where the row packs.
std::optional<std::vector<Tensor>> on_cpu(const KernelRow& kernel, RandomCall call, std::mt19937& engine) {
  const runtime::KernelEntry* const entry = runtime::find_cpu_kernel(kernel.name);
  REQUIRE(entry != nullptr);
  RunOptions options;
  options.may_allocate = kernel.provider() == "onednn";  // the library allocates a little in every call
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i]) call.inputs[i] = in_layout(*call.inputs[i], Layout::row_major, call.spec.input_layout(i));
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    if (call.inputs[i] && i < 8 && ((call.spec.constants >> i) & 1u)) {
      options.constants.push_back(i);
      if (!((kernel.packs >> i) & 1u)) continue;
      const auto packed = entry->pack(call.spec, i, call.inputs[i]->data);
      if (!packed || engine() % 4 == 0) continue;
      call.inputs[i]->data.assign(packed->bytes.view().begin(), packed->bytes.view().end());
      call.spec.input_forms.resize(call.inputs.size());
      call.spec.input_forms[i] = packed->form;
      call.spec.input_layouts[i] = Layout::private_form;
    }
  for (std::size_t i = 0; i < call.inputs.size(); ++i)  // kernels may look at a number that is known
    if (call.inputs[i] && call.spec.inputs[i]->shape.rank() == 0 && engine() % 2) options.constants.push_back(i);
  options.in_place = random_in_place(kernel, call, engine);
  options.overreads = kernel.overreads;
  CAPTURE(options.in_place);
  const runtime::Team team(1 + engine() % 3);
  std::vector<Tensor> results = run_kernel(entry->prepare, call.spec, call.inputs, options);
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = in_layout(results[i], call.spec.output_layout(i), Layout::row_major);
  return results;
}

std::string attribute_text(const AttributeValue& value) {
  if (const auto* list = std::get_if<IntegerList>(&value)) {
    std::string text;
    for (const std::int64_t item : *list) text += (text.empty() ? "[" : ",") + std::to_string(item);
    return text + "]";
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* type = std::get_if<DataType>(&value)) return std::string(name_of(*type));
  return "...";
}

std::string text_of(const KernelSpec& spec) {
  std::string text(row(spec.op).name);
  for (std::size_t i = 0; i < spec.inputs.size(); ++i)
    text += " " + (spec.inputs[i] ? spec.inputs[i]->text() : "-") + "/" + std::string(name_of(spec.input_layout(i)));
  for (std::size_t i = 0; i < spec.attributes.size(); ++i)
    if (spec.attributes[i])
      text += " " + std::string(row(spec.op).attributes[i].name) + "=" + attribute_text(*spec.attributes[i]);
  for (const PostOp& post_op : spec.post_ops) {
    text += " then " + std::string(row(post_op.op).name);
    for (std::size_t i = 0; i < row(post_op.op).operands.size(); ++i)
      text += " _" + std::to_string(post_op.operands[i]);
  }
  return text;
}

/// Differences by rounding alone: relative to the greatest value where sums may cancel, to the element elsewhere.
Tolerance tolerance(const OperandDescriptor& output, double peak) {
  if (!is_float(output.type)) return {.absolute = 1};  // a value on the edge between two roundings
  const double epsilon = output.type == DataType::float16 ? 1.0 / 1024 : 1.0 / (1 << 20);
  return {.ulp = 16, .absolute = 8 * epsilon * peak};
}

void compare_with_reference(const KernelRow& kernel, OperatorId op, DataType type, const Target& target,
                            const RunRow& run, std::mt19937& engine, int wanted) {
  CAPTURE(kernel.name);
  CAPTURE(row(op).name);
  CAPTURE(name_of(type));
  int taken = 0;
  for (int attempt = 0; attempt < 60 * wanted && taken < wanted; ++attempt) {
    RandomCall call = random_call(op, type, engine);
    call.spec.constants = random_constants(kernel, call.spec, engine);
    // Some rows take groups only: what the first post-ops make of a call need not be one yet.
    for (int more = 0; kernel.post_ops && (engine() % 3 != 0 || more < 3); ++more) {
      RandomCall longer = call;
      if (append_random_post_op(longer, engine) &&
          (takes(kernel, longer.spec, target) || !takes(kernel, call.spec, target)))
        call = std::move(longer);
    }
    if (!takes(kernel, call.spec, target)) continue;
    choose_layouts(kernel, call.spec, engine);
    if (!takes_layouts(kernel, call.spec)) continue;
    ++taken;
    const std::string call_text = text_of(call.spec);
    CAPTURE(call_text);
    const auto [expected, peak] = expected_outputs(call);
    const auto ran = run(kernel, call, engine);
    if (!ran) {
      skip_part(kernel.name, "this device lacks what the kernel needs");
      return;
    }
    const std::vector<Tensor>& actual = *ran;
    REQUIRE(actual.size() == expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
      const Comparison comparison = compare_tensors(expected[i].descriptor, actual[i].data, expected[i].data,
                                                    tolerance(expected[i].descriptor, peak));
      CAPTURE(comparison.max_absolute);
      CAPTURE(comparison.max_ulp);
      REQUIRE(comparison.mismatches == 0);
    }
  }
  CHECK_MESSAGE(taken > 0, "chance makes no call that the row takes");
}

/// Every row of the target's device but the reference rows; the number of rows.
std::size_t compare_rows(const Target& target, const RunRow& run, int calls_of_one, int calls_of_many) {
  std::mt19937 engine(20240607);
  std::size_t tested = 0;
  for (const KernelRow& kernel : kernel_table()) {
    if (kernel.device != target.device || kernel.provider() == "reference") continue;
    if (!includes(target.features, kernel.features)) {
      skip_part(kernel.name, machine_lacks(kernel.features));
      continue;
    }
    std::vector<OperatorId> operators;
    for (std::uint16_t i = 0; i < all_operators().size(); ++i)
      if (kernel.op.empty() ? row(OperatorId{i}).family == kernel.family : row(OperatorId{i}).name == kernel.op)
        operators.push_back({i});
    const int wanted = operators.size() == 1 ? calls_of_one : calls_of_many;
    for (const OperatorId op : operators)
      for (std::size_t type = 0; type < data_type_count; ++type)
        if (kernel.types.contains(DataType(type)) && row(op).operands[0].types.contains(DataType(type)))
          compare_with_reference(kernel, op, DataType(type), target, run, engine, wanted);
    ++tested;
  }
  return tested;
}

}  // namespace

TEST_CASE("kernel rows: every fast kernel gives what the reference kernels give, on random calls") {
  const runtime::CpuDevice device;  // other devices of this process may have kept a library from some instructions
  MESSAGE(compare_rows(device.target(), on_cpu, 40, 8) << " rows compared");
}

TEST_CASE("kernel rows: every kernel of the GPU gives what the reference kernels give, on random calls") {
  const auto device = open_test_gpu();
  if (!device) return;
  const auto on_gpu = [&](const KernelRow& kernel, const RandomCall& call,
                          std::mt19937& engine) -> std::optional<std::vector<Tensor>> {
    if (!device->can_run(id_of(kernel), call.spec)) return std::nullopt;
    return run_on_device(*device, id_of(kernel), call.spec, call.inputs, random_in_place(kernel, call, engine));
  };
  CHECK(compare_rows(device->target(), on_gpu, 6, 2) > 0);
}
