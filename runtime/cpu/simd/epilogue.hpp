// An epilogue applies post-ops behind a kernel that does not apply them while writing its output: an elementwise chain
// over the output. Kernels apply limits of the output themselves, because these are the most frequent post-ops.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

class Chain;

/// The limits that a relu or clamp sets for the output.
struct OutputLimits {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  std::size_t post_ops = 0;  // number of post-ops covered: 1, or 0 when that post-op is none or another operator
};
OutputLimits limits_of_post_op(const KernelSpec& spec, std::size_t index);
inline OutputLimits limits_of_first_post_op(const KernelSpec& spec) { return limits_of_post_op(spec, 0); }

/// The post-ops of a spec behind those that the kernel applies itself.
class Epilogue {
 public:
  static Epilogue of(const KernelSpec& spec, Constants constants, Isa isa, std::size_t applied);

  bool is_empty() const { return chain_ == nullptr; }
  /// Applies them to the whole output. `arguments` are the kernel's.
  void run(const KernelArguments& arguments) const;
  /// Applies them to elements [first, last) in memory order.
  void run_elements(const KernelArguments& arguments, std::size_t first, std::size_t last) const;
  /// The same in the calling thread, while they are in its cache.
  void run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const;

 private:
  template <typename Run>
  void with_operands(const KernelArguments& arguments, Run run) const;

  std::shared_ptr<const Chain> chain_;  // null: nothing to do
  std::size_t first_ = 0, count_ = 0;   // the chain's operands: `count_` inputs of the kernel from `first_` on
  std::size_t running_ = 0;             // which operand of the chain is the output as the kernel left it
};

/// The kernel `root`, which applies the first `applied` post-ops of `spec` itself, followed by the others.
Kernel with_post_ops(Kernel root, const KernelSpec& spec, Constants constants, Isa isa, std::size_t applied = 0);

}  // namespace webnn::runtime::simd
