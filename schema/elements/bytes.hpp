// Immutable bytes that keep their owner alive: a mapped weights file, an inline constant, a folded constant.
//
// Pages of a mapped file can be dropped after they have been read (`is_mapped`); the system reads them from the file
// again when they are needed.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace webnn::schema {

class Bytes {
 public:
  Bytes() = default;
  /// Takes ownership of the vector.
  explicit Bytes(std::vector<std::byte> data) {
    auto owned = std::make_shared<const std::vector<std::byte>>(std::move(data));
    view_ = *owned;
    owner_ = std::move(owned);
  }
  /// A view on memory that `owner` keeps alive.
  Bytes(std::shared_ptr<const void> owner, std::span<const std::byte> view) : owner_(std::move(owner)), view_(view) {}
  /// The same for a mapped file that is never written through the mapping.
  static Bytes mapped(std::shared_ptr<const void> owner, std::span<const std::byte> view) {
    Bytes bytes(std::move(owner), view);
    bytes.is_mapped_ = true;
    return bytes;
  }
  /// A part of the bytes, which keeps the whole alive. It must lie within them.
  Bytes part(std::size_t offset, std::size_t size) const {
    Bytes bytes = *this;
    bytes.view_ = view_.subspan(offset, size);
    return bytes;
  }

  std::span<const std::byte> view() const { return view_; }
  std::size_t size() const { return view_.size(); }
  const std::byte* data() const { return view_.data(); }
  bool is_mapped() const { return is_mapped_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> view_;
  bool is_mapped_ = false;
};

/// A view of the bytes as characters; valid as long as the bytes are.
inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::string_view text_of(const Bytes& bytes) { return text_of(bytes.view()); }

}  // namespace webnn::schema
