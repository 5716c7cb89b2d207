#include "schema/kernels/line_window.hpp"

#include <algorithm>

namespace webnn::schema {

std::optional<SlidingWindow> line_window(KernelId kernel, const KernelSpec& spec) {
  const KernelRow& of = row(kernel);
  if (of.by_lines == nullptr || of.in_place != 0 || spec.outputs.size() != 1 || !of.by_lines(spec)) return std::nullopt;
  const Shape& output = spec.outputs[0].shape;
  if (output.rank() != 4 || output[0] != 1 || spec.output_layout(0) != Layout::channels_last) return std::nullopt;
  return sliding_windows(SpecCall(spec), output)[0];
}

std::size_t first_line_seen(const SlidingWindow& window, std::size_t line) {
  std::int64_t start = 0;
  if (__builtin_mul_overflow(std::int64_t(line), window.stride, &start)) return std::size_t(window.input);
  return std::size_t(std::clamp<std::int64_t>(start - window.begin, 0, window.input));
}

std::size_t lines_seen(const SlidingWindow& window, std::size_t lines) {
  if (lines == 0) return 0;
  if (lines >= std::size_t(window.output)) return std::size_t(window.input);
  std::int64_t end = 0;
  if (__builtin_mul_overflow(std::int64_t(lines - 1), window.stride, &end) ||
      __builtin_add_overflow(end, window.extent(), &end))
    return std::size_t(window.input);
  return std::size_t(std::clamp<std::int64_t>(end - window.begin, 0, window.input));
}

bool can_run_in_bands(KernelId before, const KernelSpec& spec_before, KernelId kernel, const KernelSpec& spec) {
  return spec.input_layout(0) == Layout::channels_last && line_window(before, spec_before) && line_window(kernel, spec);
}

}  // namespace webnn::schema
