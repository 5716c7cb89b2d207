// Writes messages in Protocol Buffers' wire format, as far as traces need it: a message is a sequence of fields.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace webnn::cli {

class ProtobufMessage {
 public:
  ProtobufMessage& number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3u);
    varint(value);
    return *this;
  }
  ProtobufMessage& real(std::uint32_t field, double value) {
    varint(field << 3u | 1u);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; ++i) bytes_ += char(bits >> (8 * i) & 0xffu);
    return *this;
  }
  ProtobufMessage& text(std::uint32_t field, std::string_view value) {
    varint(field << 3u | 2u);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtobufMessage& message(std::uint32_t field, const ProtobufMessage& value) { return text(field, value.bytes_); }

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7u) bytes_ += char((value & 0x7fu) | 0x80u);
    bytes_ += char(value);
  }

  std::string bytes_;
};

}  // namespace webnn::cli
