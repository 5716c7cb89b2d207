// The cost of an operator: the arithmetic and the bytes that `inspect`, `bench` and `profile` report, and that limits of
// work are for. Counts stop at the greatest number of 64 bits: a window may have 2^64 elements, nearly all of them padding.
#pragma once

#include <cstdint>
#include <span>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/saturating.hpp"

namespace webnn::schema {

struct Cost {
  std::uint64_t flops = 0;  // a multiplication, an addition and any other function of a number count as one each
  std::uint64_t bytes = 0;  // operands and outputs, each counted once
  Cost& operator+=(const Cost& other) {
    flops = (Saturating(flops) + other.flops).value();
    bytes = (Saturating(bytes) + other.bytes).value();
    return *this;
  }
  /// Whether both together are more; 0: no limit.
  bool exceeds(std::uint64_t limit) const { return limit != 0 && (Saturating(flops) + bytes).value() > limit; }
};

/// The cost of a call that `check_operator` accepts, with its outputs' descriptors. Views cost nothing.
Cost cost_of(const OperatorCall& call, std::span<const OperandDescriptor> outputs);
/// Includes the post-ops; their running result costs no bytes.
Cost cost_of(const KernelSpec& spec);

}  // namespace webnn::schema
