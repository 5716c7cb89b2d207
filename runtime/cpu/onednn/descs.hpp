// oneDNN memory descriptors for the tensors of convolutions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <vector>

#include "schema/kernels/kernel_table.hpp"
#include "schema/operators/operator_call.hpp"

namespace webnn::runtime::onednn {

using Dims = dnnl::memory::dims;

/// Describes the filter as in the graph: oihw, or iohw for convTranspose2d, where the outer axis is divided into
/// groups. oneDNN's axes are (group,) output channel, input channel, height, width.
dnnl::memory::desc filter_desc(const schema::Shape& filter, std::int64_t groups, bool transposed,
                               dnnl::memory::data_type type);

/// How the tensors of a conv2d-like call are described. oneDNN computes several elements of a row at once, those of a
/// column one by one, so a single column becomes a single row, which has the same bytes.
enum class Form : std::uint8_t { images, rows, columns };
/// `rows`, `columns`: all activations and the window have a single one, without padding.
Form form_of(const schema::OperatorCall& call, const schema::Shape& output);

/// A part of a convolution: some images, or a band of rows of one image. Where images are single rows or columns, the
/// elements of these are the band's rows.
struct Band {
  Form form = Form::images;
  std::int64_t first_image = 0, images = 0;
  std::int64_t first_row = 0, rows = 0;              // of the output
  std::int64_t first_input_row = 0, input_rows = 0;  // that these read
  std::int64_t padding_begin = 0, padding_end = 0;   // rows of padding above and below

  /// Whether the other band differs only in its place.
  bool is_like(const Band& other) const {
    return images == other.images && rows == other.rows && input_rows == other.input_rows &&
           padding_begin == other.padding_begin && padding_end == other.padding_end;
  }
  /// The byte offset of the band in the input and in the output, both channels-last.
  std::size_t first_input_byte(const schema::OperandDescriptor& input) const;
  std::size_t first_byte(const schema::OperandDescriptor& output) const;
};

/// Strides, dilations and padding of a band, [vertical, horizontal] as it is described.
struct WindowDims {
  Dims strides, dilations, padding_begin, padding_end;

  WindowDims(const schema::OperatorCall& call, const Band& band);
};

/// Describes `rows` rows of the band's images in a tensor of this shape, logically nchw and stored channels-last.
dnnl::memory::desc activations(const Band& band, const schema::Shape& shape, dnnl::memory::data_type type,
                               std::int64_t rows);
/// A filter's shape as it is described.
schema::Shape filter_shape(const schema::OperatorCall& call, const schema::Shape& output);

/// The whole call as one band.
Band whole_band(const schema::OperatorCall& call, const schema::Shape& output);
/// Divides a conv2d-like call into images, and, if `divides_images`, also into bands of rows.
std::vector<Band> bands_of(const schema::OperatorCall& call, const schema::Shape& output, bool divides_images);

/// Descriptions of bands. Those that differ only in their place share one, which may take megabytes.
template <typename Described>
struct BandParts {
  std::vector<Described> kinds;
  std::vector<std::size_t> kind_of;  // of each band; empty: the call is not divided
};

/// `describe(band)` for all bands; of none when there is only one, or when oneDNN would not use the code `implementation`
/// for all of them.
template <typename Describe>
auto same_code(const std::vector<Band>& bands, std::string_view implementation, Describe describe) {
  BandParts<decltype(describe(bands[0]))> parts;
  if (bands.size() < 2) return parts;
  std::vector<const Band*> first_of_kind;
  try {
    for (const Band& band : bands) {
      const auto like = std::ranges::find_if(first_of_kind, [&](const Band* other) { return band.is_like(*other); });
      parts.kind_of.push_back(std::size_t(like - first_of_kind.begin()));
      if (like != first_of_kind.end()) continue;
      first_of_kind.push_back(&band);
      parts.kinds.push_back(describe(band));
      if (parts.kinds.back().described.impl_info_str() != implementation) return decltype(parts)();
    }
  } catch (const dnnl::error& error) {
    if (error.status == dnnl_out_of_memory) throw;
    return decltype(parts)();  // oneDNN has no code for one of the bands
  }
  return parts;
}

/// Calls `add(band, description, primitive)` for each part of a call, or for `all` of it, described as `whole`, where it is
/// not divided. Bands of one kind share a primitive.
template <typename Forward, typename Described, typename Add>
void add_parts(const std::vector<Band>& bands, const BandParts<Described>& parts, const Band& all,
               const Described& whole, Add add) {
  std::vector<Forward> primitives;
  for (const Described& kind : parts.kinds) primitives.emplace_back(kind.described);
  for (std::size_t i = 0; i < parts.kind_of.size(); ++i) {
    const std::size_t kind = parts.kind_of[i];
    add(bands[i], parts.kinds[kind], primitives[kind]);
  }
  if (parts.kind_of.empty()) add(all, whole, Forward(whole.described));
}

/// How many functions oneDNN makes for so many kinds of bands, about: one for each overlap of a window with the padding.
std::size_t functions_of(const schema::OperatorCall& call, const schema::Shape& output, std::size_t kinds);

/// oneDNN's fast kernels need every window to see some of the input, and count in 32 bits.
bool takes_windows(const schema::OperatorCall& call, const schema::KernelSpec& spec);

}  // namespace webnn::runtime::onednn
