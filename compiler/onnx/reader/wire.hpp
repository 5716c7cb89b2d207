// Protobuf's wire format, read in place: a message is a range of the file, so that a tensor's bytes stay where they are.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "schema/diagnostics.hpp"
#include "schema/elements/bytes.hpp"

namespace webnn::compiler {

using namespace webnn::schema;

/// Thrown where a message cannot be read on; `position` is in the file.
struct WireDamage {
  std::string message;
  std::uint64_t position = 0;
  Code code = Code::bad_format;
  std::string hint{};  // empty: what helps for the code in general
};

/// One field of a message.
struct WireField {
  int number = 0;
  enum class Kind : std::uint8_t { varint, fixed64, bytes, fixed32 } kind = Kind::varint;
  std::uint64_t value = 0;   // of a varint, or the bits of a fixed field
  Bytes bytes{};             // of a field with a length
  std::uint64_t position{};  // of its content in the file

  /// The value, or what is at its place: a field of another kind is a mistake.
  std::int64_t integer() const;
  float real() const;
  std::string text() const;
  /// Appends numbers; packed fields have several. A list of a tensor's elements is a CountedVector.
  template <class Allocator>
  void append_to(std::vector<std::int64_t, Allocator>& list) const;
  template <class Allocator>
  void append_to(std::vector<float, Allocator>& list) const;
};

/// The fields of a message in their order. Messages in messages may be `max_depth` deep.
class WireMessage {
 public:
  static constexpr unsigned max_depth = 64;

  explicit WireMessage(Bytes bytes) : WireMessage(std::move(bytes), 0, 0) {}
  /// The message in a field.
  WireMessage inside(const WireField& field) const;
  /// Nullopt behind the last field.
  std::optional<WireField> next();
  std::uint64_t position() const { return position_; }

 private:
  WireMessage(Bytes bytes, std::uint64_t position, unsigned depth)
      : bytes_(std::move(bytes)), position_(position), depth_(depth) {}

  Bytes bytes_;
  std::uint64_t position_;  // of the message in the file
  unsigned depth_;
  std::size_t at_ = 0;
};

}  // namespace webnn::compiler
