// The blocks of MobileNet version 2, width 1.0 (Sandler and others 2018).
#pragma once

#include <cstdint>

namespace webnn::models {

/// A row of the paper's table 2: `repeats` blocks of which the first has `stride`.
struct MobileNetStage {
  std::uint32_t expansion, channels, repeats, stride;
};
inline constexpr MobileNetStage mobilenet_stages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                                      {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};

}  // namespace webnn::models
