// The part of YOLOv8 that says where things are: boxes as distributions over 16 distances to each side, and classes.
#pragma once

#include <vector>

#include "models/generate/layers/layers.hpp"

namespace webnn::models {

/// Boxes (middle, width, height in pixels of a square image) and probabilities of 80 classes for each place of each
/// map: [1, 84, places].
Tensor detect(Layers& layers, const std::vector<Tensor>& maps, std::uint32_t image_size);

}  // namespace webnn::models
