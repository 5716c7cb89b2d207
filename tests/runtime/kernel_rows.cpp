// Every row of the kernel table that is not a reference row computes what the reference rows compute, within the error
// bound of the call: random calls in every type that the row lists and every layout that it takes, with and without
// post-ops, packed constants, results in place, several threads, NaN and infinities. No row of the CPU reads further
// than its operands go, or where it may, than the padding behind them.
#include <doctest/doctest.h>
#include <functional>
#include <optional>

#include "api/kernels.hpp"
#include "runtime/cpu/cpu_device.hpp"
#include "runtime/cpu/kernel_list.hpp"
#include "runtime/threads/parallel.hpp"
#include "runtime/vulkan/gpu.hpp"
#include "schema/operators/elementwise.hpp"
#include "tests/harness/error_bound/error_bound.hpp"
#include "tests/harness/machine/gpu.hpp"
#include "tests/harness/machine/machine.hpp"
#include "tests/harness/machine/sanitizers.hpp"
#include "tests/harness/random/random_call.hpp"
#include "tests/harness/random/row_call.hpp"
#include "tests/harness/skip.hpp"

namespace kernel_rows_test {

using namespace webnn;
using namespace webnn::tests;

namespace {

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
using RunRow = std::function<std::optional<std::vector<TestTensor>>(const KernelRow&, RandomCall, std::mt19937&)>;

void to_row_major(std::vector<TestTensor>& results, const KernelSpec& spec) {
  for (std::size_t i = 0; i < results.size(); ++i)
    results[i] = in_layout(results[i], spec.output_layout(i), Layout::row_major);
}

std::optional<std::vector<TestTensor>> on_cpu(const KernelRow& kernel, RandomCall call, std::mt19937& engine) {
  const runtime::ListedCpuKernel* const entry = runtime::cpu_kernels().find({&kernel});
  REQUIRE(entry != nullptr);
  RunOptions options;
  // oneDNN allocates a little in every call. XNNPACK's rows prepare a second kernel when they first meet a NaN.
  options.may_allocate = kernel.provider() == "onednn" || kernel.provider() == "xnnpack";
  options.constants = arrange_operands(kernel, call, engine);
  for (std::size_t i = 0; i < call.inputs.size(); ++i)  // kernels may look at a number that is known
    if (call.inputs[i] && call.spec.inputs[i]->shape.rank() == 0 && engine() % 2) options.constants.push_back(i);
  options.in_place = random_in_place(kernel, call, engine);
  options.overreads = kernel.overreads;
  CAPTURE(options.in_place);
  const runtime::Team team(1 + engine() % 3);
  std::vector<TestTensor> results = run_kernel(entry->prepare, call.spec, call.inputs, options);
  to_row_major(results, call.spec);
  return results;
}

/// Chance makes calls of an operator on a type, until the row has run `wanted` of them.
class Comparison {
 public:
  Comparison(const KernelRow& kernel, OperatorId op, DataType type, const Target& target, const RunRow& run,
             std::mt19937& engine)
      : kernel_(kernel), op_(op), type_(type), target_(target), run_(run), engine_(engine) {}

  void run(int wanted) {
    const std::string name =
        std::string(kernel_.name) + ", " + std::string(row(op_).name) + " of " + std::string(name_of(type_));
    CAPTURE(name);
    constexpr std::size_t few = 16;
    int compared = 0, refused = 0;
    // A single call may give nothing but sums that overflow, and the elements of all calls may be few.
    const auto little_is_known = [&] { return elements_ <= few && unknown_ * 2 > elements_; };
    // A row of groups takes few of the calls that chance makes: it gets many attempts for its first one.
    const auto most_attempts = [&] { return compared + refused == 0 ? 3'000 : 60 * wanted; };
    for (int attempt = 0; attempt < most_attempts() && (compared + refused < wanted || little_is_known()); ++attempt) {
      auto call = call_for_row();
      if (!call) continue;
      const std::string call_text = text_of(call->spec);
      CAPTURE(call_text);
      ++(compare(*call) ? compared : refused);
      if (failed_) return;  // one call of a row is enough to see
    }
    CHECK_MESSAGE(unknown_ * 2 <= elements_, "nothing is known of ", unknown_, " of ", elements_, " elements");
    if (compared > 0) return;
    if (refused > 0) return skip_part(name, "this device cannot run the row's calls");
    FAIL_CHECK("chance makes no call that the row takes: ", name);
  }

 private:
  /// Nullopt when chance made no call that the row takes.
  std::optional<RandomCall> call_for_row() {
    RandomCall call = random_call(op_, type_, engine_);
    special_ = is_float(type_) && engine_() % 6 == 0;
    if (special_) add_special_elements(call, engine_);
    call.spec.constants = random_constants(kernel_, call.spec, engine_);
    // Some rows take groups only: what the first post-ops make of a call need not be one yet.
    for (int more = 0; kernel_.can_apply && (engine_() % 3 != 0 || more < 3); ++more) {
      RandomCall longer = call;
      if (append_random_post_op(longer, engine_) &&
          (takes(kernel_, longer.spec, target_) || !takes(kernel_, call.spec, target_)))
        call = std::move(longer);
    }
    if (!takes(kernel_, call.spec, target_)) return std::nullopt;
    choose_layouts(kernel_, call.spec, engine_);
    if (!takes_layouts(kernel_, call.spec)) return std::nullopt;
    return call;
  }

  /// False where the device lacks what the row needs for the call.
  bool compare(const RandomCall& call) {
    const auto actual = run_(kernel_, call, engine_);
    if (!actual) return false;
    const std::vector<BoundedTensor> expected = bounded_outputs(call.spec, call.inputs);
    REQUIRE(actual->size() == expected.size());
    for (std::size_t i = 0; i < actual->size(); ++i) {
      const BoundCheck check = check_within(expected[i], (*actual)[i].data);
      CHECK_MESSAGE(check.beyond == 0, check.beyond, " of ", check.count,
                    " elements are beyond their bounds: ", check.text);
      failed_ |= check.beyond != 0;
      if (special_) continue;
      elements_ += check.count;
      unknown_ += check.unknown;
    }
    return true;
  }

  const KernelRow& kernel_;
  OperatorId op_;
  DataType type_;
  const Target& target_;
  const RunRow& run_;
  std::mt19937& engine_;
  bool special_ = false;  // the call has NaN or infinities
  bool failed_ = false;
  std::size_t elements_ = 0, unknown_ = 0;  // of all calls without NaN and infinities
};

/// Rows for a family of elementwise operators leave out those that the vector kernels have no function for.
bool has_function(const KernelRow& kernel, OperatorId op, DataType type) {
  const ElementwiseRow* const elementwise = find_elementwise(op);
  if (elementwise == nullptr || kernel.provider() != "simd") return true;
  return (is_float(type) ? elementwise->floats : elementwise->integers) != Work::none;
}

/// Every row of the target's device but the reference rows, each operator in each type that it lists; how many rows.
std::size_t compare_rows(const Target& target, const RunRow& run, int calls_of_one, int calls_of_many) {
  std::mt19937 engine(20240607);
  std::size_t tested = 0;
  for (const KernelRow& kernel : api::kernel_table()) {
    if (kernel.device != target.device || kernel.provider() == "reference") continue;
    if (!includes(target.features, kernel.features)) {
      skip_part(kernel.name, machine_lacks(kernel.features));
      continue;
    }
    std::vector<OperatorId> operators;
    for (std::uint16_t i = 0; i < all_operators().size(); ++i)
      if (is_for(kernel, row(OperatorId{i}))) operators.push_back({i});
    // Tiles of a GPU are one shader with other numbers, and drivers on the CPU take long to compile it.
    const auto is_named = [&](std::string_view word) { return kernel.name.find(word) != std::string_view::npos; };
    const bool one_of_many = operators.size() != 1 || is_named(".tiled_") || is_named(".units");
    const int wanted = one_of_many ? calls_of_many : calls_of_one;
    for (const OperatorId op : operators)
      for (std::size_t type = 0; type < data_type_count; ++type)
        if (kernel.types.contains(DataType(type)) && row(op).operands[0].types.contains(DataType(type)) &&
            has_function(kernel, op, DataType(type)))
          Comparison(kernel, op, DataType(type), target, run, engine).run(wanted);
    ++tested;
  }
  return tested;
}

/// Sums of more terms than 16 bits count, all 1: every result is a whole number, and no order rounds it.
std::vector<RandomCall> long_sums() {
  constexpr std::uint32_t terms = 70001;
  const auto ones = [](const Shape& shape) {
    return tensor(DataType::float32, shape, Numbers(element_count(shape), Number(1)));
  };
  std::vector<RandomCall> calls;
  const auto add = [&](std::string_view op, const OptionalTensors& inputs, const NamedAttributes& attributes) {
    calls.push_back({operator_spec(op, inputs, attributes), inputs});
    calls.back().inputs.resize(calls.back().spec.inputs.size());
  };
  for (const char* op : {"reduceSum", "reduceL1", "reduceSumSquare", "reduceMean", "reduceMax"}) {
    add(op, {ones({terms})}, {});
    add(op, {ones({2, terms})}, {{"axes", IntegerList{1}}});
    add(op, {ones({terms, 3})}, {{"axes", IntegerList{0}}});
  }
  add("cumulativeSum", {ones({terms})}, {{"axis", 0}});
  add("cumulativeSum", {ones({terms, 3})}, {{"axis", 0}});
  add("matmul", {ones({2, terms}), ones({terms, 3})}, {});
  add("gemm", {ones({2, terms}), ones({terms, 3}), ones({3})}, {});
  add("conv2d", {ones({1, terms, 2, 2}), ones({4, terms, 1, 1})}, {});
  add("averagePool2d", {ones({1, 16, 265, 265})}, {});
  return calls;
}

/// Every row on those of the sums that it takes; how many were compared.
std::size_t compare_long_sums(const Target& target, const RunRow& run) {
  std::mt19937 engine(1);
  std::size_t compared = 0;
  for (RandomCall call : long_sums()) {
    const std::vector<BoundedTensor> expected = bounded_outputs(call.spec, call.inputs);
    for (const KernelRow& kernel : api::kernel_table()) {
      call.spec.constants = std::uint8_t(kernel.constants | kernel.packs);
      call.spec.input_layouts.clear(), call.spec.output_layouts.clear();
      if (kernel.provider() == "reference" || !takes(kernel, call.spec, target)) continue;
      choose_layouts(kernel, call.spec, engine);
      if (!takes_layouts(kernel, call.spec)) continue;
      const auto actual = run(kernel, call, engine);
      if (!actual) continue;
      const BoundCheck check = check_within(expected[0], (*actual)[0].data);
      CHECK_MESSAGE(check.beyond == 0, kernel.name, ": ", text_of(call.spec), ": ", check.text);
      ++compared;
    }
  }
  return compared;
}

}  // namespace

TEST_CASE("kernel rows: sums of 70,001 terms lack none") {
  const runtime::CpuDevice device;
  CHECK(compare_long_sums(device.target(), on_cpu) > 15);
}

TEST_CASE("kernel rows: every fast kernel gives what the reference kernels give, on random calls") {
  const runtime::CpuDevice device;  // other devices of this process may have kept a library from some instructions
  CHECK(compare_rows(device.target(), on_cpu, under_sanitizer ? 6 : 30, under_sanitizer ? 2 : 6) > 10);
}

TEST_CASE("kernel rows: every kernel of the GPU gives what the reference kernels give, on random calls") {
  if (under_sanitizer) return skip("a sanitizer makes thousands of calls take too long");
  const auto whole = open_test_gpu();
  if (!whole) return;
  const auto in_slices = open_test_gpu(runtime::GpuOptions{.flops_at_once = 100'000});
  const auto on_gpu = [&](const KernelRow& kernel, RandomCall call,
                          std::mt19937& engine) -> std::optional<std::vector<TestTensor>> {
    arrange_operands(kernel, call, engine);
    const auto& device = engine() % 2 == 0 ? whole : in_slices;
    if (!device->can_run(KernelId{&kernel}, call.spec)) return std::nullopt;
    const int in_place = random_in_place(kernel, call, engine);
    std::vector<TestTensor> results = run_on_device(*device, KernelId{&kernel}, call.spec, call.inputs, in_place);
    to_row_major(results, call.spec);
    return results;
  };
  CHECK(compare_rows(whole->target(), on_gpu, 6, 1) > 0);
}

}  // namespace kernel_rows_test
