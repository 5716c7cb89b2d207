// pad: a border of a constant, of the nearest edge, or of the mirrored interior. The axes behind the last padded one
// are moved as one unit. Source positions are computed where they are needed, because a table of them could be larger
// than the output.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/simd/movement/strided_copy.hpp"
#include "runtime/cpu_kernel.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::simd {
namespace {

constexpr std::int64_t border = -1;

enum class Mode : std::uint8_t { constant, edge, reflection };

Mode mode_of(std::string_view word) {
  if (word == "edge") return Mode::edge;
  return word == "reflection" ? Mode::reflection : Mode::constant;
}

/// One padded axis.
struct PaddedAxis {
  Mode mode = Mode::constant;
  std::int64_t size = 1, inside = 1, before = 0;  // of the output, of the input, and where the input begins
  std::int64_t stride = 0;                        // in bytes, of the input

  /// The byte offset in the input of a position of the output, or `border`. A reflected border is narrower than the
  /// axis (the shape rule ensures that), so one reflection suffices.
  std::int64_t offset(std::int64_t output) const {
    std::int64_t place = output - before;
    if (place < 0 || place >= inside) {
      if (mode == Mode::constant) return border;
      if (mode == Mode::edge)
        place = place < 0 ? 0 : inside - 1;
      else
        place = place < 0 ? -place : 2 * (inside - 1) - place;
    }
    return place * stride;
  }
};

struct Pad {
  std::vector<PaddedAxis> outer;  // all axes before the last padded one
  PaddedAxis last;
  std::size_t unit_bytes = 0;
  Pattern value;

  std::size_t row_bytes() const { return std::size_t(last.size) * unit_bytes; }
  std::size_t rows() const {
    std::size_t count = 1;
    for (const PaddedAxis& axis : outer) count *= std::size_t(axis.size);
    return count;
  }

  void run_row(const std::byte* source, std::byte* target) const {
    const auto begin = std::size_t(last.before), inside = std::size_t(last.inside);
    border_units(source, target, 0, begin);
    std::memcpy(target + begin * unit_bytes, source, inside * unit_bytes);
    border_units(source, target, begin + inside, std::size_t(last.size));
  }
  void fill_row(std::byte* target) const { value.fill(target, row_bytes()); }

  void run(const KernelArguments& arguments, std::size_t begin, std::size_t end) const {
    std::byte* target = arguments.outputs[0] + begin * row_bytes();
    for (std::size_t row = begin; row < end; ++row, target += row_bytes()) {
      std::size_t rest = row;
      std::int64_t offset = 0;
      for (std::size_t axis = outer.size(); axis-- > 0 && offset != border;) {
        const auto size = std::size_t(outer[axis].size);
        const std::int64_t along = outer[axis].offset(std::int64_t(rest % size));
        rest /= size;
        offset = along == border ? border : offset + along;
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
    if (last.mode == Mode::constant) return value.fill(target + begin * unit_bytes, (end - begin) * unit_bytes);
    for (std::size_t i = begin; i < end; ++i)
      std::memcpy(target + i * unit_bytes, source + last.offset(std::int64_t(i)), unit_bytes);
  }
};

}  // namespace

Kernel prepare_pad(const KernelSpec& spec, Constants) {
  const SpecCall call(spec);
  const Layout layout = common_layout(spec);
  const Shape inside = shape_in_memory(call.shape(0), layout);
  const Shape whole = shape_in_memory(spec.outputs[0].shape, layout);
  const auto before = call.u32_list("beginningPadding");
  const auto axes = axes_in_memory(inside.rank(), layout);
  const Mode mode = mode_of(call.text("mode"));

  Pad pad;
  std::byte value[8];
  schema::store(call.number("value", Number(0)), spec.outputs[0].type, value);
  pad.unit_bytes = element_bytes(spec.outputs[0].type);
  pad.value = Pattern(value, pad.unit_bytes);
  unsigned last = inside.rank();  // one past the last padded axis
  while (last > 0 && inside[last - 1] == whole[last - 1]) pad.unit_bytes *= inside[--last];
  auto stride = std::int64_t(pad.unit_bytes);
  for (unsigned axis = last; axis-- > 0; stride *= inside[axis])
    pad.outer.insert(pad.outer.begin(), {mode, whole[axis], inside[axis], before[axes[axis]], stride});
  if (pad.outer.empty()) pad.outer.emplace_back();  // nothing is padded: a single unit
  pad.last = pad.outer.back();
  pad.outer.pop_back();
  return {[pad = std::move(pad)](const KernelArguments& arguments) {
    const std::size_t grain = 1 + 100'000 / pad.row_bytes();
    parallel_for(pad.rows(), grain, [&](std::size_t begin, std::size_t end) { pad.run(arguments, begin, end); });
  }};
}

constexpr CpuKernel pad_list[] = {
    {.row = {.name = "pad", .op = "pad", .types = whole_bytes, .layouts = LayoutRule::uniform}, .prepare = prepare_pad},
};
extern constexpr CpuKernels pad_kernels(pad_list);

}  // namespace webnn::runtime::simd
