#include "runtime/cpu/onednn/descs.hpp"

#include <algorithm>
#include <utility>

#include "runtime/cpu/onednn/pieces.hpp"
#include "schema/operators/sliding_window.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::onednn {

using dnnl::memory;

memory::desc channels_last(const schema::Shape& shape, memory::data_type type, std::int64_t images, std::int64_t rows) {
  return {Dims{images, shape[1], rows, shape[3]}, type, memory::format_tag::nhwc};
}

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

WindowDims::WindowDims(const schema::OperatorCall& call) {
  for (const schema::SlidingWindow& axis : schema::sliding_windows(call)) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation - 1);  // oneDNN counts dilations from 0
    padding_begin.push_back(axis.begin);
    padding_end.push_back(axis.end);
  }
}

namespace {

std::size_t byte_of(const schema::OperandDescriptor& operand, std::int64_t image, std::int64_t row) {
  const schema::Shape& shape = operand.shape;
  const std::size_t line = std::size_t{shape[3]} * shape[1] * bits_of(operand.type) / 8;
  return (std::size_t(image) * shape[2] + std::size_t(row)) * line;
}

}  // namespace

std::size_t Band::first_input_byte(const schema::OperandDescriptor& input) const {
  return byte_of(input, first_image, first_input_row);
}
std::size_t Band::first_byte(const schema::OperandDescriptor& output) const {
  return byte_of(output, first_image, first_row);
}

Band whole_band(const schema::OperatorCall& call, const schema::Shape& output) {
  const schema::SlidingWindow rows = schema::sliding_windows(call, output)[0];
  Band band;
  band.images = output[0];
  band.rows = output[2];
  band.input_rows = call.shape(0)[2];
  band.padding_begin = rows.begin;
  band.padding_end = rows.end;
  return band;
}

std::vector<Band> bands_of(const schema::OperatorCall& call, const schema::Shape& output, bool divides_images) {
  constexpr std::int64_t pixels_of_band = 24;  // pixels that share one read of the filter
  const schema::SlidingWindow rows = schema::sliding_windows(call, output)[0];
  const std::int64_t images = output[0], height = output[2], pixels = height * output[3];
  const std::size_t products = element_count(output) / output[1] * element_count(call.shape(1));
  // One image is divided into bands; several images are divided into images, and those into bands if they are few.
  const auto bands_of_image = std::clamp<std::int64_t>(pixels / pixels_of_band, 1, height);
  const auto most = std::int64_t(piece_count(products, std::size_t(images * (divides_images ? bands_of_image : 1))));
  const std::int64_t bands = divides_images ? std::clamp<std::int64_t>(most / images, 1, bands_of_image) : 1;
  const auto divided = [](std::int64_t length, std::int64_t parts) {
    return std::int64_t(part_length(std::size_t(length), std::size_t(parts)));
  };
  const std::int64_t band_rows = images > 1 ? div_up(height, bands) : divided(height, bands);
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

bool takes_windows(const OperatorCall& call, const KernelSpec& spec) {
  if (spec.outputs.empty()) return false;
  const Shape &input = call.shape(0), &output = spec.outputs[0].shape;
  const auto windows = sliding_windows(call, output);
  return are_moderate(windows, std::max(input[1], output[1])) &&
         std::ranges::all_of(
             windows, [](const SlidingWindow& axis) { return axis.begin < axis.extent() && axis.end < axis.extent(); });
}

}  // namespace webnn::runtime::onednn
