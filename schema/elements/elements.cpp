#include "schema/elements/elements.hpp"

#include <cstring>

#include "schema/elements/float64.hpp"
#include "schema/elements/half.hpp"

namespace webnn::schema {
namespace {

template <typename T>
T load_as(const std::byte* data, std::size_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

unsigned nibble(const std::byte* data, std::size_t index) {
  const auto byte = std::to_integer<unsigned>(data[index / 2]);
  return index % 2 == 0 ? byte & 0xfu : byte >> 4;
}

}  // namespace

Number load_element(DataType type, const std::byte* data, std::size_t index) {
  if (type == float64) return load_as<double>(data, index);
  switch (type) {
    case DataType::float32:
      return double(load_as<float>(data, index));
    case DataType::float16:
      return double(half_value(load_as<std::uint16_t>(data, index)));
    case DataType::int32:
      return std::int64_t{load_as<std::int32_t>(data, index)};
    case DataType::uint32:
      return std::uint64_t{load_as<std::uint32_t>(data, index)};
    case DataType::int64:
      return load_as<std::int64_t>(data, index);
    case DataType::uint64:
      return load_as<std::uint64_t>(data, index);
    case DataType::int8:
      return std::int64_t{load_as<std::int8_t>(data, index)};
    case DataType::uint8:
      return std::uint64_t{load_as<std::uint8_t>(data, index)};
    case DataType::int4:
      return std::int64_t(nibble(data, index) ^ 8u) - 8;  // sign extension
    case DataType::uint4:
      return std::uint64_t{nibble(data, index)};
  }
  return {};
}

void store_element(Number value, DataType type, std::byte* data, std::size_t index) {
  if (bits_of(type) >= 8) {
    store(value, type, data + index * (bits_of(type) / 8));
    return;
  }
  std::byte low{};
  store(value, type, &low);
  const unsigned shift = index % 2 == 0 ? 0 : 4;
  const auto others = std::to_integer<unsigned>(data[index / 2]) & (0xf0u >> shift);
  data[index / 2] = std::byte(others | ((std::to_integer<unsigned>(low) & 0xfu) << shift));
}

}  // namespace webnn::schema
