#include "runtime/cpu/onednn/keep_nan.hpp"

#include <memory>
#include <utility>

#include "runtime/cpu/onednn/late_kernel.hpp"
#include "runtime/cpu/onednn/post_ops.hpp"
#include "runtime/threads/parallel.hpp"

namespace webnn::runtime::onednn {
namespace {

void apply(OutputLimits limits, float* values, std::size_t count) {
  constexpr std::size_t grain = 20'000;
  parallel_for(count, grain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      values[i] = values[i] < limits.low ? limits.low : values[i] > limits.high ? limits.high : values[i];  // keeps NaN
  });
}

}  // namespace

Kernel keep_nan(PrepareWatched prepare, const KernelSpec& spec, Constants constants) {
  KernelSpec without = spec;
  const auto limits = take_limits(without);
  if (!limits) return prepare(spec, constants, nullptr);
  const auto watch = std::make_shared<InvalidWatch>();
  const auto again = std::make_shared<LateKernel>(
      [prepare](const KernelSpec& late, Constants its) { return prepare(late, its, nullptr); }, std::move(without),
      constants);
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
