// What Winograd's convolutions of floats and of bytes share: which calls they take, and how tiles are divided for the cache
// and among threads.
#pragma once

#include <algorithm>
#include <cstddef>

#include "runtime/cpu_kernel.hpp"
#include "runtime/machine/core_caches.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// A tile of the output is 2x2 pixels, under a patch of 4x4 pixels of the input.
inline constexpr std::size_t winograd_tile = 2, winograd_patch = 4, winograd_elements = 16;

/// Tiles are numbered along columns, rows and images.
struct WinogradSizes {
  std::size_t images = 1, height = 1, width = 1, channels = 1;           // of the input, in pixels
  std::size_t output_height = 1, output_width = 1, output_channels = 1;  // of the output, in pixels
  std::size_t top = 0, left = 0;                                         // padding, in pixels

  std::size_t tile_rows() const { return schema::div_up(output_height, winograd_tile); }
  std::size_t tile_columns() const { return schema::div_up(output_width, winograd_tile); }
  std::size_t tiles() const { return images * tile_rows() * tile_columns(); }
};

/// The multiplications of a tile, compared with those of its pixels.
inline constexpr double winograd_arithmetic = double(winograd_elements) / (winograd_tile * winograd_tile * 9);

WinogradSizes winograd_sizes(const KernelSpec& spec);
/// 3x3 windows with stride 1, without groups and dilations, and channels that fill vectors of 16.
bool has_winograd_windows(const KernelSpec& spec);
/// The cost of a convolution with tiles, compared with a direct one. A tile takes 16 multiplications for each pair of an
/// input and an output channel, each pixel of a direct convolution takes 9. Reading the filter costs as much as 16 more
/// tiles or pixels. A transform is shared by all channels of the other side, so its cost is divided by their number.
double tiles_to_direct(const KernelSpec& spec, const Target& target);

/// Transforms the 9 weights of a window along both axes: to[i * step] for element i. along(a, b, c, result, stride) makes
/// result[0] to result[3 * stride] of three numbers, which are `Wide`.
template <class Wide, class From, class To, class Along>
void transform_filter(const From* weights, To* to, std::size_t step, Along along) {
  Wide columns[winograd_patch][3], element[winograd_patch];
  for (std::size_t column = 0; column < 3; ++column)
    along(Wide(weights[column]), Wide(weights[3 + column]), Wide(weights[6 + column]), &columns[0][column], 3);
  for (std::size_t i = 0; i < winograd_patch; ++i) {
    along(columns[i][0], columns[i][1], columns[i][2], element, 1);
    for (std::size_t j = 0; j < winograd_patch; ++j) to[(i * winograd_patch + j) * step] = To(element[j]);
  }
}

/// The work of a call, divided into tasks: groups of tiles times parts of the panels of output channels. A thread
/// transforms the patches of a group in its own scratch memory and multiplies them at once, so that they stay in its
/// cache, and no thread waits for another one.
class TileTasks {
 public:
  /// For the team of the calling thread. `columns` are those of a panel, a number has so many bytes. Adds memory for the
  /// patches to `scratch`, behind everything else. `in_lines`: tasks should compute whole lines of the output where that
  /// does no harm, which divides the tiles less evenly.
  TileTasks(const WinogradSizes& sizes, std::size_t columns, std::size_t bytes_of_number, bool in_lines,
            ScratchLayout& scratch);

  /// Numbers between the elements of a patch.
  std::size_t element_step() const { return element_step_; }
  /// Whether each task computes whole lines of the output, which need nothing of others.
  bool computes_lines() const { return parts_ == 1 && tiles_of_unit_ == sizes_.tile_columns(); }

  /// Runs all tasks. `run` has the sizes, `code` is the vector code, as in `WinogradFunctions`. Where tasks compute lines,
  /// finish(begin, end) is called for these, counted over all images.
  template <class Run, class Code, class Finish>
  void run(Run run, const Code& code, const ScratchMemory& scratch, Finish finish) const {
    using Numbers = decltype(run.patches);
    const auto body = [=, this](std::size_t begin, std::size_t end, unsigned place) {
      Run own = run;
      own.patches = reinterpret_cast<Numbers>(patches_.of(scratch, place));
      for (std::size_t task = begin; task < end;) {
        const std::size_t group = task / parts_, first = task % parts_, last = std::min(parts_, first + (end - task));
        const std::size_t first_unit = units_ * group / groups_, last_unit = units_ * (group + 1) / groups_;
        own.first = first_unit * tiles_of_unit_;
        own.count = (last_unit - first_unit) * tiles_of_unit_;
        code.transform(own, own.first, own.first + own.count);
        code.multiply(own, own.first, own.first + own.count, first * panels_ / parts_, last * panels_ / parts_);
        if (computes_lines()) finish(line_of(first_unit), line_of(last_unit));
        task += last - first;
      }
    };
    if (wakes_) return parallel_pieces(patches_.count, groups_ * parts_, body);
    parallel_places(patches_.count, groups_ * parts_, 1, body);
  }

 private:
  /// The first line of the output in a row of tiles.
  std::size_t line_of(std::size_t row_of_tiles) const {
    const std::size_t rows = sizes_.tile_rows();
    return row_of_tiles / rows * sizes_.output_height + row_of_tiles % rows * winograd_tile;
  }

  WinogradSizes sizes_;
  std::size_t panels_;
  std::size_t tiles_of_unit_, units_;  // groups consist of rows of tiles, or of tiles where rows are long
  std::size_t groups_ = 1, parts_ = 1;
  bool wakes_ = false;  // the work is worth waking threads
  std::size_t element_step_ = 0;
  PlaceScratch patches_;
};

}  // namespace webnn::runtime::simd
