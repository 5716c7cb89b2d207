// pad: a border of a constant, of the nearest edge, or of the mirrored inside. The axes behind the last padded one stay
// together as a unit; along each axis a table says which place of the input a place of the output shows.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/strided_copy.hpp"
#include "schema/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

constexpr std::int64_t border = -1;

/// One padded axis: byte offset in the input of each place of the output, or `border`.
using Places = std::vector<std::int64_t>;

/// A reflected border is narrower than the axis (the shape rule says so), so one reflection suffices.
std::int64_t source_place(std::string_view mode, std::int64_t place, std::int64_t size) {
  if (mode == "edge") return std::clamp<std::int64_t>(place, 0, size - 1);
  if (mode == "reflection") return place < 0 ? -place : place >= size ? 2 * (size - 1) - place : place;
  return place < 0 || place >= size ? border : place;
}

struct Pad {
  std::vector<Places> outer;  // of all axes before the last padded one
  Places last;                // of the last padded axis, in which [inside_begin, inside_end) is one run of the input
  std::size_t inside_begin = 0, inside_end = 0;
  std::size_t unit_bytes = 0;
  Pattern value;

  std::size_t row_bytes() const { return last.size() * unit_bytes; }
  std::size_t rows() const {
    std::size_t count = 1;
    for (const Places& places : outer) count *= places.size();
    return count;
  }

  void run_row(const std::byte* source, std::byte* target) const {
    border_units(source, target, 0, inside_begin);
    std::memcpy(target + inside_begin * unit_bytes, source + last[inside_begin],
                (inside_end - inside_begin) * unit_bytes);
    border_units(source, target, inside_end, last.size());
  }
  void fill_row(std::byte* target) const { value.fill(target, row_bytes()); }

  void run(const KernelArguments& arguments, std::size_t begin, std::size_t end) const {
    std::byte* target = arguments.outputs[0] + begin * row_bytes();
    for (std::size_t row = begin; row < end; ++row, target += row_bytes()) {
      std::size_t rest = row;
      std::int64_t offset = 0;
      for (std::size_t axis = outer.size(); axis-- > 0 && offset != border;) {
        const std::int64_t place = outer[axis][rest % outer[axis].size()];
        rest /= outer[axis].size();
        offset = place == border ? border : offset + place;
      }
      if (offset == border) {
        fill_row(target);
      } else {
        run_row(arguments.inputs[0] + offset, target);
      }
    }
  }

 private:
  void border_units(const std::byte* source, std::byte* target, std::size_t begin, std::size_t end) const {
    if (begin < end && last[begin] == border) {
      value.fill(target + begin * unit_bytes, (end - begin) * unit_bytes);
    } else {
      for (std::size_t i = begin; i < end; ++i) std::memcpy(target + i * unit_bytes, source + last[i], unit_bytes);
    }
  }
};

}  // namespace

Kernel prepare_pad(const KernelSpec& spec, Constants) {
  const auto operands = spec.root_operands();
  const OperatorCall call(spec.op, operands, spec.attributes);
  const Layout layout = common_layout(spec);
  const Shape inside = shape_in_memory(call.shape(0), layout);
  const Shape whole = shape_in_memory(spec.outputs[0].shape, layout);
  const auto before = call.u32_list("beginningPadding");
  const auto axes = axes_in_memory(inside.rank(), layout);
  const std::string_view mode = call.text("mode");

  Pad pad;
  std::byte value[8];
  schema::store(call.number("value", Number(0)), spec.outputs[0].type, value);
  pad.unit_bytes = element_bytes(spec.outputs[0].type);
  pad.value = Pattern(value, pad.unit_bytes);
  unsigned last = inside.rank();  // one past the last padded axis
  while (last > 0 && inside[last - 1] == whole[last - 1]) pad.unit_bytes *= inside[--last];
  auto stride = std::int64_t(pad.unit_bytes);
  for (unsigned axis = last; axis-- > 0; stride *= inside[axis]) {
    Places places(whole[axis]);
    for (std::int64_t i = 0; i < std::int64_t(places.size()); ++i) {
      const std::int64_t place = source_place(mode, i - before[axes[axis]], inside[axis]);
      places[std::size_t(i)] = place == border ? border : place * stride;
    }
    pad.outer.insert(pad.outer.begin(), std::move(places));
  }
  if (pad.outer.empty()) {  // nothing is padded
    pad.outer.push_back({0});
    pad.inside_end = 1;
  } else {
    pad.inside_begin = before[axes[last - 1]];
    pad.inside_end = pad.inside_begin + inside[last - 1];
  }
  pad.last = std::move(pad.outer.back());
  pad.outer.pop_back();
  return {[pad = std::move(pad)](const KernelArguments& arguments) {
    const std::size_t grain = 1 + 100'000 / pad.row_bytes();
    parallel_for(pad.rows(), grain, [&](std::size_t begin, std::size_t end) { pad.run(arguments, begin, end); });
  }};
}

}  // namespace webnn::runtime::simd
