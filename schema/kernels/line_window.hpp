// Lines: the rows of positions of a channels-last image. Kernels that compute some lines of their output alone
// (KernelRow::by_lines) run one after another in bands of lines. Of a result between two of them (Slot::Kind::lines) only
// some lines are in memory at a time, so it never leaves the cache.
#pragma once

#include <cstddef>
#include <optional>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/sliding_window.hpp"

namespace webnn::schema {

/// The lines of the first operand that each line of the output sees; of other operands it sees the same line. Nullopt: the
/// call cannot be computed by lines. `spec` has its layouts.
std::optional<SlidingWindow> line_window(KernelId kernel, const KernelSpec& spec);

/// The first line of the first operand that line `line` of the output sees, or one before it.
std::size_t first_line_seen(const SlidingWindow& window, std::size_t line);
/// How many lines of the first operand the first `lines` lines of the output see, with all before them.
std::size_t lines_seen(const SlidingWindow& window, std::size_t lines);

/// The most steps that run in bands together.
inline constexpr std::size_t most_steps_in_bands = 6;

/// Whether a step can run in bands together with the one before it, whose only result is its first operand.
bool can_run_in_bands(KernelId before, const KernelSpec& spec_before, KernelId kernel, const KernelSpec& spec);

/// For kernels that compute lines of any call.
inline bool any_lines(const KernelSpec&) { return true; }

}  // namespace webnn::schema
