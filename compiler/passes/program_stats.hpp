// What the compiler has made of a graph, in numbers: `--stats`.
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
  std::size_t fused_steps = 0;  // with post-ops
  std::size_t post_ops = 0;
  std::size_t views = 0;     // values that needed no step
  std::size_t in_place = 0;  // outputs in the place of an operand
  std::size_t reorders = 0;
  std::uint64_t reordered_bytes = 0;
  std::size_t constants = 0;
  std::size_t packed_constants = 0;
  std::uint64_t constant_bytes = 0;
  std::uint64_t arena_bytes = 0;
  std::uint64_t live_bytes = 0;  // most bytes of the arena that are needed at one time; no plan has a smaller arena
  std::uint64_t flops = 0;
  std::map<std::string_view, std::size_t> kernels;  // steps by kernel
  std::string of_others;                            // "softmax (simd)", of a preferred provider; see other_providers
};

/// `provider`: whose kernels were preferred; empty: nobody's.
ProgramStats stats_of(const Program& program, std::string_view provider);

/// A table for people. `nodes` is how many the graph had before the passes.
std::string text_of(const ProgramStats& stats, std::size_t nodes);

}  // namespace webnn::compiler
