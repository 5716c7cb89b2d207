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

constexpr const char* picture_hint =
    "a picture needs a float, uint8 or int8 tensor of shape [1, 3, height, width] or [1, height, width, 3], or with "
    "one "
    "channel for grey";

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

/// Rows of `width` pixels become rows of as many as there are filters.
template <class Value>
std::vector<float> filtered_across(const std::vector<Value>& values, std::size_t width,
                                   const std::vector<Filter>& filters) {
  std::vector<float> result;
  result.reserve(values.size() / width * filters.size());
  for (std::size_t row = 0; row < values.size(); row += width * 3)
    for (const Filter& filter : filters)
      for (unsigned c = 0; c < 3; ++c) {
        float sum = 0;
        for (std::size_t k = 0; k < filter.weights.size(); ++k)
          sum += filter.weights[k] * float(values[row + (filter.first + k) * 3 + c]);
        result.push_back(sum);
      }
  return result;
}
/// Rows of pixels become as many as there are filters; `rows` of them are given.
template <class Value>
std::vector<float> filtered_down(const std::vector<Value>& values, std::size_t rows,
                                 const std::vector<Filter>& filters) {
  const std::size_t row = values.size() / rows;
  std::vector<float> result(filters.size() * row);
  for (std::size_t y = 0; y < filters.size(); ++y)
    for (std::size_t i = 0; i < row; ++i) {
      float sum = 0;
      for (std::size_t k = 0; k < filters[y].weights.size(); ++k)
        sum += filters[y].weights[k] * float(values[(filters[y].first + k) * row + i]);
      result[y * row + i] = sum;
    }
  return result;
}

/// The size that a specification names; 0: none.
struct PictureSize {
  std::uint32_t width = 0, height = 0;
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

void parse_part(std::string_view part, PictureForm& form, PictureSize& asked) {
  const std::string_view key = part.substr(0, part.find(':'));
  const std::string_view value = key.size() == part.size() ? std::string_view{} : part.substr(key.size() + 1);
  if (key == "size") {
    const char* end = value.data() + value.size();
    const auto width = std::from_chars(value.data(), end, asked.width);
    if (width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x')
      if (const auto height = std::from_chars(width.ptr + 1, end, asked.height);
          height.ec == std::errc{} && height.ptr == end && asked.width != 0 && asked.height != 0)
        return;
    refuse_image(in_quotes(part) + " is not of the form size:WIDTHxHEIGHT");
  }
  if (key == "layout" && (value == "nchw" || value == "nhwc")) return;  // shape_form has read it
  if (key == "order" && (value == "rgb" || value == "bgr")) {
    form.bgr = value == "bgr";
  } else if (key == "mean") {
    form.mean = parse_channels(value, part);
  } else if (key == "std") {
    form.deviation = parse_channels(value, part);
    if (std::ranges::count(form.deviation, 0.0) != 0) refuse_image("std must not be zero");
  } else if (key == "scale") {
    form.scale = parse_real(value, part);
  } else {
    refuse_image(in_quotes(part) + " is no part of an image specification",
                 "the parts are size:WxH, order:rgb|bgr, mean:A:B:C, std:A:B:C, scale:X, layout:nchw|nhwc");
  }
}

/// Height, width and the position of the channels, from the input's shape. Three channels are looked for first.
PictureForm shape_form(const api::Slot& input, std::string_view parts) {
  const Shape& shape = input.descriptor.shape;
  const DataType type = input.descriptor.type;
  const unsigned skip = shape.rank() == 4 ? 1 : 0;
  const bool holds_pixels = is_float(type) || type == DataType::uint8 || type == DataType::int8;
  if ((shape.rank() != 3 && shape.rank() != 4) || (skip && shape[0] != 1) || !holds_pixels)
    refuse_image(
        "input " + in_quotes(input.name) + " is " + input.descriptor.text() + ", which holds no single picture",
        picture_hint);
  const bool wants_first = parts.find("layout:nchw") != std::string_view::npos;
  const bool wants_last = parts.find("layout:nhwc") != std::string_view::npos;
  for (const std::uint32_t channels : {3u, 1u}) {
    if (shape[skip] == channels && !wants_last)
      return {.width = shape[skip + 2], .height = shape[skip + 1], .channels = channels, .channels_first = true};
    if (shape[skip + 2] == channels && !wants_first)
      return {.width = shape[skip + 1], .height = shape[skip], .channels = channels};
  }
  refuse_image("input " + in_quotes(input.name) + " is " + input.descriptor.text() +
                   ", which has no dimension of 3 channels or 1 in that place",
               picture_hint);
}

/// An element of the input: rounded, and in the range of an integer type.
double element_value(double value, DataType type) {
  if (type == DataType::uint8) return std::clamp(std::nearbyint(value), 0.0, 255.0);
  if (type == DataType::int8) return std::clamp(std::nearbyint(value), -128.0, 127.0);
  return value;
}

}  // namespace

Picture scale(const Picture& picture, std::uint32_t width, std::uint32_t height) {
  const std::vector<Filter> across = triangle_filters(picture.width, width),
                            down = triangle_filters(picture.height, height);
  // Between the two there is a picture with one side of each: it and the time for it must not depend on how long a strip is.
  const bool across_first = std::uint64_t(picture.height) * width <= 4 * std::uint64_t(picture.width) * height;
  const std::vector<float> sums =
      across_first ? filtered_down(filtered_across(picture.rgb, picture.width, across), picture.height, down)
                   : filtered_across(filtered_down(picture.rgb, picture.height, down), picture.width, across);
  Picture result{width, height, std::vector<std::uint8_t>(sums.size())};
  std::ranges::transform(sums, result.rgb.begin(),
                         [](float sum) { return std::uint8_t(std::clamp(std::lround(sum), 0l, 255l)); });
  return result;
}

PictureForm picture_form(std::string_view parts, const api::Slot& input) {
  PictureForm form = shape_form(input, parts);
  PictureSize asked;
  for (std::size_t at = 0; !parts.empty() && at <= parts.size();) {
    const std::string_view part = parts.substr(at, parts.find(',', at) - at);
    parse_part(part, form, asked);
    at += part.size() + 1;
  }
  if (asked.width != 0 && (asked.width != form.width || asked.height != form.height))
    refuse_image("size:" + std::to_string(asked.width) + "x" + std::to_string(asked.height) + " does not fit input " +
                 in_quotes(input.name) + ", which is " + input.descriptor.text());
  return form;
}

compiler::Tensor read_picture_input(const compiler::FileName& file, const PictureForm& form, const api::Slot& input) {
  Picture picture = read_picture(file);
  if (picture.width != form.width || picture.height != form.height) picture = scale(picture, form.width, form.height);

  std::vector<std::byte> data(byte_length(input.descriptor));
  const std::size_t pixels = std::size_t(form.width) * form.height;
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    const std::uint8_t* rgb = &picture.rgb[pixel * 3];
    for (std::size_t c = 0; c < form.channels; ++c) {
      const double raw =
          form.channels == 1 ? 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] : rgb[form.bgr ? 2 - c : c];
      const std::size_t index = form.channels_first ? c * pixels + pixel : pixel * form.channels + c;
      const double value = (raw * form.scale - form.mean[c]) / form.deviation[c];
      store_element(element_value(value, input.descriptor.type), input.descriptor.type, data.data(), index);
    }
  }
  return {input.descriptor, Bytes(std::move(data))};
}

compiler::Tensor read_picture_input(std::string_view text, const api::Slot& input) {
  if (!text.starts_with('@')) refuse_image("--image takes NAME=@FILE, not " + in_quotes(text));
  const std::size_t comma = std::min(text.find(','), text.size());
  const PictureForm form = picture_form(text.substr(std::min(comma + 1, text.size())), input);
  return read_picture_input(std::string(text.substr(1, comma - 1)), form, input);
}

}  // namespace webnn::cli
