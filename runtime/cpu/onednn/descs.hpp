// oneDNN memory descriptors for the tensors of convolutions.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <vector>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::onednn {

using Dims = dnnl::memory::dims;

/// Describes `images` images of `rows` rows of a logically nchw tensor stored channels-last.
dnnl::memory::desc channels_last(const schema::Shape& shape, dnnl::memory::data_type type, std::int64_t images,
                                 std::int64_t rows);

/// Describes the filter as in the graph: oihw, or iohw for convTranspose2d, where the outer axis is divided into
/// groups. oneDNN's axes are (group,) output channel, input channel, height, width.
dnnl::memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed,
                               dnnl::memory::data_type type);

/// Strides, dilations and padding of a conv2d-like call, [vertical, horizontal].
struct WindowDims {
  Dims strides, dilations, padding_begin, padding_end;

  explicit WindowDims(const schema::OperatorCall& call);
};

/// A part of a convolution: some images, or a band of rows of one image.
struct Band {
  std::int64_t first_image = 0, images = 0;
  std::int64_t first_row = 0, rows = 0;              // of the output
  std::int64_t first_input_row = 0, input_rows = 0;  // that these read
  std::int64_t padding_begin = 0, padding_end = 0;   // rows of padding above and below

  /// The byte offset of the band in the input and in the output, both channels-last.
  std::size_t first_input_byte(const schema::OperandDescriptor& input) const;
  std::size_t first_byte(const schema::OperandDescriptor& output) const;
};

/// The whole call as one band.
Band whole_band(const schema::OperatorCall& call, const schema::Shape& output);
/// Divides a conv2d-like call into images, and, if `divides_images`, also into bands of rows.
std::vector<Band> bands_of(const schema::OperatorCall& call, const schema::Shape& output, bool divides_images);

/// `describe(band)` for all bands; empty when there is only one, or when oneDNN would not use the code `implementation`
/// for all of them.
template <typename Describe>
auto same_code(const std::vector<Band>& bands, std::string_view implementation, Describe describe) {
  std::vector<decltype(describe(bands[0]))> parts;
  if (bands.size() < 2) return parts;
  try {
    for (const Band& band : bands) {
      parts.push_back(describe(band));
      if (parts.back().described.impl_info_str() != implementation) return decltype(parts)();
    }
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw;
    parts.clear();  // oneDNN has no code for one of the bands
  }
  return parts;
}

/// oneDNN's fast kernels need every window to see some of the input, and count in 32 bits.
bool takes_windows(const schema::OperatorCall& call, const schema::KernelSpec& spec);

}  // namespace webnn::runtime::onednn
