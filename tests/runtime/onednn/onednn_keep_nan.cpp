// The second kernel, for runs that meet a NaN, counted with kernels of our own in place of oneDNN's.
#include <cfenv>
#include <doctest/doctest.h>
#include <limits>

#include "runtime/cpu/onednn/keep_nan.hpp"
#include "tests/harness/run_operator.hpp"

namespace webnn::tests::onednn_keep_nan_test {
namespace {

int prepared = 0, runs_with_limits = 0, runs_without = 0;

/// Copies its input.
runtime::Kernel counted(const KernelSpec&, runtime::Constants, runtime::InvalidWatch* watch) {
  ++prepared;
  return {[watch](const runtime::KernelArguments& arguments) {
    const float x = *reinterpret_cast<const float*>(arguments.inputs[0]);
    *reinterpret_cast<float*>(arguments.outputs[0]) = x;
    if (watch == nullptr) {
      ++runs_without;
      return;
    }
    ++runs_with_limits;
    watch->run([&] {
      if (x != x) std::feraiseexcept(FE_INVALID);
    });
  }};
}

}  // namespace

TEST_CASE("onednn: the kernel for runs that meet a NaN is prepared by the first of them, and once") {
  const TestTensor one = tensor(DataType::float32, {1, 1}, {1});
  KernelSpec spec = operator_spec("matmul", {one, one});
  append_post_op(spec, "relu"_op, {}, {running_result(spec)});
  const runtime::Kernel kernel = runtime::onednn::keep_nan(counted, spec, {});
  const auto run = [&](float x) {
    float y = 0;
    const std::byte* const inputs[] = {reinterpret_cast<const std::byte*>(&x), nullptr};
    std::byte* const outputs[] = {reinterpret_cast<std::byte*>(&y)};
    kernel.run({inputs, outputs});
    return y;
  };
  CHECK(run(2) == 2);
  CHECK(prepared == 1);
  for (int i = 0; i < 3; ++i) {
    const float y = run(std::numeric_limits<float>::quiet_NaN());
    CHECK(y != y);
  }
  CHECK(run(3) == 3);
  CHECK(prepared == 2);
  CHECK(runs_with_limits == 5);
  CHECK(runs_without == 3);
}

}  // namespace webnn::tests::onednn_keep_nan_test
