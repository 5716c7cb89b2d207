// Tensors of convolutions as oneDNN sees them.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <vector>

#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::onednn {

using Dims = dnnl::memory::dims;

/// So many images and rows of a tensor of logical order nchw, in memory channels-last.
dnnl::memory::desc channels_last(const schema::Shape& shape, dnnl::memory::data_type type, std::int64_t images,
                                 std::int64_t rows);

/// The filter as the graph has it: oihw, or iohw for convTranspose2d, whose outer axis is divided into groups.
/// oneDNN's axes are (group,) output channel, input channel, height, width.
dnnl::memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed,
                               dnnl::memory::data_type type);

/// Strides, dilations and padding of a call of conv2d's form.
struct WindowDims {
  Dims strides, dilations, padding_begin, padding_end;

  explicit WindowDims(const schema::OperatorCall& call);
};

/// A part of a convolution: some images, or a band of rows of one image.
struct Band {
  std::int64_t first_image = 0, images = 0;
  std::int64_t first_row = 0, rows = 0;              // of the output
  std::int64_t first_input_row = 0, input_rows = 0;  // that these see
  std::int64_t padding_begin = 0, padding_end = 0;   // rows beside them

  /// Where it begins in the input and in the output, both channels-last.
  std::size_t first_input_byte(const schema::OperandDescriptor& input) const;
  std::size_t first_byte(const schema::OperandDescriptor& output) const;
};

/// All of it.
Band whole_band(const schema::OperatorCall& call, const schema::Shape& output);
/// Divides a call of conv2d's form; `divides_images`: into bands of rows, too.
std::vector<Band> bands_of(const schema::OperatorCall& call, const schema::Shape& output, bool divides_images);

/// `describe(band)` of all bands; none when there is only one, or when oneDNN would not use the code `implementation`
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
    parts.clear();  // it has no code for a part
  }
  return parts;
}

}  // namespace webnn::runtime::onednn
