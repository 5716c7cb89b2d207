#include "tests/harness/lines_of_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "schema/elements/aligned_bytes.hpp"
#include "schema/kernels/line_window.hpp"

namespace webnn::tests {
namespace {

AlignedBytes copy_of(std::span<const std::byte> bytes) {
  AlignedBytes copy = AlignedBytes::unwritten(bytes.size());
  std::ranges::copy(bytes, copy.data());
  return copy;
}

/// Bit for bit, except that all NaNs are one: which of two a sum keeps is the processor's choice.
bool same_numbers(DataType type, const std::byte* a, const std::byte* b, std::size_t bytes) {
  if (type != DataType::float32) return std::equal(a, a + bytes, b);
  for (std::size_t at = 0; at < bytes; at += sizeof(float)) {
    float first, second;
    std::memcpy(&first, a + at, sizeof first);
    std::memcpy(&second, b + at, sizeof second);
    const bool are_equal = std::memcmp(&first, &second, sizeof first) == 0;
    if (!are_equal && !(std::isnan(first) && std::isnan(second))) return false;
  }
  return true;
}

void fill(std::byte* from, std::byte* to) { std::fill(from, to, std::byte{0xff}); }

}  // namespace

void check_lines(const runtime::Kernel& kernel, const KernelSpec& spec, const OptionalTensors& inputs,
                 std::span<const std::byte> whole, std::byte* scratch) {
  if (!kernel.run_lines || spec.outputs[0].shape[0] != 1) return;
  const SlidingWindow window = sliding_windows(SpecCall(spec), spec.outputs[0].shape)[0];
  const auto lines = std::size_t(window.output);
  const std::size_t line_bytes = whole.size() / lines, input_line = inputs[0]->data.size() / std::size_t(window.input);
  std::vector<AlignedBytes> copies;
  std::vector<const std::byte*> addresses;
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    const bool is_there = i < inputs.size() && inputs[i];
    copies.push_back(copy_of(is_there ? std::span<const std::byte>(inputs[i]->data) : std::span<const std::byte>()));
    addresses.push_back(is_there ? copies[i].data() : nullptr);
  }
  const std::set<std::size_t> cuts = {0, std::min<std::size_t>(1, lines), lines / 3, lines - 1, lines};
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const std::size_t begin = *cut, end = *std::next(cut);
    std::ranges::copy(inputs[0]->data, copies[0].data());
    if (spec.input_layout(0) == Layout::channels_last) {
      std::byte* const x = copies[0].data();
      fill(x, x + std::min(first_line_seen(window, begin), std::size_t(window.input)) * input_line);
      fill(x + lines_seen(window, end) * input_line, x + inputs[0]->data.size());
    }
    AlignedBytes result = AlignedBytes::unwritten(whole.size());
    fill(result.data(), result.data() + whole.size());
    std::byte* const output = result.data();
    kernel.run_lines({addresses, std::span(&output, 1), scratch}, begin, end);
    const std::string place = "lines " + std::to_string(begin) + " to " + std::to_string(end);
    if (!same_numbers(spec.outputs[0].type, output + begin * line_bytes, whole.data() + begin * line_bytes,
                      (end - begin) * line_bytes))
      throw std::runtime_error(place + " differ from those of the whole");
    const auto is_filled = [](std::byte byte) { return byte == std::byte{0xff}; };
    if (!std::all_of(output, output + begin * line_bytes, is_filled) ||
        !std::all_of(output + end * line_bytes, output + whole.size(), is_filled))
      throw std::runtime_error("the kernel wrote other lines than " + place);
  }
}

}  // namespace webnn::tests
