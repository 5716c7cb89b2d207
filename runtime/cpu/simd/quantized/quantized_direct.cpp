// @quantizedConv2d of channels-last bytes with any window, without groups. The rows of the input that a band of output
// rows sees are widened to int16, less the zero point and with padding as zeros, in memory of the thread; then each
// window is a few runs of neighbouring elements, and the convolution a product of matrices. Its sums become bytes while
// they are in registers.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/quantized/quantized_direct.inl.hpp"
#include "runtime/cpu/simd/quantized/quantized_direct.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/cpu/simd/convolution/window_shapes.hpp"
#include "runtime/cpu/simd/for_pair_products.hpp"
#include "runtime/cpu/simd/quantized/byte_factors.hpp"
#include "runtime/cpu/simd/quantized/packed_filter.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/kernel.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// One axis of the widened input. Windows of one element see only every `stride`-th element: only those are widened.
struct WidenedAxis {
  std::int64_t input, begin;  // elements of the input; padding before them
  std::int64_t step;          // between widened elements, in the input
  std::int64_t stride;        // between windows, in the widened input
  std::int64_t extent;        // of a window

  explicit WidenedAxis(const SlidingWindow& window)
      : input(window.input),
        begin(window.begin),
        step(window.window == 1 ? window.stride : 1),
        stride(window.window == 1 ? 1 : window.stride),
        extent(window.extent()) {}
  /// The widened elements that `count` windows see.
  std::int64_t seen_by(std::int64_t count) const { return (count - 1) * stride + extent; }
  /// The input's element; outside of the input for padding.
  std::int64_t source(std::int64_t widened) const { return widened * step - begin; }
};

/// The most pixels whose addresses are in memory at a time, on the stack.
constexpr std::size_t most_addresses = 512;
/// The fewest pixels for which a thread reads all weights: when these are in its cache, and when they are not.
constexpr std::size_t fewest_pixels = 8, fewest_of_large = 48;
constexpr std::size_t grain_products = 200'000;  // this many multiplications are worth a thread

/// Everything that does not change between runs.
class DirectOfBytes {
 public:
  DirectOfBytes(const KernelSpec& spec, Constants constants, Isa isa);
  const ScratchLayout& scratch() const { return scratch_; }
  void run(const KernelArguments& arguments) const;

 private:
  void find_runs(const SlidingWindow& vertical, const SlidingWindow& horizontal);
  void divide(unsigned threads);
  void widen_rows(const std::uint8_t* image, std::int64_t first, std::int64_t count, std::int16_t* to) const;
  void widen_row(const std::uint8_t* row, std::int16_t* to) const;
  void widen(const std::uint8_t* from, std::int16_t* to, std::int64_t pixels) const {
    code_.widen(from, unsigned_.flip, unsigned_.zero, to, std::size_t(pixels) * channels_);
  }
  ByteWindows all_panels(const KernelArguments& arguments, std::uint8_t* y) const;
  void convolve_rows(const ByteWindows& work, const std::int16_t* widened, std::size_t rows) const;

  ByteWindowsFunctions code_;
  std::size_t images_, channels_, outputs_, rows_, width_;  // rows and width of the output
  WidenedAxis vertical_, horizontal_;
  std::int64_t columns_ = 1;                            // widened elements of a row, in pixels
  std::size_t row_elements_ = 1, buffer_elements_ = 0;  // of a widened row, and of a thread's buffer
  bool whole_rows_ = false;                             // a widened row is a row of the input
  PackedFilter filter_;
  ScratchLayout scratch_;
  PackedOperand<std::uint8_t> weights_;
  PlaceScratch buffers_;
  std::vector<std::size_t> runs_;  // where they begin, see `ByteWindows`
  ResultFactors factors_;          // of all lanes
  UnsignedInput unsigned_;
  std::size_t products_;    // of an output row
  std::size_t bands_ = 1;   // of an image
  bool by_panels_ = false;  // threads divide the panels
  std::size_t places_ = 1;
};

DirectOfBytes::DirectOfBytes(const KernelSpec& spec, Constants constants, Isa isa)
    : code_(VECTOR_CODE(isa, byte_direct::functions)()),
      vertical_(SlidingWindow()),
      horizontal_(SlidingWindow()),
      filter_(spec, code_),
      weights_(filter_.packing(), spec, 1, constants, scratch_),
      factors_(spec, constants),
      unsigned_(SpecCall(spec)) {
  const SpecCall call(spec);
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  auto [vertical, horizontal] = sliding_windows(call, output);
  images_ = input[0];
  channels_ = input[1];
  outputs_ = output[1];
  rows_ = output[2];
  width_ = output[3];
  if (vertical.window == 1 && horizontal.window == 1 && all_are(call, "strides", 1) && all_are(call, "padding", 0)) {
    rows_ *= images_ * width_;  // each pixel is a row of its own
    images_ = width_ = 1;
    vertical.input = vertical.output = std::int64_t(rows_);
    horizontal.input = horizontal.output = 1;
  }
  vertical_ = WidenedAxis(vertical);
  horizontal_ = WidenedAxis(horizontal);
  columns_ = horizontal_.seen_by(std::int64_t(width_));
  row_elements_ = std::size_t(columns_) * channels_;
  whole_rows_ = horizontal_.step == 1 && horizontal_.begin == 0 && columns_ == horizontal_.input;
  find_runs(vertical, horizontal);

  factors_.scale.resize(filter_.lanes());
  factors_.offset.resize(filter_.lanes());
  products_ = filter_.taps * channels_ * outputs_ * width_;
  divide(team_size());
  buffers_ = scratch_.add_places(unsigned(places_), buffer_elements_ * sizeof(std::int16_t));
}

void DirectOfBytes::find_runs(const SlidingWindow& vertical, const SlidingWindow& horizontal) {
  const std::int64_t columns = std::int64_t(filter_.runs) / vertical.window;  // runs of a row
  for (std::int64_t row = 0; row < vertical.window; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      runs_.push_back(std::size_t(row * vertical.dilation) * row_elements_ +
                      std::size_t(column * horizontal.dilation) * channels_);
}

/// A band has as many rows as stay in the L2 cache when they are widened, but enough for one read of the weights. With few
/// pixels, threads divide the panels, if there are enough.
void DirectOfBytes::divide(unsigned threads) {
  const std::size_t l2 = core_caches().l2, bytes_of_row = std::size_t(vertical_.stride) * row_elements_ * 2;
  const bool is_large = filter_.lanes() * filter_.bytes_of_lane() > l2 / 2;
  const std::size_t fewest = is_large ? fewest_of_large : fewest_pixels;
  by_panels_ = threads > 1 && images_ * rows_ * width_ < fewest * threads && filter_.panels.size() >= threads;
  std::size_t band = rows_;
  if (!by_panels_) {
    const std::size_t least = std::min(div_up(fewest, width_), rows_);
    band = std::clamp<std::size_t>(l2 / 4 / bytes_of_row, least, rows_);
    constexpr std::size_t bands_of_thread = 4;  // so that a disturbed thread leaves some to the others
    if (threads > 1) band = std::clamp(images_ * rows_ / (bands_of_thread * threads), least, band);
    bands_ = div_up(rows_, band);
    band = div_up(rows_, bands_);
    places_ = std::min<std::size_t>(threads, images_ * bands_);
  }
  // With room for the element beside the last one, if their number is odd.
  constexpr std::size_t line = 32;  // elements
  const std::size_t elements = std::size_t(vertical_.seen_by(std::int64_t(band))) * row_elements_ + 1;
  buffer_elements_ = round_up(elements, line);
}

/// Widens one row: padding, the row's pixels, padding.
void DirectOfBytes::widen_row(const std::uint8_t* row, std::int16_t* to) const {
  if (horizontal_.step > 1) {
    for (std::int64_t column = 0; column < columns_; ++column, to += channels_) {
      const std::int64_t source = horizontal_.source(column);
      if (source < 0 || source >= horizontal_.input) {
        std::fill_n(to, channels_, std::int16_t{0});
      } else {
        widen(row + std::size_t(source) * channels_, to, 1);
      }
    }
    return;
  }
  const std::int64_t first = std::min(horizontal_.begin, columns_);
  const std::int64_t last = std::clamp(horizontal_.begin + horizontal_.input, first, columns_);
  std::fill_n(to, std::size_t(first) * channels_, std::int16_t{0});
  widen(row, to + std::size_t(first) * channels_, last - first);
  std::fill(to + std::size_t(last) * channels_, to + row_elements_, std::int16_t{0});
}

/// Widens `count` rows for the windows from the one with widened row `first` on.
void DirectOfBytes::widen_rows(const std::uint8_t* image, std::int64_t first, std::int64_t count,
                               std::int16_t* to) const {
  const std::size_t pitch = std::size_t(horizontal_.input) * channels_;
  if (whole_rows_ && vertical_.step == 1 && vertical_.source(first) >= 0 &&
      vertical_.source(first) + count <= vertical_.input)
    return widen(image + std::size_t(vertical_.source(first)) * pitch, to, count * columns_);
  for (std::int64_t row = first; row < first + count; ++row, to += row_elements_) {
    const std::int64_t source = vertical_.source(row);
    if (source < 0 || source >= vertical_.input) {
      std::fill_n(to, row_elements_, std::int16_t{0});
    } else {
      widen_row(image + std::size_t(source) * pitch, to);
    }
  }
}

ByteWindows DirectOfBytes::all_panels(const KernelArguments& arguments, std::uint8_t* y) const {
  ByteWindows work;
  work.runs = runs_.size();
  work.run_at = runs_.data();
  work.pairs = filter_.pairs;
  work.panels = filter_.panels.data();
  work.panel_count = filter_.panels.size();
  work.weights = reinterpret_cast<const std::int8_t*>(weights_.in(arguments));
  work.scale = factors_.scale.data();
  work.offset = factors_.offset.data();
  work.flip_y = factors_.flip_y;
  work.y = y;
  work.y_step = outputs_;
  return work;
}

/// The first `rows` output rows of a buffer; work.y is where they go.
void DirectOfBytes::convolve_rows(const ByteWindows& work, const std::int16_t* widened, std::size_t rows) const {
  const std::int16_t* at[most_addresses];
  ByteWindows part = work;
  part.at = at;
  const std::size_t row_step = std::size_t(vertical_.stride) * row_elements_;
  const std::size_t pixel_step = std::size_t(horizontal_.stride) * channels_;
  const std::size_t count = rows * width_, parts = div_up(count, most_addresses);
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t first = count * i / parts, last = count * (i + 1) / parts;
    std::size_t row = first / width_, column = first % width_;
    for (std::size_t pixel = first; pixel < last; ++pixel) {
      at[pixel - first] = widened + row * row_step + column * pixel_step;
      if (++column == width_) column = 0, ++row;
    }
    part.pixels = last - first;
    part.y = work.y + first * outputs_;
    code_.convolve(part);
  }
}

void DirectOfBytes::run(const KernelArguments& arguments) const {
  const auto* x = reinterpret_cast<const std::uint8_t*>(arguments.inputs[0]);
  auto* y = reinterpret_cast<std::uint8_t*>(arguments.outputs[0]);
  const auto buffer_of = [&](unsigned place) {
    return reinterpret_cast<std::int16_t*>(buffers_.of(arguments.scratch, place));
  };
  const std::size_t image_in = std::size_t(vertical_.input * horizontal_.input) * channels_;
  const std::size_t image_out = rows_ * width_ * outputs_;
  if (by_panels_) {
    std::int16_t* const widened = buffer_of(0);
    for (std::size_t image = 0; image < images_; ++image) {
      widen_rows(x + image * image_in, 0, vertical_.seen_by(std::int64_t(rows_)), widened);
      parallel_for(filter_.panels.size(), 1 + grain_products * filter_.panels.size() / (products_ * rows_),
                   [&](std::size_t begin, std::size_t end) {
                     ByteWindows work = all_panels(arguments, y + image * image_out);
                     const std::size_t lanes_before = filter_.panels[begin].first;
                     work.panels += begin;
                     work.panel_count = end - begin;
                     work.weights += lanes_before * filter_.bytes_of_lane();
                     work.scale += lanes_before;
                     work.offset += lanes_before;
                     convolve_rows(work, widened, rows_);
                   });
    }
    return;
  }
  parallel_places(unsigned(places_), images_ * bands_, 1 + grain_products * bands_ / (products_ * rows_),
                  [&](std::size_t begin, std::size_t end, unsigned place) {
                    std::int16_t* const widened = buffer_of(place);
                    for (std::size_t index = begin; index < end; ++index) {
                      const std::size_t image = index / bands_, band = index % bands_;
                      const std::size_t first = rows_ * band / bands_, last = rows_ * (band + 1) / bands_;
                      widen_rows(x + image * image_in, std::int64_t(first) * vertical_.stride,
                                 vertical_.seen_by(std::int64_t(last - first)), widened);
                      convolve_rows(all_panels(arguments, y + image * image_out + first * width_ * outputs_), widened,
                                    last - first);
                    }
                  });
}

}  // namespace

Kernel prepare_quantized_direct(const KernelSpec& spec, Constants constants, Isa isa) {
  const auto convolution = std::make_shared<const DirectOfBytes>(spec, constants, isa);
  return kernel_of([convolution](const KernelArguments& arguments) { convolution->run(arguments); },
                   convolution->scratch());
}

std::optional<PackedConstant> pack_quantized_direct(const KernelSpec& spec, std::size_t,
                                                    std::span<const std::byte> bytes, Isa isa) {
  return PackedFilter(spec, VECTOR_CODE(isa, byte_direct::functions)()).packing().pack(bytes);
}

namespace {

/// @quantizedConv2d without groups and large dilations, with int8 or uint8 results, and sums that fit in an int32.
bool takes_quantized_direct(const KernelSpec& spec) {
  if (spec.outputs.empty() || spec.outputs[0].type == DataType::float32) return false;
  constexpr std::uint64_t most_products = 65'000, most_taps = 256;
  const SpecCall call(spec);
  const Shape& filter = call.shape(1);
  const std::array<SlidingWindow, 2> windows = sliding_windows(call, spec.outputs[0].shape);
  // Rows between those that a window sees are widened, too.
  constexpr std::int64_t most_rows_per_tap = 4;
  return windows[0].extent() <= most_rows_per_tap * windows[0].window && call.u32("groups") == 1 &&
         filter[2] <= most_taps && filter[3] <= most_taps && filter[2] * filter[3] <= most_taps &&
         std::uint64_t(filter[1]) * filter[2] * filter[3] <= most_products && are_moderate(windows, filter[1]) &&
         may_be_packed(spec, 1);
}

/// Longer vectors are used by libraries, and few pixels do not pay for the widened input.
double scale_of_direct_bytes(const KernelSpec& spec, const Target& target) {
  const Shape& output = spec.outputs[0].shape;
  const std::uint64_t pixels = std::uint64_t(output[0]) * output[2] * output[3];
  return includes(target.features, Feature::avx512) || pixels < fewest_pixels ? slower_than_libraries : 1;
}

}  // namespace

constexpr SimdKernel quantized_direct_list[] = {
    {.row = {.name = "quantizedConv2d.direct",
             .op = "@quantizedConv2d",
             .types = int8_or_uint8,
             .layouts = LayoutRule::channels_last,
             .packs = 0b10,
             .constants = 0b1110,
             .can = takes_quantized_direct,
             .factor = 0.9,
             .scale = scale_of_direct_bytes},
     .needs = Needs::pair_products,
     .prepare = prepare_quantized_direct,
     .pack = pack_quantized_direct},
};
extern constexpr SimdKernels quantized_direct_kernels(quantized_direct_list);

}  // namespace webnn::runtime::simd
