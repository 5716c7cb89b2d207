// Immutable bytes that keep their owner alive: a mapped weights file, an inline constant, a folded one.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace webnn::schema {

class Bytes {
 public:
  Bytes() = default;
  /// Takes the vector over.
  explicit Bytes(std::vector<std::byte> data) {
    auto owned = std::make_shared<const std::vector<std::byte>>(std::move(data));
    view_ = *owned;
    owner_ = std::move(owned);
  }
  /// A view on memory that `owner` keeps alive (a file mapping).
  Bytes(std::shared_ptr<const void> owner, std::span<const std::byte> view) : owner_(std::move(owner)), view_(view) {}

  std::span<const std::byte> view() const { return view_; }
  std::size_t size() const { return view_.size(); }
  const std::byte* data() const { return view_.data(); }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> view_;
};

}  // namespace webnn::schema
