#include "runtime/plain_convolution.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime {
namespace {

// Sums of so many columns and positions stay in the registers that every processor has.
constexpr std::int64_t width = 4;
constexpr std::size_t most_rows = 4;

typedef float FloatPair __attribute__((vector_size(8)));
typedef double DoublePair __attribute__((vector_size(16)));

struct Sums {
  DoublePair low, high;

  double operator[](std::int64_t column) const { return column < 2 ? low[column] : high[column - 2]; }
};

DoublePair load(const float* at) {
  FloatPair pair;
  std::memcpy(&pair, at, sizeof pair);
  return __builtin_convertvector(pair, DoublePair);
}

/// Adds the products of `count` elements of each row with a panel.
template <std::size_t... row>
void add_products(std::index_sequence<row...>, const float* const* x, const float* panel, std::int64_t count,
                  Sums* sums) {
  Sums of[] = {sums[row]...};  // in registers
  const float* const from[] = {x[row]...};
  for (std::int64_t i = 0; i < count; ++i) {
    const DoublePair low = load(panel + i * width), high = load(panel + i * width + 2);
    ((of[row].low += double(from[row][i]) * low, of[row].high += double(from[row][i]) * high), ...);
  }
  ((sums[row] = of[row]), ...);
}

float limited(double sum, const PlainConvolution::Finish& range) {
  const auto result = float(sum);
  return result < range.low ? range.low : result > range.high ? range.high : result;  // NaN stays NaN
}

/// The input position that a tap reads at an output position; -1: none.
std::int64_t place_in_input(const SlidingWindow& axis, bool transposed, std::int64_t position, std::int64_t tap) {
  std::int64_t place = 0;
  if (transposed) {
    place = position + axis.begin - tap * axis.dilation;
    if (place < 0 || place % axis.stride != 0) return -1;
    place /= axis.stride;
  } else {
    place = position * axis.stride + tap * axis.dilation - axis.begin;
  }
  return place >= 0 && place < axis.input ? place : -1;
}

}  // namespace

std::int32_t greatest_bits(const float* values, std::size_t count) {
  constexpr std::size_t lanes = 16;  // so that the compiler keeps them in vectors
  std::int32_t most[lanes] = {}, bits[lanes];
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    std::memcpy(bits, values + i, sizeof bits);
    for (std::size_t lane = 0; lane < lanes; ++lane) most[lane] = std::max(most[lane], bits[lane] & 0x7fffffff);
  }
  std::memcpy(bits, most, sizeof bits);
  std::memcpy(bits, values + i, (count - i) * sizeof(float));
  for (std::size_t lane = 0; lane < lanes; ++lane) most[lane] = std::max(most[lane], bits[lane] & 0x7fffffff);
  return *std::ranges::max_element(most);
}

/// A few output positions that are computed together, with the input pixel that each tap sees of each position.
class PlainConvolution::Block {
 public:
  Block(const PlainConvolution& owner, const float* x, float* y, const Finish& finish, bool takes_all)
      : owner_(owner), finish_(finish), takes_all_(takes_all), x_(x), y_(y) {
    for (auto& pixels : pixels_) pixels.resize(std::size_t(owner.area()));
  }

  /// Takes a position in, if it is unsafe.
  void add(std::int64_t position) {
    if (!see(position, pixels_[count_].data()) && !takes_all_) return;
    positions_[count_] = position;
    if (++count_ == most_rows) compute();
  }
  void compute() {
    const std::int64_t together = owner_.columns_together(), per_panel = owner_.area() * owner_.group_inputs_ * width;
    const float* panel = owner_.panels_.data();
    for (std::int64_t first = 0; first < owner_.outputs_; first += together)
      for (std::int64_t column = 0; column < together; column += width, panel += per_panel) {
        Sums sums[most_rows] = {};
        if (owner_.is_depthwise())
          add_channels(panel, column, sums);
        else
          add_group(panel, first / together * owner_.group_inputs_, sums);
        store(first + column, std::min(width, together - column), sums);
      }
    count_ = 0;
  }

 private:
  /// Finds the pixels that a position sees; null where a tap is outside. Returns whether one of them is unsafe.
  bool see(std::int64_t position, const float** pixels) const {
    const SlidingWindow &vertical = owner_.vertical_, &horizontal = owner_.horizontal_;
    const std::int64_t line = position / horizontal.output, column = position % horizontal.output;
    const std::int64_t image = line / vertical.output * vertical.input;
    bool found = false;
    for (std::int64_t y = 0; y < vertical.window; ++y) {
      const std::int64_t row = place_in_input(vertical, owner_.transposed_, line % vertical.output, y);
      for (std::int64_t x = 0; x < horizontal.window; ++x) {
        const std::int64_t at = row < 0 ? -1 : place_in_input(horizontal, owner_.transposed_, column, x);
        const std::int64_t pixel = at < 0 ? -1 : (image + row) * horizontal.input + at;
        *pixels++ = pixel < 0 ? nullptr : x_ + pixel * owner_.inputs_;
        found = found || (pixel >= 0 && !takes_all_ && owner_.is_unsafe_[std::size_t(pixel)] != 0);
      }
    }
    return found;
  }

  /// Every column sees all inputs of its group, from channel `first` on.
  void add_group(const float* panel, std::int64_t first, Sums* sums) const {
    for (std::size_t tap = 0; tap < pixels_[0].size(); ++tap, panel += owner_.group_inputs_ * width) {
      std::array<const float*, most_rows> rows{};
      std::size_t seen = 0;
      for (std::size_t row = 0; row < count_; ++row)
        if (pixels_[row][tap] != nullptr) rows[row] = pixels_[row][tap] + first, ++seen;
      if (seen == most_rows) {
        add_products(std::make_index_sequence<most_rows>(), rows.data(), panel, owner_.group_inputs_, sums);
        continue;
      }
      for (std::size_t row = 0; row < count_; ++row)
        if (rows[row] != nullptr)
          add_products(std::index_sequence<0>(), &rows[row], panel, owner_.group_inputs_, sums + row);
    }
  }

  /// Every column sees one channel: several columns the same one, if there are more outputs than inputs.
  void add_channels(const float* panel, std::int64_t column, Sums* sums) const {
    const std::int64_t multiple = owner_.group_outputs_;
    const bool is_pair_of_pairs = multiple == 1 && column + width <= owner_.inputs_;
    for (std::size_t tap = 0; tap < pixels_[0].size(); ++tap, panel += width) {
      const DoublePair low = load(panel), high = load(panel + 2);
      for (std::size_t row = 0; row < count_; ++row) {
        const float* const pixel = pixels_[row][tap];
        if (pixel == nullptr) continue;
        float channels[width];
        if (is_pair_of_pairs) {
          std::memcpy(channels, pixel + column, sizeof channels);
        } else {
          for (std::int64_t i = 0; i < width; ++i)
            channels[i] = pixel[std::min(column + i, owner_.outputs_ - 1) / multiple];
        }
        sums[row].low += load(channels) * low;
        sums[row].high += load(channels + 2) * high;
      }
    }
  }

  void store(std::int64_t first, std::int64_t columns, const Sums* sums) const {
    for (std::size_t row = 0; row < count_; ++row)
      for (std::int64_t i = 0; i < columns; ++i) {
        const double bias = finish_.bias != nullptr ? finish_.bias[first + i] : 0;
        y_[positions_[row] * owner_.outputs_ + first + i] = limited(sums[row][i] + bias, finish_);
      }
  }

  const PlainConvolution& owner_;
  const Finish& finish_;
  bool takes_all_;
  const float* x_;
  float* y_;
  std::array<std::vector<const float*>, most_rows> pixels_;
  std::array<std::int64_t, most_rows> positions_{};
  std::size_t count_ = 0;
};

PlainConvolution::PlainConvolution(const KernelSpec& spec) {
  if (spec.op == "gemm"_op || spec.op == "matmul"_op)
    describe_product(spec);
  else
    describe_convolution(spec);
  is_unsafe_.resize(std::size_t(batch_ * vertical_.input * horizontal_.input));
  panels_.resize(
      std::size_t(outputs_ / columns_together() * div_up(columns_together(), width) * area() * group_inputs_ * width));
}

void PlainConvolution::describe_convolution(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto windows = sliding_windows(call, output);
  vertical_ = windows[0];
  horizontal_ = windows[1];
  batch_ = input[0];
  inputs_ = input[1];
  outputs_ = output[1];
  group_inputs_ = inputs_ / call.u32("groups");
  group_outputs_ = outputs_ / call.u32("groups");
  transposed_ = spec.op == "convTranspose2d"_op;
}

void PlainConvolution::describe_product(const KernelSpec& spec) {
  const SpecCall call(spec);
  const Shape& a = call.shape(0);
  inputs_ = group_inputs_ = a[a.rank() - 1];
  outputs_ = group_outputs_ = std::int64_t(element_count(call.shape(1))) / inputs_;
  horizontal_.input = horizontal_.output = std::int64_t(element_count(a)) / inputs_;
  transposed_ = spec.op == "matmul"_op || !call.boolean("bTranspose");  // b has the order of such a filter
}

float PlainConvolution::weight(const float* filter, std::int64_t channel, std::int64_t input, std::int64_t tap) const {
  const std::int64_t group = channel / group_outputs_;
  const std::int64_t matrix = transposed_ ? (group * group_inputs_ + input) * group_outputs_ + channel % group_outputs_
                                          : channel * group_inputs_ + input;
  return filter[matrix * area() + tap];
}

void PlainConvolution::take_weights(const float* weights) {
  const std::int64_t together = columns_together();
  const std::int64_t per_panel = area() * group_inputs_ * width, panels = div_up(together, width);
  const std::size_t grain = 1 + std::size_t(20'000 / per_panel);
  parallel_for(std::size_t(outputs_ / together * panels), grain, [&](std::size_t begin, std::size_t end) {
    for (auto panel = std::int64_t(begin); panel < std::int64_t(end); ++panel) {
      const std::int64_t first = panel / panels * together, column = panel % panels * width;
      float* to = panels_.data() + panel * per_panel;
      for (std::int64_t tap = 0; tap < area(); ++tap)
        for (std::int64_t i = 0; i < group_inputs_; ++i)
          for (std::int64_t c = column; c < column + width; ++c)
            *to++ = c < together ? weight(weights, first + c, i, tap) : 0;
    }
  });
}

void PlainConvolution::find_unsafe(const float* x, std::int32_t unsafe) {
  const std::size_t grain = 1 + std::size_t(20'000 / inputs_);
  parallel_for(is_unsafe_.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t pixel = begin; pixel < end; ++pixel)
      is_unsafe_[pixel] = greatest_bits(x + std::int64_t(pixel) * inputs_, std::size_t(inputs_)) >= unsafe;
  });
}

void PlainConvolution::run(const float* x, float* y, const Finish& finish, std::int32_t unsafe) {
  const bool takes_all = unsafe == 0;
  if (!takes_all) find_unsafe(x, unsafe);
  const std::int64_t positions = batch_ * vertical_.output * horizontal_.output;
  const std::size_t grain = most_rows + std::size_t(20'000 / (area() * group_inputs_ * outputs_));
  parallel_for(std::size_t(positions), grain, [&](std::size_t begin, std::size_t end) {
    Block block(*this, x, y, finish, takes_all);
    for (auto position = std::int64_t(begin); position < std::int64_t(end); ++position) block.add(position);
    block.compute();
  });
}

}  // namespace webnn::runtime
