// Groups of elementwise operators with softmax, layerNormalization or a reduction among them: a few rows at a time go
// through all of them while they are in the cache, and nothing in between is written to memory.
//
// A group is a list of segments. A segment is a chain of elementwise operators (chain.hpp), or one operator along rows,
// whose kernel is that of its own operator for a single row. Between segments the rows lie where the output will be,
// or, when a reduction is to follow, in scratch memory.
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/chain.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/parallel.hpp"
#include "schema/check_spec.hpp"
#include "schema/kernel_conditions.hpp"

namespace webnn::runtime::simd {

// The kernels of single rows.
template <Isa isa>
Kernel prepare_softmax(const KernelSpec& spec, Constants constants);
template <Isa isa>
Kernel prepare_layer_normalization(const KernelSpec& spec, Constants constants);
template <Isa isa>
Kernel prepare_reduction(const KernelSpec& spec, Constants constants);

namespace {

/// Elements of the rows that are worked on at a time: they stay in the second-level cache.
constexpr std::size_t tile_elements = 16'384;
/// Elements that are worth a thread.
constexpr std::size_t grain_elements = 16'384;

/// Where an operand of a segment comes from: input `index` of the kernel, or the segment before.
struct Source {
  bool is_running = false;
  std::size_t index = 0;
};

struct Segment {
  std::vector<Source> operands;
  std::optional<Chain> chain;  // or else:
  Kernel along_row;
  bool reduces = false;
};

/// The address at which element 0 would lie when element `first` lies at `address`.
std::byte* before(std::byte* address, std::size_t first) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(address) - first * sizeof(float));
}

/// Reads a spec from its first step to its last, cut into segments.
template <Isa isa>
class Cutter {
 public:
  Cutter(const KernelSpec& spec, Constants constants)
      : spec_(spec), constants_(constants), results_(results_of_steps(spec)) {}

  std::vector<Segment> run() {
    std::vector<Segment> segments;
    for (std::size_t step = 0; step < results_.size();) {
      std::size_t end = step + 1;
      const bool along_rows = works_along_rows(op(step));
      while (!along_rows && end < results_.size() && !works_along_rows(op(end))) ++end;
      segments.push_back(along_rows ? row_segment(step) : chain_segment(step, end));
      step = end;
    }
    return segments;
  }
  /// Elements of a row; the same for all.
  std::size_t row_length() const { return row_length_; }

 private:
  OperatorId op(std::size_t step) const { return step == 0 ? spec_.op : spec_.post_ops[step - 1].op; }
  const Attributes& attributes(std::size_t step) const {
    return step == 0 ? spec_.attributes : spec_.post_ops[step - 1].attributes;
  }

  /// Takes operand `place` of `step` into the segment that starts at `first`: how many steps back it is within the
  /// segment, or 0 when it has become an operand of the segment.
  std::uint8_t take_operand(std::size_t step, std::size_t place, std::size_t first, KernelSpec& part, Segment& segment,
                            std::vector<std::span<const std::byte>>& constants) {
    const std::uint8_t back = step == 0 ? std::uint8_t(0) : spec_.post_ops[step - 1].operands[place];
    if (back != 0 && step - back + 1 > first) return back;
    if (back != 0) {
      segment.operands.push_back({true, 0});
      part.inputs.emplace_back(results_[first - 1]);
      constants.emplace_back();
    } else {
      segment.operands.push_back({false, next_input_});
      part.inputs.push_back(spec_.inputs[next_input_]);
      constants.push_back(next_input_ < constants_.size() ? constants_[next_input_] : std::span<const std::byte>());
      ++next_input_;
    }
    return 0;
  }

  Segment chain_segment(std::size_t first, std::size_t end) {
    Segment segment;
    KernelSpec part;
    part.op = op(first);
    part.attributes = attributes(first);
    part.outputs = {results_[end - 1]};
    std::vector<std::span<const std::byte>> constants;
    for (std::size_t step = first; step < end; ++step) {
      PostOp post_op{op(step), attributes(step), {}};
      for (std::size_t place = 0; place < row(op(step)).operands.size(); ++place)
        post_op.operands[place] = take_operand(step, place, first, part, segment, constants);
      if (step > first) part.post_ops.push_back(std::move(post_op));
    }
    segment.chain = chain_of<isa>(part, constants);
    return segment;
  }

  /// The operator on one row: a tensor of the axes that make it.
  Segment row_segment(std::size_t step) {
    Segment segment;
    KernelSpec part;
    std::vector<std::span<const std::byte>> constants;
    for (std::size_t place = 0; place < row(op(step)).operands.size(); ++place)
      take_operand(step, place, step, part, segment, constants);
    part.op = op(step);
    part.attributes = attributes(step);
    const unsigned axes = axes_of_rows(part.op, part.attributes, *part.inputs[0]);
    const Shape& whole = part.inputs[0]->shape;
    Shape shape;
    for (unsigned axis = whole.rank() - axes; axis < whole.rank(); ++axis) shape.push_back(whole[axis]);
    part.inputs[0]->shape = shape;
    row_length_ = element_count(shape);
    segment.reduces = row(part.op).family == Family::reduction;
    part.outputs = {{DataType::float32, segment.reduces ? Shape{} : shape}};
    IntegerList list(axes);
    std::iota(list.begin(), list.end(), 0);
    if (part.op == "softmax"_op) {
      part.attributes[0].emplace(std::in_place_type<std::int64_t>, 0);
      segment.along_row = prepare_softmax<isa>(part, constants);
    } else {
      part.attributes[std::size_t(row(part.op).attribute_index("axes"))].emplace(std::in_place_type<IntegerList>, list);
      if (segment.reduces)
        part.attributes[std::size_t(row(part.op).attribute_index("keepDimensions"))].emplace(std::in_place_type<bool>,
                                                                                             false);
      segment.along_row =
          segment.reduces ? prepare_reduction<isa>(part, constants) : prepare_layer_normalization<isa>(part, constants);
    }
    return segment;
  }

  const KernelSpec& spec_;
  Constants constants_;
  std::vector<OperandDescriptor> results_;
  std::size_t next_input_ = 0, row_length_ = 0;
};

class RowGroup {
 public:
  template <Isa isa>
  static Kernel prepare(const KernelSpec& spec, Constants constants) {
    RowGroup group;
    Cutter<isa> cutter(spec, constants);
    group.segments_ = cutter.run();
    group.length_ = cutter.row_length();
    group.rows_ = element_count(results_of_steps(spec).front().shape) / group.length_;
    group.rows_of_tile_ = std::clamp<std::size_t>(tile_elements / group.length_, 1, group.rows_);
    group.parts_ = std::clamp<std::size_t>(group.rows_ * group.length_ / grain_elements, 1, std::max(team_size(), 1u));
    group.parts_ = std::min(group.parts_, group.rows_);
    const bool reduces = std::ranges::any_of(group.segments_, &Segment::reduces);
    std::size_t of_rows = 0;
    for (const Segment& segment : group.segments_) of_rows = std::max(of_rows, segment.along_row.scratch_bytes);
    group.tile_bytes_ = reduces ? group.rows_of_tile_ * group.length_ * sizeof(float) : 0;
    group.scratch_of_part_ = (group.tile_bytes_ + of_rows + 63) / 64 * 64;
    const std::size_t scratch = group.parts_ * group.scratch_of_part_;
    return {[group = std::move(group)](const KernelArguments& arguments) { group.run(arguments); }, scratch};
  }

 private:
  void run(const KernelArguments& arguments) const {
    parallel_for(parts_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t part = begin; part < end; ++part) {
        const std::size_t last = rows_ * (part + 1) / parts_;
        for (std::size_t first = rows_ * part / parts_; first < last; first += rows_of_tile_)
          run_tile(arguments, first, std::min(first + rows_of_tile_, last),
                   arguments.scratch + part * scratch_of_part_);
      }
    });
  }

  void run_tile(const KernelArguments& arguments, std::size_t first, std::size_t last, std::byte* scratch) const {
    const bool in_scratch = tile_bytes_ != 0;
    std::byte* const output = arguments.outputs[0];
    std::byte* running = in_scratch ? before(scratch, first * length_) : output;
    std::size_t length = length_;  // elements of a row, 1 once they are reduced
    std::array<const std::byte*, most_group_inputs> operands;
    for (const Segment& segment : segments_) {
      std::byte* const to = segment.reduces ? output : running;
      for (std::size_t i = 0; i < segment.operands.size(); ++i)
        operands[i] = segment.operands[i].is_running ? running : arguments.inputs[segment.operands[i].index];
      const std::span<const std::byte* const> all(operands.data(), segment.operands.size());
      if (segment.chain) {
        segment.chain->run_part({all, {&to, 1}, nullptr}, first * length, last * length);
      } else {
        const std::byte* const rows = operands[0];
        for (std::size_t at = first; at < last; ++at) {
          operands[0] = rows + at * length_ * sizeof(float);
          std::byte* const result = to + at * (segment.reduces ? 1 : length_) * sizeof(float);
          segment.along_row.run({all, {&result, 1}, scratch + tile_bytes_});
        }
      }
      if (segment.reduces) length = 1;
      running = to;
    }
  }

  std::vector<Segment> segments_;
  std::size_t length_ = 1, rows_ = 1, rows_of_tile_ = 1, parts_ = 1;
  std::size_t tile_bytes_ = 0;  // of the rows before a reduction; 0 when there is none
  std::size_t scratch_of_part_ = 0;
};

}  // namespace

template <Isa isa>
Kernel prepare_row_group(const KernelSpec& spec, Constants constants) {
  return RowGroup::prepare<isa>(spec, constants);
}
template Kernel prepare_row_group<Isa::avx2>(const KernelSpec&, Constants);
template Kernel prepare_row_group<Isa::avx512>(const KernelSpec&, Constants);

}  // namespace webnn::runtime::simd
