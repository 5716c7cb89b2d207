// Groups of elementwise operators with softmax, layerNormalization, @rmsNormalization or a reduction among them. A few
// rows at a time go through all operators while they are in the cache; no intermediate result is written to memory.
//
// A group is cut into parts (row_group_parts.hpp): elementwise chains (chain.hpp), and operators along rows, for which
// the kernels of their own table rows process a single row. Between the parts, rows are kept where the output will be,
// or, if a reduction follows, in scratch memory.
#include <algorithm>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/reduction/row_group_parts.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/error.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

// The kernels for single rows.
Kernel prepare_softmax(const KernelSpec& spec, Constants constants, Isa isa);
Kernel prepare_layer_normalization(const KernelSpec& spec, Constants constants, Isa isa);
Kernel prepare_rms_normalization(const KernelSpec& spec, Constants constants, Isa isa);
Kernel prepare_reduction(const KernelSpec& spec, Constants constants, Isa isa);

namespace {

/// Elements of the rows processed at a time: they stay in the L2 cache.
std::size_t tile_elements() { return core_caches().l2 / 16 / sizeof(float); }
/// The number of elements that are worth a thread.
constexpr std::size_t grain_elements = 16'384;

struct Segment {
  std::vector<std::optional<std::size_t>> operands;  // inputs of the group, or the result of the segment before
  std::optional<Chain> chain;                        // or else:
  Kernel along_row;
  bool reduces = false;
};

/// The address at which element 0 would be if element `first` is at `address`.
std::byte* before(std::byte* address, std::size_t first) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) - first * sizeof(float));
}

Kernel prepare_along_row(const KernelSpec& spec, Constants constants, Isa isa) {
  if (spec.op == "softmax"_op) return prepare_softmax(spec, constants, isa);
  if (spec.op == "layerNormalization"_op) return prepare_layer_normalization(spec, constants, isa);
  if (spec.op == "@rmsNormalization"_op) return prepare_rms_normalization(spec, constants, isa);
  return prepare_reduction(spec, constants, isa);
}

Segment prepare_segment(const RowGroupPart& part, Constants constants, Isa isa) {
  Segment segment;
  segment.operands = part.operands;
  segment.reduces = part.reduces;
  std::vector<std::span<const std::byte>> of_part;
  for (const std::optional<std::size_t> input : part.operands)
    of_part.push_back(input && *input < constants.size() ? constants[*input] : std::span<const std::byte>());
  if (part.along_rows)
    segment.along_row = prepare_along_row(part.spec, of_part, isa);
  else
    segment.chain = chain_of(part.spec, of_part, isa);
  return segment;
}

class RowGroupRun {
 public:
  static Kernel prepare(const KernelSpec& spec, Constants constants, Isa isa) {
    const std::optional<RowGroup> parts = row_group_of(spec);
    if (!parts) throw Error(ExitCode::internal, "a group without rows was given to the kernel of row groups");
    RowGroupRun group;
    for (const RowGroupPart& part : parts->parts) group.segments_.push_back(prepare_segment(part, constants, isa));
    group.length_ = parts->row_length;
    group.rows_ = parts->rows;
    group.rows_of_tile_ = std::clamp<std::size_t>(tile_elements() / group.length_, 1, group.rows_);
    group.grain_ = 1 + grain_elements / (group.rows_of_tile_ * group.length_);
    const auto places = unsigned(std::clamp<std::size_t>(group.tiles() / group.grain_, 1, team_size()));
    group.reduces_ = std::ranges::any_of(group.segments_, &Segment::reduces);
    std::size_t of_row = 0;
    for (const Segment& segment : group.segments_) of_row = std::max(of_row, segment.along_row.scratch_bytes);
    ScratchLayout plan;  // for one thread: the tile is the first piece
    plan.add(group.reduces_ ? group.rows_of_tile_ * group.length_ * sizeof(float) : 0);
    group.scratch_of_row_ = plan.add(of_row);
    ScratchLayout scratch;
    group.scratch_ = scratch.add_places(places, plan.bytes());
    return kernel_of([group = std::move(group)](const KernelArguments& arguments) { group.run(arguments); }, scratch);
  }

 private:
  void run(const KernelArguments& arguments) const {
    parallel_places(scratch_.count, tiles(), grain_, [&](std::size_t begin, std::size_t end, unsigned place) {
      for (std::size_t first = begin * rows_of_tile_; begin < end; ++begin, first += rows_of_tile_)
        run_tile(arguments, first, std::min(first + rows_of_tile_, rows_), scratch_.of(arguments.scratch, place));
    });
  }

  std::size_t tiles() const { return div_up(rows_, rows_of_tile_); }

  void run_tile(const KernelArguments& arguments, std::size_t first, std::size_t last, std::byte* scratch) const {
    std::byte* const output = arguments.outputs[0];
    std::byte* running = reduces_ ? before(scratch, first * length_) : output;
    std::size_t length = length_;  // elements of a row; 1 after a reduction
    std::array<const std::byte*, most_group_inputs> operands;
    for (const Segment& segment : segments_) {
      std::byte* const to = segment.reduces ? output : running;
      for (std::size_t i = 0; i < segment.operands.size(); ++i)
        operands[i] = segment.operands[i] ? arguments.inputs[*segment.operands[i]] : running;
      const std::span<const std::byte* const> all(operands.data(), segment.operands.size());
      if (segment.chain) {
        segment.chain->run_part({all, {&to, 1}, nullptr}, first * length, last * length);
      } else {
        const std::byte* const rows = operands[0];
        for (std::size_t at = first; at < last; ++at) {
          operands[0] = rows + at * length_ * sizeof(float);
          std::byte* const result = to + at * (segment.reduces ? 1 : length_) * sizeof(float);
          segment.along_row.run({all, {&result, 1}, scratch + scratch_of_row_});
        }
      }
      if (segment.reduces) length = 1;
      running = to;
    }
  }

  std::vector<Segment> segments_;
  std::size_t length_ = 1, rows_ = 1, rows_of_tile_ = 1, grain_ = 1;
  PlaceScratch scratch_;  // a tile of each place
  bool reduces_ = false;  // then the rows before it are in scratch memory
  std::size_t scratch_of_row_ = 0;
};

}  // namespace

Kernel prepare_row_group(const KernelSpec& spec, Constants constants, Isa isa) {
  return RowGroupRun::prepare(spec, constants, isa);
}

namespace {

/// A float32 group of elementwise operators and at least one operator along rows. All rows have the same length. Behind
/// a reduction there are elementwise operators only. No step reads a result from before the last operator along
/// rows, except that operator itself.
bool takes_row_group(const KernelSpec& spec) { return row_group_of(spec).has_value(); }
/// Calls without post-ops have kernels of their own.
bool has_post_ops(const KernelSpec& spec) { return !spec.post_ops.empty(); }

/// `row` tells which operator a group begins with.
consteval SimdKernel row_group(KernelRow row) {
  row.types = {DataType::float32};
  row.can = has_post_ops;
  row.can_apply = takes_row_group;
  row.factor = 1.05;
  return {.row = row, .prepare = prepare_row_group};
}

}  // namespace

constexpr SimdKernel row_group_list[] = {
    row_group({.name = "rows.unary", .family = Family::unary}),
    row_group({.name = "rows.binary", .family = Family::binary}),
    row_group({.name = "rows.softmax", .op = "softmax"}),
    row_group({.name = "rows.layerNormalization", .op = "layerNormalization"}),
    row_group({.name = "rows.rmsNormalization", .op = "@rmsNormalization"}),
};
extern constexpr SimdKernels row_group_kernels(row_group_list);

}  // namespace webnn::runtime::simd
