#include "runtime/cpu/onednn/descs.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/cpu/onednn/pieces.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::onednn {

using dnnl::memory;

memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed, memory::data_type type) {
  const std::int64_t outer = filter[0] / groups, inner = filter[1], area = std::int64_t{filter[2]} * filter[3];
  Dims dims{outer, inner, filter[2], filter[3]};
  Dims strides{inner * area, area, filter[3], 1};
  if (transposed) {
    std::swap(dims[0], dims[1]);
    std::swap(strides[0], strides[1]);
  }
  if (groups != 1) {
    dims.insert(dims.begin(), groups);
    strides.insert(strides.begin(), outer * inner * area);
  }
  return {dims, type, strides};
}

Form form_of(const schema::OperatorCall& call, const schema::Shape& output) {
  const auto windows = schema::sliding_windows(call, output);
  const auto is_single = [](const schema::SlidingWindow& axis) {
    return axis.input == 1 && axis.output == 1 && axis.window == 1 && axis.begin == 0 && axis.end == 0;
  };
  return is_single(windows[1]) ? Form::columns : is_single(windows[0]) ? Form::rows : Form::images;
}

WindowDims::WindowDims(const schema::OperatorCall& call, const Band& band) {
  for (const schema::SlidingWindow& axis : schema::sliding_windows(call)) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation - 1);  // oneDNN counts dilations from 0
    padding_begin.push_back(axis.begin);
    padding_end.push_back(axis.end);
  }
  const std::size_t along = band.form == Form::rows ? 1 : 0;
  padding_begin[along] = band.padding_begin;
  padding_end[along] = band.padding_end;
  if (band.form == Form::columns)
    for (Dims* const dims : {&strides, &dilations, &padding_begin, &padding_end}) std::swap((*dims)[0], (*dims)[1]);
}

memory::desc activations(const Band& band, const schema::Shape& shape, memory::data_type type, std::int64_t rows) {
  const Dims image = band.form == Form::images ? Dims{rows, shape[3]} : Dims{1, rows};
  return {Dims{band.images, shape[1], image[0], image[1]}, type, memory::format_tag::nhwc};
}

schema::Shape filter_shape(const schema::OperatorCall& call, const schema::Shape& output) {
  schema::Shape shape = call.shape(1);
  if (form_of(call, output) == Form::columns) std::swap(shape[2], shape[3]);
  return shape;
}

namespace {

/// Of the row of an image, or of the element of a single row or column.
std::size_t byte_of(Form form, const schema::OperandDescriptor& operand, std::int64_t image, std::int64_t row) {
  const schema::Shape& shape = operand.shape;
  const std::size_t elements = std::size_t{shape[1]} * (form == Form::images ? shape[3] : 1);
  const std::size_t rows = std::size_t{shape[2]} * (form == Form::images ? 1 : shape[3]);
  return (std::size_t(image) * rows + std::size_t(row)) * elements * bits_of(operand.type) / 8;
}

/// The windows along the rows of bands.
schema::SlidingWindow windows_along(Form form, const schema::OperatorCall& call, const schema::Shape& output) {
  return schema::sliding_windows(call, output)[form == Form::rows ? 1 : 0];
}

}  // namespace

std::size_t Band::first_input_byte(const schema::OperandDescriptor& input) const {
  return byte_of(form, input, first_image, first_input_row);
}
std::size_t Band::first_byte(const schema::OperandDescriptor& output) const {
  return byte_of(form, output, first_image, first_row);
}

Band whole_band(const schema::OperatorCall& call, const schema::Shape& output) {
  Band band;
  band.form = form_of(call, output);
  const schema::SlidingWindow rows = windows_along(band.form, call, output);
  band.images = output[0];
  band.rows = rows.output;
  band.input_rows = rows.input;
  band.padding_begin = rows.begin;
  band.padding_end = rows.end;
  return band;
}

namespace {

/// oneDNN makes code for each element of a row, about a kilobyte, and more where windows overlap the padding. Bands inside
/// of a row that is divided share theirs.
constexpr std::int64_t longest_row = 16384, longest_divided_row = std::int64_t{1} << 20, longest_band = 4096;
constexpr std::int64_t most_padded_taps = 64;

}  // namespace

std::vector<Band> bands_of(const schema::OperatorCall& call, const schema::Shape& output, bool divides_images) {
  constexpr std::int64_t pixels_of_band = 24;  // pixels that share one read of the filter
  const Form form = form_of(call, output);
  const schema::SlidingWindow rows = windows_along(form, call, output);
  const std::int64_t images = output[0], height = rows.output;
  const std::int64_t pixels = std::int64_t{output[2]} * output[3];
  const std::size_t products = element_count(output) / output[1] * element_count(call.shape(1));
  // One image is divided into bands; several images are divided into images, and those into bands if they are few.
  const auto bands_of_image = std::clamp<std::int64_t>(pixels / pixels_of_band, 1, height);
  const auto most = std::int64_t(piece_count(products, std::size_t(images * (divides_images ? bands_of_image : 1))));
  const std::int64_t least = form == Form::images ? 1 : div_up(height, longest_band);
  const std::int64_t bands =
      divides_images ? std::max(std::clamp<std::int64_t>(most / images, 1, bands_of_image), least) : 1;
  const auto divided = [](std::int64_t length, std::int64_t parts) {
    return std::int64_t(part_length(std::size_t(length), std::size_t(parts)));
  };
  const std::int64_t band_rows = images > 1 || bands == least ? div_up(height, bands) : divided(height, bands);
  const std::int64_t together = bands > 1 ? 1 : divided(images, most);
  std::vector<Band> result;
  for (std::int64_t image = 0; image < images; image += together)
    for (std::int64_t first = 0; first < height; first += band_rows) {
      Band band = whole_band(call, output);
      band.first_image = image;
      band.images = std::min(together, images - image);
      band.first_row = first;
      band.rows = std::min(band_rows, height - first);
      if (band.rows < height) {
        const std::int64_t begin = first * rows.stride - rows.begin;
        const std::int64_t end = (first + band.rows - 1) * rows.stride - rows.begin + rows.extent();
        band.first_input_row = std::clamp<std::int64_t>(begin, 0, rows.input - 1);
        band.input_rows = std::clamp<std::int64_t>(end, 1, rows.input) - band.first_input_row;
        band.padding_begin = std::max<std::int64_t>(-begin, 0);
        band.padding_end = std::max<std::int64_t>(end - rows.input, 0);
      }
      result.push_back(band);
    }
  return result;
}

namespace {

/// The windows along a row, as it is described, and how many of their taps lie in the padding at most.
const SlidingWindow& row_of(Form form, const std::array<SlidingWindow, 2>& windows) {
  return windows[form == Form::columns ? 0 : 1];
}
std::int64_t padded_taps(const SlidingWindow& row) {
  return std::min(row.window, (row.begin + row.end) / row.dilation);
}

}  // namespace

std::size_t functions_of(const OperatorCall& call, const Shape& output, std::size_t kinds) {
  constexpr std::size_t of_inside = 2;
  return kinds * of_inside + std::size_t(padded_taps(row_of(form_of(call, output), sliding_windows(call, output))));
}

bool takes_windows(const OperatorCall& call, const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto windows = sliding_windows(call, output);
  const Form form = form_of(call, output);
  const SlidingWindow& row = row_of(form, windows);
  const bool is_divided = form != Form::images && spec.op != "convTranspose2d"_op;
  if (std::max(row.input, row.output) > (is_divided ? longest_divided_row : longest_row) ||
      padded_taps(row) > most_padded_taps)
    return false;
  return are_moderate(windows, std::max(input[1], output[1])) &&
         std::ranges::all_of(
             windows, [](const SlidingWindow& axis) { return axis.begin < axis.extent() && axis.end < axis.extent(); });
}

}  // namespace webnn::runtime::onednn
