// Runs a chain: each thread takes a range of blocks and evaluates it piece by piece, writing the addresses of each
// piece into the stages.
#include <algorithm>
#include <cstring>

#include "runtime/cpu/simd/elementwise/chain.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

using Walk = ChainOperand::Walk;

/// The maximum number of lanes of all expanded operands of a chain (Chain::choose_walks stays below).
constexpr std::size_t workspace_lanes = 36 * 1024;
constexpr std::size_t largest_block = 128;

/// A position in an operand that is walked in the order of the output.
class Cursor {
 public:
  Cursor() {}  // left uninitialised, because many are not used
  Cursor(const Axes& axes, const ChainOperand& operand, std::size_t element) : axes_(&axes), operand_(&operand) {
    auto rest = std::int64_t(element);
    offset_ = 0;
    for (std::size_t axis = axes.rank; axis-- > 0;) {
      index_[axis] = rest % axes.sizes[axis];
      rest /= axes.sizes[axis];
      offset_ += index_[axis] * operand.strides[axis];
    }
  }

  std::int64_t offset() const { return offset_; }  // of the current element
  std::size_t left_in_row() const { return std::size_t(axes_->inner() - index_[axes_->rank - 1]); }
  /// The number of whole rows from here to the end of the second innermost axis.
  std::size_t rows_left() const {
    if (axes_->rank < 2 || index_[axes_->rank - 1] != 0) return 0;
    return std::size_t(axes_->sizes[axes_->rank - 2] - index_[axes_->rank - 2]);
  }
  /// Advances by at most left_in_row() elements.
  void advance(std::size_t count) { advance_along(axes_->rank - 1, count); }
  /// Advances by at most rows_left() rows.
  void advance_rows(std::size_t count) { advance_along(axes_->rank - 2, count); }

 private:
  void advance_along(std::size_t axis, std::size_t count) {
    index_[axis] += std::int64_t(count);
    offset_ += std::int64_t(count) * operand_->strides[axis];
    while (axis > 0 && index_[axis] == axes_->sizes[axis]) {
      offset_ -= index_[axis] * operand_->strides[axis];
      index_[axis] = 0;
      --axis;
      ++index_[axis];
      offset_ += operand_->strides[axis];
    }
  }

  const Axes* axes_;
  const ChainOperand* operand_;
  std::array<std::int64_t, Axes::most> index_;
  std::int64_t offset_;
};

}  // namespace

/// The work of one thread.
struct Chain::Range {
  const Chain& chain;
  const KernelArguments& arguments;
  std::array<Stage, max_stages> stages;
  // For each operand in the current piece: its first element, or its single value.
  std::array<const std::byte*, max_operands> first{};
  std::array<Lane, max_operands> value{};
  std::array<Lane*, max_operands> laid_out;
  std::array<Cursor, max_operands> cursors;
  alignas(64) std::array<Lane, workspace_lanes> workspace;
  alignas(64) std::array<std::array<Lane, largest_block>, max_saved> saved;

  Range(const Chain& owner, const KernelArguments& of_run) : chain(owner), arguments(of_run) {}

  const std::byte* base(const ChainOperand& operand) const { return arguments.inputs[operand.input]; }
  static std::size_t size_of(const ChainOperand& operand) { return bits_of(operand.type) / 8; }
  Lane element(const ChainOperand& operand, std::int64_t offset) const {
    Lane result;
    if (operand.of_lanes) {
      std::memcpy(&result, base(operand) + std::size_t(offset) * sizeof result, sizeof result);
      return result;
    }
    chain.table_.converter(operand.type)(base(operand) + std::size_t(offset) * size_of(operand), &result, 1);
    return result;
  }

  void begin(std::size_t element_index) {
    std::copy(chain.stages_.begin(), chain.stages_.end(), stages.begin());
    for (std::size_t s = 0; s < chain.stages_.size(); ++s) {
      const auto [a, b] = chain.stage_operands_[s];
      if (a.kind == Place::Kind::saved) stages[s].operand = saved[a.index].data();
      if (b.kind == Place::Kind::saved) stages[s].second = saved[b.index].data();
    }
    find_places(element_index);
    address_stages(chain.fixed_links_);
  }

  void find_places(std::size_t element_index) {
    Lane* free = workspace.data();
    for (std::size_t k = 0; k < chain.operands_.size(); ++k) {
      const ChainOperand& operand = chain.operands_[k];
      if (operand.walk == Walk::scalar) value[k] = element(operand, 0);
      if (operand.walk == Walk::row_scalar || operand.walk == Walk::row_stream || operand.walk == Walk::tile_by_tile)
        cursors[k] = Cursor(chain.axes_, operand, element_index);
      if (!operand.is_laid_out()) continue;
      laid_out[k] = free;
      free += chain.tile_ + chain.table_.block;
      if (operand.walk == Walk::periodic) {
        free += operand.period;
        chain.table_.converter(operand.type)(base(operand), laid_out[k], operand.period);
        // From any place in the first period there is a tile, and whatever the last block reads beyond it.
        for (Lane* to = laid_out[k] + operand.period; to < free; ++to) *to = to[-std::ptrdiff_t(operand.period)];
      }
    }
  }

  /// Expands the next `count` elements of an operand to lanes.
  void lay_out(std::size_t k, std::size_t count) {
    const ChainOperand& operand = chain.operands_[k];
    const StageTable& table = chain.table_;
    const std::int64_t stride = operand.strides[chain.axes_.rank - 1];
    const auto inner = std::size_t(chain.axes_.inner());
    const auto convert = table.converter(operand.type);
    Cursor& cursor = cursors[k];
    for (Lane* to = laid_out[k]; count > 0;) {
      const std::size_t run = std::min(count, cursor.left_in_row());
      const std::size_t rows = std::min(count / inner, cursor.rows_left());
      if (stride == 0 && rows > 0 && operand.of_lanes) {
        const auto* values = reinterpret_cast<const Lane*>(base(operand)) + cursor.offset();
        table.repeat(values, operand.strides[chain.axes_.rank - 2], rows, inner, to);
        cursor.advance_rows(rows);
        to += rows * inner;
        count -= rows * inner;
        continue;
      }
      if (stride == 1) {
        convert(base(operand) + std::size_t(cursor.offset()) * size_of(operand), to, run);
      } else if (stride == 0) {
        const Lane value = element(operand, cursor.offset());
        table.repeat(&value, 0, 1, run, to);
      } else {
        for (std::size_t i = 0; i < run; ++i) to[i] = element(operand, cursor.offset() + std::int64_t(i) * stride);
      }
      cursor.advance(run);
      to += run;
      count -= run;
    }
  }

  /// The number of elements from `at` on that can be evaluated with one set of addresses.
  std::size_t piece(std::size_t at, std::size_t end) const {
    std::size_t count = end - at;
    if (chain.tile_ != 0) count = std::min(count, chain.tile_);
    if (chain.in_rows_) {
      const auto inner = std::size_t(chain.axes_.inner());
      count = std::min(count, inner - at % inner);
    }
    return count;
  }

  /// Locates the elements of the moving operands for `count` elements from `at` on.
  void locate(std::size_t at, std::size_t count) {
    for (const std::size_t k : chain.moving_) {
      const ChainOperand& operand = chain.operands_[k];
      switch (operand.walk) {
        case Walk::scalar:
          break;
        case Walk::direct:
          first[k] = base(operand) + at * size_of(operand);
          break;
        case Walk::row_scalar:
          value[k] = element(operand, cursors[k].offset());
          cursors[k].advance(count);
          break;
        case Walk::row_stream:
          first[k] = base(operand) + std::size_t(cursors[k].offset()) * size_of(operand);
          cursors[k].advance(count);
          break;
        case Walk::periodic:
          first[k] = reinterpret_cast<const std::byte*>(laid_out[k] + at % operand.period);
          break;
        case Walk::tile_by_tile:
          lay_out(k, count);
          first[k] = reinterpret_cast<const std::byte*>(laid_out[k]);
          break;
      }
    }
  }

  /// Writes the places of these operands into the stages.
  void address_stages(const std::vector<Link>& links) {
    for (const auto [stage, operand, is_second, is_scalar] : links) {
      Stage& to = stages[stage];
      if (is_scalar) (is_second ? to.beta : to.alpha) = value[operand];
      if (!is_scalar) (is_second ? to.second : to.operand) = first[operand];
    }
  }

  /// Evaluates `count` elements from `at` on.
  void evaluate(std::size_t at, std::size_t count) {
    const StageTable& table = chain.table_;
    locate(at, count);
    address_stages(chain.moving_links_);
    const std::size_t stored = bits_of(chain.stored_) / 8;
    std::byte* output = arguments.outputs[0] + at * stored;
    Stage& last = stages[chain.stages_.size() - 1];
    const std::size_t whole = count / table.block * table.block, rest = count - whole;
    if (whole > 0) {
      last.operand = output;
      table.run(stages.data(), whole);
    }
    if (rest == 0) return;
    // A partial last block is evaluated on copies, so that nothing beyond the tensors is touched.
    alignas(64) std::byte result[largest_block * 4];
    alignas(64) std::byte copies[max_operands][largest_block * 4];
    for (const std::size_t k : chain.moving_) {
      const ChainOperand& operand = chain.operands_[k];
      if (operand.access() == Access::scalar) continue;
      const std::byte* from = first[k] + whole * (operand.is_laid_out() ? sizeof(Lane) : size_of(operand));
      if (operand.is_laid_out()) {  // it has room behind it
        first[k] = from;
        continue;
      }
      std::memcpy(copies[k], from, rest * size_of(operand));
      std::memset(copies[k] + rest * size_of(operand), 0, (table.block - rest) * size_of(operand));
      first[k] = copies[k];
    }
    address_stages(chain.moving_links_);
    last.operand = result;
    table.run(stages.data(), table.block);
    std::memcpy(output + whole * stored, result, rest * stored);
  }
};

void Chain::run_part(const KernelArguments& arguments, std::size_t first, std::size_t last) const {
  Range range(*this, arguments);
  range.begin(first);
  for (std::size_t at = first; at < last;) {
    const std::size_t count = range.piece(at, last);
    range.evaluate(at, count);
    at += count;
  }
}

void Chain::run(const KernelArguments& arguments) const { run_elements(arguments, 0, count_); }

void Chain::run_elements(const KernelArguments& arguments, std::size_t begin, std::size_t end) const {
  const std::size_t block = table_.block;
  const std::size_t blocks = div_up(end - begin, block);
  constexpr std::size_t worth_a_thread = 65536;
  parallel_for(blocks, std::max<std::size_t>(worth_a_thread / (cost_ * block), 1),
               [&](std::size_t first, std::size_t last) {
                 run_part(arguments, begin + first * block, std::min(begin + last * block, end));
               });
}

void Chain::link(std::size_t stage, Place place, bool is_second) {
  if (place.kind != Place::Kind::operand) return;
  const ChainOperand& operand = operands_[place.index];
  std::vector<Link>& links = operand.walk == Walk::scalar ? fixed_links_ : moving_links_;
  links.push_back({std::uint8_t(stage), place.index, is_second, operand.access() == Access::scalar});
}

void Chain::store() {
  add(table_.store(stored_), {}, {}, 0);
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    link(s, stage_operands_[s].first, false);
    link(s, stage_operands_[s].second, true);
  }
  for (std::size_t k = 0; k < operands_.size(); ++k)
    if (operands_[k].walk != Walk::scalar) moving_.push_back(k);
}

Kernel Chain::kernel() && {
  return {[chain = std::move(*this)](const KernelArguments& arguments) { chain.run(arguments); }, 0};
}

}  // namespace webnn::runtime::simd
