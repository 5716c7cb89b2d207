// Post-ops of a kernel that does not apply them while it writes its output: elementwise steps over the output behind
// it. Limits of the output, the most frequent of them, are for kernels to apply.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>

#include "runtime/cpu/simd/isa.hpp"

namespace webnn::runtime::simd {

class Chain;

/// What a relu or clamp that comes first keeps the output in.
struct OutputLimits {
  float low = -std::numeric_limits<float>::infinity(), high = std::numeric_limits<float>::infinity();
  std::size_t post_ops = 0;  // that these are: 1, or 0 when the first post-op is another one
};
OutputLimits limits_of_first_post_op(const KernelSpec& spec);

/// The post-ops of a spec behind those that the kernel applies itself.
class Epilogue {
 public:
  template <Isa isa>
  static Epilogue of(const KernelSpec& spec, Constants constants, std::size_t applied);

  bool is_empty() const { return chain_ == nullptr; }
  /// Over the whole output. `arguments` are those of the kernel.
  void run(const KernelArguments& arguments) const;
  /// Over its elements [first, last), counted as they lie in memory, in the calling thread: while they are in its
  /// cache.
  void run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const;

 private:
  template <typename Run>
  void with_operands(const KernelArguments& arguments, Run run) const;

  std::shared_ptr<const Chain> chain_;  // null: nothing to do
  std::size_t first_ = 0, count_ = 0;   // of the chain's operands; `first_` is an operand of the kernel
  std::size_t running_ = 0;             // which of the chain's is the output as the kernel left it
};

/// The kernel `root`, which applies the first `applied` post-ops of `spec` itself, and then the others.
template <Isa isa>
Kernel with_post_ops(Kernel root, const KernelSpec& spec, Constants constants, std::size_t applied = 0);

}  // namespace webnn::runtime::simd
