#include "compiler/onnx/reader/wire.hpp"

#include <bit>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <limits>
#include <utility>

#include "schema/elements/memory_account.hpp"
#include "schema/text.hpp"

namespace webnn::compiler {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

namespace {

/// A stream over bytes, of which protobuf can take 2 GiB at most.
CodedInputStream stream_of(std::span<const std::byte> bytes) {
  return CodedInputStream(reinterpret_cast<const std::uint8_t*>(bytes.data()), int(bytes.size()));
}

WireDamage wrong_kind(const WireField& field) {
  return {"field " + std::to_string(field.number) + " has another kind of value than ONNX's schema says",
          field.position};
}

}  // namespace

std::int64_t WireField::integer() const {
  if (kind != Kind::varint) throw wrong_kind(*this);
  return std::int64_t(value);
}

float WireField::real() const {
  if (kind != Kind::fixed32) throw wrong_kind(*this);
  return std::bit_cast<float>(std::uint32_t(value));
}

std::string WireField::text() const {
  if (kind != Kind::bytes) throw wrong_kind(*this);
  if (!is_utf8(text_of(bytes))) throw WireDamage{"a name is not valid UTF-8", position};
  return std::string(text_of(bytes));
}

template <class Allocator>
void WireField::append_to(std::vector<std::int64_t, Allocator>& list) const {
  if (kind == Kind::varint) return list.push_back(std::int64_t(value));
  if (kind != Kind::bytes) throw wrong_kind(*this);
  CodedInputStream stream = stream_of(bytes.view());
  for (std::uint64_t number = 0; std::size_t(stream.CurrentPosition()) < bytes.size();) {
    if (!stream.ReadVarint64(&number)) throw WireDamage{"a list of integers is cut off", position};
    list.push_back(std::int64_t(number));
  }
}

template <class Allocator>
void WireField::append_to(std::vector<float, Allocator>& list) const {
  if (kind == Kind::fixed32) return list.push_back(real());
  if (kind != Kind::bytes) throw wrong_kind(*this);
  if (bytes.size() % sizeof(float) != 0) throw WireDamage{"a list of numbers is cut off", position};
  CodedInputStream stream = stream_of(bytes.view());
  for (std::uint32_t bits = 0; stream.ReadLittleEndian32(&bits);) list.push_back(std::bit_cast<float>(bits));
}

template void WireField::append_to(std::vector<std::int64_t>&) const;
template void WireField::append_to(CountedVector<std::int64_t>&) const;
template void WireField::append_to(std::vector<float>&) const;
template void WireField::append_to(CountedVector<float>&) const;

WireMessage WireMessage::inside(const WireField& field) const {
  if (field.kind != WireField::Kind::bytes) throw wrong_kind(field);
  if (depth_ + 1 > max_depth)
    throw WireDamage{"messages are nested more than " + std::to_string(max_depth) + " deep", field.position};
  return {field.bytes, field.position, depth_ + 1};
}

std::optional<WireField> WireMessage::next() {
  if (at_ >= bytes_.size()) return std::nullopt;
  const auto cut_off = [&]() -> WireDamage { return {"the file is cut off or damaged", position_ + at_}; };
  const std::size_t rest = bytes_.size() - at_;
  if (rest > std::size_t(std::numeric_limits<int>::max())) throw WireDamage{"a message has more than 2 GiB", position_};
  CodedInputStream stream = stream_of(bytes_.view().subspan(at_));
  const std::uint32_t tag = stream.ReadTag();
  WireField field;
  field.number = WireFormatLite::GetTagFieldNumber(tag);
  if (tag == 0 || field.number == 0) throw cut_off();
  std::uint32_t bits = 0, length = 0;
  bool is_whole = false;
  switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_VARINT:
      field.kind = WireField::Kind::varint;
      is_whole = stream.ReadVarint64(&field.value);
      break;
    case WireFormatLite::WIRETYPE_FIXED64:
      field.kind = WireField::Kind::fixed64;
      is_whole = stream.ReadLittleEndian64(&field.value);
      break;
    case WireFormatLite::WIRETYPE_FIXED32:
      field.kind = WireField::Kind::fixed32;
      is_whole = stream.ReadLittleEndian32(&bits);
      field.value = bits;
      break;
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      field.kind = WireField::Kind::bytes;
      is_whole = stream.ReadVarint32(&length) && length <= rest - std::size_t(stream.CurrentPosition());
      break;
    default:
      break;
  }
  if (!is_whole) throw cut_off();
  const std::size_t content = at_ + std::size_t(stream.CurrentPosition());
  field.position = position_ + content;
  if (field.kind == WireField::Kind::bytes) field.bytes = bytes_.part(content, length);
  at_ = content + length;
  return field;
}

}  // namespace webnn::compiler
