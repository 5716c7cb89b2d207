// Binary files whose bytes are changed by hand: numbers of the header, and checksums made right again.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "schema/file/checksum.hpp"
#include "schema/file/container.hpp"

namespace webnn::tests {

using File = std::vector<std::byte>;

/// What `write` hands to its sink.
inline File written_file(const std::function<void(const schema::FileSink&)>& write) {
  File file;
  write([&](std::span<const std::byte> piece) { file.insert(file.end(), piece.begin(), piece.end()); });
  return file;
}

inline std::uint64_t number_at(const File& file, std::size_t offset) {
  std::uint64_t number = 0;
  std::memcpy(&number, file.data() + offset, sizeof number);
  return number;
}
inline void put(File& file, std::size_t offset, std::uint64_t number) {
  std::memcpy(file.data() + offset, &number, sizeof number);
}

/// Makes the checksums of header and metadata right again, as somebody would who forges a file. It has a header.
inline void forge_checksums(File& file) {
  const std::uint64_t metadata = std::min<std::uint64_t>(number_at(file, 16), file.size() - 64);
  put(file, 24, schema::checksum_of(std::span(file).subspan(64, metadata)));
  put(file, 40, schema::checksum_of(std::span(file).first(40)));
}

/// Where the metadata end.
inline std::size_t metadata_end(const File& file) { return 64 + std::size_t(number_at(file, 16)); }

}  // namespace webnn::tests
