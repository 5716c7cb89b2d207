// Pictures of handwritten-looking digits: vector strokes under random distortion, thickness and noise.
#pragma once

#include <cstdint>
#include <vector>

#include "models/writer/random.hpp"

namespace webnn::models {

constexpr std::uint32_t image_size = 20;  // pixels in height and width
constexpr std::uint32_t digit_count = 10;

/// Row-major grey values: 0 paper, 1 ink.
using Image = std::vector<float>;

struct LabelledImage {
  Image image;
  std::uint32_t label = 0;
};

/// One rendering of `digit`, different with every call.
Image render_digit(std::uint32_t digit, Random& random);

/// A rendering of a random digit.
LabelledImage render_any(Random& random);

}  // namespace webnn::models
