#include "runtime/cpu/xnnpack/keep_nan.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/cpu/xnnpack/operator.hpp"
#include "runtime/plain_convolution.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/memory_account.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::xnnpack {

namespace {

double greatest_of(std::span<const std::byte> constant) {
  const float* const values = elements<float>(constant);
  return values == nullptr ? 0 : double(std::bit_cast<float>(greatest_bits(values, constant.size() / sizeof(float))));
}

/// A bound for inputs: when all are below it, no sum of products exceeds the range of float32, so none can become NaN.
/// 0 if a weight is not a number.
float safe_magnitude(const KernelSpec& spec, Constants constants) {
  constexpr double largest = std::numeric_limits<float>::max();
  const auto products = double(element_count(spec.inputs[1]->shape));  // maximum for one result
  const bool has_bias = spec.root_operand_count() > 2 && spec.inputs[2];
  const double room = largest / 2 - (has_bias ? greatest_of(constants[2]) : 0);
  const double safe = std::min(room / (greatest_of(constants[1]) * products), largest);
  return safe > 0 ? float(safe) : 0;  // also when it is NaN
}

/// The plain computation, prepared when it is first needed, as graphs rarely meet a NaN. It counts in the account of
/// what was prepared before.
class LatePlain {
 public:
  LatePlain(KernelSpec spec, Constants constants)
      : spec_(std::move(spec)), constants_(constants.begin(), constants.end()), account_(current_account()) {}

  void run(const KernelArguments& arguments, std::int32_t unsafe) {
    if (!plain_) {  // runs follow one another
      const AccountScope scope(account_);
      plain_ = std::make_unique<PlainConvolution>(spec_);
      plain_->take_weights(elements<float>(constants_[1]));
    }
    const Range range = range_of(spec_);
    const float* const bias = constants_.size() > 2 ? elements<float>(constants_[2]) : nullptr;
    // All positions for weights that are not finite: XNNPACK multiplies them with zeros where a tap is outside.
    plain_->run(input<float>(arguments), output<float>(arguments), {bias, range.low, range.high}, unsafe);
  }

 private:
  KernelSpec spec_;
  std::vector<std::span<const std::byte>> constants_;  // valid as long as the kernel
  std::shared_ptr<MemoryAccount> account_;
  std::unique_ptr<PlainConvolution> plain_;
};

}  // namespace

Kernel keep_nan(const KernelSpec& spec, Constants constants, Kernel fast) {
  const float safe = safe_magnitude(spec, constants);
  const auto late = std::make_shared<LatePlain>(spec, constants);
  const auto mend = [late, fast = fast.run, unsafe = std::bit_cast<std::int32_t>(safe)](const auto& arguments) {
    fast(arguments);  // right wherever no such element is seen
    late->run(arguments, unsafe);
  };
  return where_small(safe, element_count(spec.inputs[0]->shape), std::move(fast), mend);
}

Kernel where_small(float safe, std::size_t count, Kernel fast, Plain plain) {
  fast.run = [=, run = std::move(fast.run), plain = std::move(plain),
              safe = std::bit_cast<std::int32_t>(safe)](const KernelArguments& arguments) {
    std::atomic<bool> is_safe = true;
    const float* const x = input<float>(arguments);
    constexpr std::size_t grain = 100'000;
    parallel_for(count, grain, [&](std::size_t begin, std::size_t end) {
      if (greatest_bits(x + begin, end - begin) >= safe) is_safe = false;
    });
    (is_safe ? run : plain)(arguments);
  };
  return fast;
}

}  // namespace webnn::runtime::xnnpack
