// What is read out of the metadata of a file. Offsets of a FlatBuffer may lead many times to one string, list or table, and
// constants may be the same bytes: copies of them could be any multiple of the file. So each is counted whenever it is
// read, at the size that it has in the file. Our writers share nothing, and reach the size of the file at most.
#pragma once

#include <cstring>
#include <flatbuffers/flatbuffers.h>
#include <optional>
#include <string>
#include <vector>

#include "schema/copy_limit.hpp"
#include "schema/file/container.hpp"

namespace webnn::schema {

class MetadataReader {
 public:
  /// What is wrong with the metadata, and where. Thrown by the functions that read.
  struct Refusal {
    std::string message, path;
  };

  MetadataReader(const Container& container, const Bytes& file);

  /// Proves the structure, before anything is read. It takes as many tables as the metadata have room for.
  flatbuffers::Verifier verifier() const;

  /// Which item of which list is read next: the place in what is wrong.
  void at(const char* list, std::size_t index) { list_ = list, index_ = index; }

  std::string text(const flatbuffers::String* word);
  /// The strings at these offsets, which the Verifier has not seen: it would walk through a list once for each offset
  /// that leads to it.
  std::vector<std::string> texts(const flatbuffers::Vector<std::uint32_t>* offsets);
  template <class T>
  std::vector<T> list(const flatbuffers::Vector<T>* list) {
    if (!list) return {};
    take(lengths + std::uint64_t{list->size()} * sizeof(T));
    std::vector<T> items(list->size());
    // bytewise: the Verifier proves that the length is aligned, but not that 8-byte items are
    if (!items.empty()) std::memcpy(items.data(), list->Data(), items.size() * sizeof(T));
    return items;
  }

  /// A view of the file; nullopt when it is not inside the region of constants.
  std::optional<Bytes> constant(const ConstantPlace& place);

 private:
  static constexpr std::uint64_t lengths = 8;  // of what lists and words take beside their items: offset and length
  void take(std::uint64_t bytes);
  [[noreturn]] void refuse(std::string message) const;

  const Container& container_;
  const Bytes& file_;
  CopyLimit copies_;
  std::uint64_t constant_bytes_;  // left for further constants
  const char* list_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace webnn::schema
