#include "runtime/cpu/onednn/keep_nan.hpp"

#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/threads/parallel.hpp"
#include "schema/elements/aligned_bytes.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::onednn {
namespace {

struct Limits {
  float low, high;

  void apply(float* values, std::size_t count) const {
    constexpr std::size_t grain = 20'000;
    parallel_for(count, grain, [this, values](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        values[i] = values[i] < low ? low : values[i] > high ? high : values[i];  // NaN stays NaN
    });
  }
};

/// Removes limits from the end of the spec's post-ops; nullopt when there are none.
std::optional<Limits> take_limits(KernelSpec& spec) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (spec.post_ops.empty()) return std::nullopt;
  PostOp& last = spec.post_ops.back();
  const OperatorCall call(last.op, {}, last.attributes);
  if (last.op == "relu"_op) {
    spec.post_ops.pop_back();
    return Limits{0, infinity};
  }
  if (last.op == "clamp"_op) {
    const Limits limits{float(call.number("minValue", Number(-infinity)).as_double()),
                        float(call.number("maxValue", Number(infinity)).as_double())};
    spec.post_ops.pop_back();
    return limits;
  }
  if (last.op == "hardSigmoid"_op) {  // a linear function and limits
    PostOp linear{"linear"_op, Attributes(row("linear"_op).attributes.size()), last.operands};
    for (const char* name : {"alpha", "beta"})
      linear.attributes[std::size_t(row("linear"_op).attribute_index(name))].emplace(call.real(name));
    last = std::move(linear);
    return Limits{0, 1};
  }
  return std::nullopt;
}

/// A kernel with its own scratch memory, prepared when it first runs.
class LateKernel {
 public:
  LateKernel(PrepareWatched prepare, KernelSpec spec, Constants constants)
      : prepare_(prepare), spec_(std::move(spec)), constants_(constants.begin(), constants.end()) {}

  void run(KernelArguments arguments) {
    std::call_once(prepared_, [this] {
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
  return {[=, run = std::move(kernel.run), limits = *limits](const KernelArguments& arguments) {
            watch->reset();
            run(arguments);
            if (!watch->met()) return;
            again->run(arguments);
            limits.apply(reinterpret_cast<float*>(arguments.outputs[0]), count);
          },
          kernel.scratch_bytes};
}

}  // namespace webnn::runtime::onednn
