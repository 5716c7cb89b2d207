// The cost of an operator: the arithmetic and the bytes that `inspect`, `bench` and `profile` report.
#pragma once

#include <cstdint>
#include <span>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::schema {

struct Cost {
  std::uint64_t flops = 0;  // a multiplication, an addition and any other function of a number count as one each
  std::uint64_t bytes = 0;  // operands and outputs, each counted once
  Cost& operator+=(const Cost& other) {
    flops += other.flops;
    bytes += other.bytes;
    return *this;
  }
};

/// The cost of a call that `check_operator` accepts, with its outputs' descriptors. Views cost nothing.
Cost cost_of(const OperatorCall& call, std::span<const OperandDescriptor> outputs);
/// Includes the post-ops; their running result costs no bytes.
Cost cost_of(const KernelSpec& spec);

}  // namespace webnn::schema
