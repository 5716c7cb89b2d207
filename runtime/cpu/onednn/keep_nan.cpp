#include "runtime/cpu/onednn/keep_nan.hpp"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/elements/memory_account.hpp"

namespace webnn::runtime::onednn {
namespace {

void apply(OutputLimits limits, float* values, std::size_t count) {
  constexpr std::size_t grain = 20'000;
  parallel_for(count, grain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      values[i] = values[i] < limits.low ? limits.low : values[i] > limits.high ? limits.high : values[i];  // keeps NaN
  });
}

/// A kernel with its own scratch memory, prepared when it first runs. That counts as what was prepared before.
class LateKernel {
 public:
  LateKernel(PrepareWatched prepare, KernelSpec spec, Constants constants)
      : prepare_(prepare),
        spec_(std::move(spec)),
        constants_(constants.begin(), constants.end()),
        account_(current_account()) {}

  void run(KernelArguments arguments) {
    std::call_once(prepared_, [this] {
      const AccountScope scope(account_);
      kernel_ = prepare_(spec_, constants_, nullptr);
      scratch_ = AlignedBytes(kernel_.scratch_bytes);
    });
    arguments.scratch = scratch_.data();
    kernel_.run(arguments);
  }

 private:
  PrepareWatched prepare_;
  KernelSpec spec_;
  std::vector<std::span<const std::byte>> constants_;  // valid as long as the kernel
  std::shared_ptr<MemoryAccount> account_;
  std::once_flag prepared_;
  Kernel kernel_;
  AlignedBytes scratch_{0};
};

}  // namespace

Kernel keep_nan(PrepareWatched prepare, const KernelSpec& spec, Constants constants) {
  KernelSpec without = spec;
  const auto limits = take_limits(without);
  if (!limits) return prepare(spec, constants, nullptr);
  const auto watch = std::make_shared<InvalidWatch>();
  const auto again = std::make_shared<LateKernel>(prepare, std::move(without), constants);
  Kernel kernel = prepare(spec, constants, watch.get());
  const std::size_t count = element_count(spec.outputs[0].shape);
  kernel.run = [=, run = std::move(kernel.run), limits = *limits](const KernelArguments& arguments) {
    watch->reset();
    run(arguments);
    if (!watch->met()) return;
    again->run(arguments);
    apply(limits, reinterpret_cast<float*>(arguments.outputs[0]), count);
  };
  return kernel;
}

}  // namespace webnn::runtime::onednn
