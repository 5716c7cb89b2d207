// Scales pictures and turns them into input tensors.
#include "cli/inputs/image.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {
namespace {

using namespace schema;

[[noreturn]] void refuse_image(const std::string& message, const std::string& hint = {}) {
  throw Error(ExitCode::usage, message, hint);
}

/// For each output position: the first input position, and the weights of a triangle filter, which sum to 1.
struct Filter {
  std::uint32_t first;
  std::vector<float> weights;
};

std::vector<Filter> triangle_filters(std::uint32_t from, std::uint32_t to) {
  const double ratio = double(from) / to;
  const double support = std::max(ratio, 1.0);
  std::vector<Filter> filters(to);
  for (std::uint32_t i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * ratio;
    const auto first = std::uint32_t(std::max(0.0, std::floor(centre - support)));
    const auto last = std::uint32_t(std::min(double(from), std::ceil(centre + support)));
    double sum = 0;
    std::vector<double> weights;
    for (std::uint32_t j = first; j < last; ++j) {
      weights.push_back(std::max(0.0, 1 - std::abs((j + 0.5 - centre) / support)));
      sum += weights.back();
    }
    filters[i].first = first;
    for (const double weight : weights) filters[i].weights.push_back(float(weight / sum));
  }
  return filters;
}

struct PictureSpec {
  std::string file;
  std::uint32_t width = 0, height = 0;
  bool bgr = false;
  bool channels_first = false;
  double scale = 1;
  std::array<double, 3> mean{0, 0, 0}, deviation{1, 1, 1};
};

double parse_real(std::string_view text, std::string_view whole) {
  const auto number = [&](std::string_view part) {
    double value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || !std::isfinite(value))
      refuse_image(in_quotes(part) + " in " + in_quotes(whole) + " is no number");
    return value;
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return number(text);
  const double divisor = number(text.substr(slash + 1));
  if (divisor == 0) refuse_image("division by zero in " + in_quotes(whole));
  return number(text.substr(0, slash)) / divisor;
}

/// "104:117:123", or one number for all channels.
std::array<double, 3> parse_channels(std::string_view text, std::string_view whole) {
  std::array<double, 3> values{};
  std::size_t count = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    if (count == 3) refuse_image(in_quotes(whole) + " must have one or three numbers");
    values[count++] = parse_real(text.substr(0, colon), whole);
    if (colon == std::string_view::npos) break;
    text.remove_prefix(colon + 1);
  }
  if (count == 1) values[1] = values[2] = values[0];
  if (count == 2) refuse_image(in_quotes(whole) + " must have one or three numbers");
  return values;
}

void parse_part(std::string_view part, PictureSpec& spec) {
  const std::string_view key = part.substr(0, part.find(':'));
  const std::string_view value = key.size() == part.size() ? std::string_view{} : part.substr(key.size() + 1);
  if (key == "size") {
    const char* end = value.data() + value.size();
    const auto width = std::from_chars(value.data(), end, spec.width);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x')
      if (const auto height = std::from_chars(width.ptr + 1, end, spec.height);
          height.ec == std::errc{} && height.ptr == end && spec.width != 0 && spec.height != 0)
        return;
    refuse_image(in_quotes(part) + " is not of the form size:WIDTHxHEIGHT");
  }
  if (key == "order" && (value == "rgb" || value == "bgr")) {
    spec.bgr = value == "bgr";
  } else if (key == "layout" && (value == "nchw" || value == "nhwc")) {
    spec.channels_first = value == "nchw";
  } else if (key == "mean") {
    spec.mean = parse_channels(value, part);
  } else if (key == "std") {
    spec.deviation = parse_channels(value, part);
    if (std::ranges::count(spec.deviation, 0.0) != 0) refuse_image("std must not be zero");
  } else if (key == "scale") {
    spec.scale = parse_real(value, part);
  } else {
    refuse_image(in_quotes(part) + " is no part of an image specification",
                 "the parts are size:WxH, order:rgb|bgr, mean:A:B:C, std:A:B:C, scale:X, layout:nchw|nhwc");
  }
}

/// Height, width and the position of the channels, from the input's shape.
struct Geometry {
  std::uint32_t height, width;
  bool channels_first;
};

Geometry geometry_of(const api::Slot& input, std::string_view spec) {
  const Shape& shape = input.descriptor.shape;
  const unsigned skip = shape.rank() == 4 ? 1 : 0;
  if ((shape.rank() != 3 && shape.rank() != 4) || (skip && shape[0] != 1) || !is_float(input.descriptor.type))
    refuse_image(
        "input " + in_quotes(input.name) + " is " + input.descriptor.text() + ", which holds no single picture",
        "a picture needs a float tensor of shape [1, 3, height, width] or [1, height, width, 3]");
  const bool first = shape[skip] == 3, last = shape[skip + 2] == 3;
  const bool wants_first = spec.find("layout:nchw") != std::string_view::npos;
  const bool wants_last = spec.find("layout:nhwc") != std::string_view::npos;
  if (first && !wants_last) return {shape[skip + 1], shape[skip + 2], true};
  if (last && !wants_first) return {shape[skip], shape[skip + 1], false};
  refuse_image("input " + in_quotes(input.name) + " is " + input.descriptor.text() +
               ", which has no dimension of 3 channels in that place");
}

}  // namespace

Picture scale(const Picture& picture, std::uint32_t width, std::uint32_t height) {
  const std::vector<Filter> across = triangle_filters(picture.width, width),
                            down = triangle_filters(picture.height, height);
  std::vector<float> rows(std::size_t(picture.height) * width * 3);
  for (std::uint32_t y = 0; y < picture.height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      for (unsigned c = 0; c < 3; ++c) {
        float sum = 0;
        for (std::size_t k = 0; k < across[x].weights.size(); ++k)
          sum +=
              across[x].weights[k] * float(picture.rgb[(std::size_t(y) * picture.width + across[x].first + k) * 3 + c]);
        rows[(std::size_t(y) * width + x) * 3 + c] = sum;
      }
  Picture result{width, height, std::vector<std::uint8_t>(std::size_t(width) * height * 3)};
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::size_t i = 0; i < std::size_t(width) * 3; ++i) {
      float sum = 0;
      for (std::size_t k = 0; k < down[y].weights.size(); ++k)
        sum += down[y].weights[k] * rows[(down[y].first + k) * width * 3 + i];
      result.rgb[std::size_t(y) * width * 3 + i] = std::uint8_t(std::clamp(std::lround(sum), 0l, 255l));
    }
  return result;
}

compiler::Tensor read_picture_input(std::string_view text, const api::Slot& input) {
  if (!text.starts_with('@')) refuse_image("--image takes NAME=@FILE, not " + in_quotes(text));
  PictureSpec spec;
  const Geometry geometry = geometry_of(input, text);
  const std::size_t comma = std::min(text.find(','), text.size());
  spec.file = text.substr(1, comma - 1);
  for (std::string_view rest = text.substr(comma); !rest.empty();) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find(','));
    parse_part(part, spec);
    rest.remove_prefix(part.size());
  }
  if (spec.width != 0 && (spec.width != geometry.width || spec.height != geometry.height))
    refuse_image("size:" + std::to_string(spec.width) + "x" + std::to_string(spec.height) + " does not fit input " +
                 in_quotes(input.name) + ", which is " + input.descriptor.text());

  Picture picture = read_picture(spec.file);
  if (picture.width != geometry.width || picture.height != geometry.height)
    picture = scale(picture, geometry.width, geometry.height);

  std::vector<std::byte> data(byte_length(input.descriptor));
  const std::size_t pixels = std::size_t(geometry.width) * geometry.height;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel)
    for (std::size_t c = 0; c < 3; ++c) {
      const double raw = picture.rgb[pixel * 3 + (spec.bgr ? 2 - c : c)];
      const std::size_t index = geometry.channels_first ? c * pixels + pixel : pixel * 3 + c;
      store_element((raw * spec.scale - spec.mean[c]) / spec.deviation[c], input.descriptor.type, data.data(), index);
    }
  return {input.descriptor, Bytes(std::move(data))};
}

}  // namespace webnn::cli
