// Writes and reads the content of constants; see content.hpp.
#include "compiler/ir/content.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <vector>

#include "schema/elements/half.hpp"

namespace webnn::compiler {
namespace {

/// FNV-1a over 8-byte words: distinguishes contents for people; not a checksum against damage.
std::uint64_t hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), count);
    hash = (hash ^ word) * 0x100000001b3u;
    bytes = bytes.subspan(count);
  }
  return hash;
}

template <typename Byte>
void append_hex(std::string& text, Byte byte) {
  constexpr char digits[] = "0123456789abcdef";
  (text += digits[unsigned(byte) >> 4 & 15]) += digits[unsigned(byte) & 15];
}

template <typename T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

template <typename T>
bool parse_integer_element(std::string_view text, std::byte* element) {
  T value{};
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  std::memcpy(element, &value, sizeof value);
  return true;
}

/// An element as a number; empty for 4-bit types, which are written as bytes.
std::string element_text(DataType type, const std::byte* element) {
  switch (type) {
    case DataType::float32:
      return real_text(load<float>(element));
    case DataType::float16:
      return real_text(half_value(load<std::uint16_t>(element)));
    case DataType::int32:
      return std::to_string(load<std::int32_t>(element));
    case DataType::uint32:
      return std::to_string(load<std::uint32_t>(element));
    case DataType::int64:
      return std::to_string(load<std::int64_t>(element));
    case DataType::uint64:
      return std::to_string(load<std::uint64_t>(element));
    case DataType::int8:
      return std::to_string(load<std::int8_t>(element));
    case DataType::uint8:
      return std::to_string(load<std::uint8_t>(element));
    case DataType::int4:
    case DataType::uint4:
      return {};
  }
  return {};
}

std::optional<Bytes> read_hexadecimal(TokenReader& reader, std::size_t size) {
  const Token token = reader.take();
  if (token.text.size() != size * 2) {
    reader.fail("expected " + std::to_string(size) + " bytes, found " + std::to_string(token.text.size()) +
                    " hexadecimal digits",
                token.column);
    return std::nullopt;
  }
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i)
    bytes[i] = std::byte(digit(token.text[2 * i]) * 16 + digit(token.text[2 * i + 1]));
  return Bytes(std::move(bytes));
}

/// Reads the rest of {1, 2} or {0...}.
std::optional<Bytes> read_elements(TokenReader& reader, const OperandDescriptor& descriptor) {
  const std::uint32_t start = reader.peek().column;
  const std::size_t width = bits_of(descriptor.type) / 8;
  if (width == 0) {
    reader.fail("elements of " + std::string(name_of(descriptor.type)) + " are written as bytes, 0x..");
    return std::nullopt;
  }
  const std::size_t count = element_count(descriptor.shape);
  std::vector<std::byte> bytes;
  std::size_t read = 0;
  while (true) {
    const Token token = reader.peek();
    std::byte element[8];
    if ((token.kind != Token::Kind::number && token.kind != Token::Kind::word) ||
        !parse_element(token.text, descriptor.type, element)) {
      reader.fail("expected an element of " + std::string(name_of(descriptor.type)) + ", found " + token.described());
      return std::nullopt;
    }
    reader.take();
    bytes.insert(bytes.end(), element, element + width);
    if (++read == 1 && reader.accept("...")) {
      if (!reader.expect("}")) return std::nullopt;
      bytes.reserve(count * width);
      while (bytes.size() < count * width) bytes.insert(bytes.end(), element, element + width);
      return Bytes(std::move(bytes));
    }
    if (reader.accept("}")) break;
    if (!reader.expect(",")) return std::nullopt;
  }
  if (read != count) {
    reader.fail("expected " + std::to_string(count) + " elements, found " + std::to_string(read), start);
    return std::nullopt;
  }
  return Bytes(std::move(bytes));
}

}  // namespace

std::string content_text(DataType type, std::span<const std::byte> data, std::size_t elide_above, bool exact) {
  const std::size_t width = bits_of(type) / 8;
  const std::size_t count = width == 0 ? 0 : data.size() / width;
  // Elements are written as numbers where that is exact: not for NaN, whose bits differ, nor for packed types.
  if (count > 0 && count * width == data.size()) {
    const bool fills = count > 1 && std::memcmp(data.data(), data.data() + width, data.size() - width) == 0;
    if (fills || count <= elide_above) {
      std::string text = "{";
      bool numbers = true;
      for (std::size_t i = 0; i < (fills ? 1 : count); ++i) {
        const std::string element = element_text(type, data.data() + i * width);
        numbers = numbers && element != "NaN";
        text += (i ? ", " : "") + element;
      }
      if (numbers) return text + (fills ? "...}" : "}");
    }
  }
  std::string text;
  if (exact || data.size() <= elide_above) {
    text = "0x";
    for (const std::byte byte : data) append_hex(text, byte);
    return text;
  }
  text = "<" + std::to_string(data.size()) + " bytes, hash ";
  const std::uint64_t hash = hash_of(data);
  for (int shift = 56; shift >= 0; shift -= 8) append_hex(text, std::uint8_t(hash >> shift));
  return text + ">";
}

std::optional<Bytes> read_content(TokenReader& reader, const OperandDescriptor& descriptor) {
  if (reader.at(Token::Kind::bytes)) return read_hexadecimal(reader, byte_length(descriptor));
  if (reader.accept("{")) return read_elements(reader, descriptor);
  reader.fail("expected the constant's content, {1, 2}, {0...} or 0x and bytes, found " + reader.peek().described());
  return std::nullopt;
}

bool parse_element(std::string_view text, DataType type, std::byte* element) {
  switch (type) {
    case DataType::float32: {
      const auto value = parse_float(text);
      if (value) std::memcpy(element, &*value, sizeof *value);
      return value.has_value();
    }
    case DataType::float16: {
      const auto value = parse_float(text);
      const std::uint16_t bits = half_bits(value.value_or(0));
      if (value) std::memcpy(element, &bits, sizeof bits);
      return value.has_value();
    }
    case DataType::int32:
      return parse_integer_element<std::int32_t>(text, element);
    case DataType::uint32:
      return parse_integer_element<std::uint32_t>(text, element);
    case DataType::int64:
      return parse_integer_element<std::int64_t>(text, element);
    case DataType::uint64:
      return parse_integer_element<std::uint64_t>(text, element);
    case DataType::int8:
      return parse_integer_element<std::int8_t>(text, element);
    case DataType::uint8:
      return parse_integer_element<std::uint8_t>(text, element);
    case DataType::int4:
    case DataType::uint4:
      return false;
  }
  return false;
}

}  // namespace webnn::compiler
