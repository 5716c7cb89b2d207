// Statistics of the compiled program: `--stats`.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "schema/kernels/cost.hpp"
#include "schema/program.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

struct ProgramStats {
  std::size_t steps = 0;
  std::size_t fused_steps = 0;  // steps with post-ops
  std::size_t post_ops = 0;
  std::size_t views = 0;     // values without a step
  std::size_t in_place = 0;  // outputs that overwrite an operand
  std::size_t reorders = 0;
  std::uint64_t reordered_bytes = 0;
  std::size_t constants = 0;
  std::size_t packed_constants = 0;
  std::uint64_t constant_bytes = 0;
  std::uint64_t arena_bytes = 0;
  std::uint64_t live_bytes = 0;  // maximum bytes of the arena in use at one time: a lower bound for its size
  std::uint64_t flops = 0;
  std::map<std::string_view, std::size_t> kernels;  // steps by kernel
  std::string of_others;  // "softmax (simd)": operators not run by a preferred provider; see other_providers
};

/// `provider`: the preferred provider of kernels; empty: none.
ProgramStats stats_of(const Program& program, std::string_view provider);

/// A table for people. `nodes` is the number of nodes before the passes.
std::string text_of(const ProgramStats& stats, std::size_t nodes);

}  // namespace webnn::compiler
