#include "cli/output/summary.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "cli/json/json.hpp"
#include "compiler/frontend/mapped_file.hpp"
#include "schema/elements/elements.hpp"
#include "schema/error.hpp"
#include "schema/text.hpp"

namespace webnn::cli {

using namespace schema;

namespace {

Number element(const compiler::Tensor& tensor, std::size_t index) {
  return load_element(tensor.descriptor.type, tensor.data.data(), index);
}

/// The shortest text that reads back as the same element: a float32 0.1 is "0.1", not "0.10000000149011612".
std::string element_text(const compiler::Tensor& tensor, std::size_t index) {
  const Number value = element(tensor, index);
  if (!is_float(tensor.descriptor.type) || !value.is_finite()) return value.text();
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, float(value.as_double()));
  return std::string(buffer, error == std::errc{} ? end : buffer);
}

}  // namespace

Statistics statistics_of(const compiler::Tensor& tensor) {
  Statistics result;
  double sum = 0;
  std::size_t numbers = 0;
  const std::size_t count = element_count(tensor.descriptor.shape);
  for (std::size_t i = 0; i < count; ++i) {
    const Number value = element(tensor, i);
    if (value.is_nan()) {
      ++result.nan_count;
      continue;
    }
    if (!value.is_finite()) ++result.infinity_count;
    if (numbers == 0 || Number::compare(value, result.min) < 0) result.min = value;
    if (numbers == 0 || Number::compare(value, result.max) > 0) result.max = value;
    sum += value.as_double();
    ++numbers;
  }
  result.mean = numbers == 0 ? std::nan("") : sum / double(numbers);
  if (numbers == 0) result.min = result.max = std::nan("");
  return result;
}

std::vector<Ranked> best_elements(const compiler::Tensor& tensor, std::size_t count) {
  std::vector<Ranked> ranked;
  const std::size_t size = element_count(tensor.descriptor.shape);
  for (std::size_t i = 0; i < size; ++i)
    if (const Number value = element(tensor, i); !value.is_nan()) ranked.push_back({i, value});
  count = std::min(count, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + std::ptrdiff_t(count), ranked.end(),
                    [](const Ranked& a, const Ranked& b) {
                      const int order = Number::compare(a.value, b.value);
                      return order != 0 ? order > 0 : a.index < b.index;
                    });
  ranked.resize(count);
  return ranked;
}

std::vector<std::string> read_labels(const std::filesystem::path& file) {
  std::istringstream stream(compiler::read_whole_file(file, std::uint64_t{64} << 20));
  std::vector<std::string> labels;
  for (std::string line; std::getline(stream, line);) {
    if (line.ends_with('\r')) line.pop_back();
    labels.push_back(line);
  }
  return labels;
}

std::string first_values(const compiler::Tensor& tensor, std::size_t count) {
  const std::size_t size = element_count(tensor.descriptor.shape);
  std::string text;
  for (std::size_t i = 0; i < std::min(count, size); ++i) text += (i ? ", " : "") + element_text(tensor, i);
  return size > count ? text + ", ..." : text;
}

Json number_json(const Number& value) {
  if (!value.is_finite()) return value.text();
  if (value.kind() == Number::Kind::unsigned_integer) return value.as_uint64();
  if (value.kind() == Number::Kind::signed_integer) return value.as_int64();
  return value.as_double();
}

Json values_json(const compiler::Tensor& tensor) {
  Json list = Json::array();
  const std::size_t count = element_count(tensor.descriptor.shape);
  for (std::size_t i = 0; i < count; ++i) {
    const Number value = element(tensor, i);
    if (!is_float(tensor.descriptor.type) || !value.is_finite()) {
      list.push_back(number_json(value));
    } else {
      const std::string text = element_text(tensor, i);
      double shortest = 0;
      std::from_chars(text.data(), text.data() + text.size(), shortest);
      list.push_back(shortest);
    }
  }
  return list;
}

std::string size_text(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = double(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < std::size(units)) {
    value /= 1024;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

Json descriptor_json(const std::string& name, const OperandDescriptor& descriptor) {
  return {{"name", name},
          {"dataType", name_of(descriptor.type)},
          {"shape", std::vector<std::uint32_t>(descriptor.shape.begin(), descriptor.shape.end())}};
}

}  // namespace webnn::cli
