// Pictures as inputs: decodes PNG and JPEG, and scales, reorders and normalises them into a float tensor.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/inputs/input_spec.hpp"

namespace webnn::cli {

/// Rows of RGB pixels, 8 bits per channel.
struct Picture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Decodes a PNG or JPEG file, recognised by content. Grey, palette, alpha and 16-bit pictures become RGB, transparency
/// over black. The limits are 64 million pixels and 64 MiB of file. Throws Error: io, invalid_input (damaged), resource
/// (too large).
Picture read_picture(const compiler::FileName& file);

/// Scales with a triangle filter whose support grows with the reduction ("bilinear with antialiasing"), so that no
/// pixel is skipped.
Picture scale(const Picture& picture, std::uint32_t width, std::uint32_t height);

/// How pictures become a tensor for one input.
struct PictureForm {
  std::uint32_t width = 0, height = 0;  // of the input
  std::uint32_t channels = 3;           // 3, or 1: grey
  bool channels_first = false;
  bool bgr = false;
  double scale = 1;
  std::array<double, 3> mean{0, 0, 0}, deviation{1, 1, 1};  // in channel order
};

/// "size:224x224,order:bgr,mean:104:117:123,std:1:1:1,scale:1/255,layout:nchw", or less, for a float, uint8 or int8 input
/// of rank 3 or 4 with 3 channels or 1. By default size and layout follow the input's shape, order is rgb, scale 1, mean 0,
/// std 1. Throws Error (usage) when a part does not fit the input.
PictureForm picture_form(std::string_view parts, const api::Slot& input);

/// Values are (pixel * scale - mean) / std, with pixels from 0 to 255; of one channel, the pixel is the luma of BT.601.
/// Values of an integer type are rounded, and are the nearest that there is. The aspect ratio is not kept. Throws Error as `read_picture`.
compiler::Tensor read_picture_input(const compiler::FileName& file, const PictureForm& form, const api::Slot& input);
/// "@p.png", a comma and the parts of a form.
compiler::Tensor read_picture_input(std::string_view spec, const api::Slot& input);

}  // namespace webnn::cli
