// JPEG files written by hand consist of these.
#pragma once

#include <string>

namespace webnn::tests {

/// A segment of a JPEG file.
inline std::string jpeg_segment(char marker, const std::string& content) {
  const std::size_t length = content.size() + 2;
  return std::string{'\xff', marker, char(length >> 8), char(length & 0xff)} + content;
}

}  // namespace webnn::tests
