// Transposes a matrix of small elements in tiles of 16-byte vectors, using only interleaving, which every instruction
// set has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

/// The transposition target[p][l] = source[l][p]. A source line is contiguous, and lines are `line_stride` bytes apart;
/// a target row (a place) is contiguous, and places are `place_stride` bytes apart. `lines` and `places` count
/// elements.
struct TransposeSizes {
  std::int64_t lines, line_stride;
  std::int64_t places, place_stride;
};

/// A 16-byte vector of elements of type T, and its interleaving with another one.
template <typename T>
class TileVector {
 public:
  static constexpr std::size_t size = 16 / sizeof(T);
  typedef T Type __attribute__((vector_size(16)));

  static Type low(Type a, Type b) { return low(a, b, std::make_index_sequence<size>()); }
  static Type high(Type a, Type b) { return high(a, b, std::make_index_sequence<size>()); }

 private:
  template <std::size_t... I>
  static Type low(Type a, Type b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, (I / 2 + I % 2 * size)...);
  }
  template <std::size_t... I>
  static Type high(Type a, Type b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, (size / 2 + I / 2 + I % 2 * size)...);
  }
};

/// A tile of N x N elements of type T, as N vectors of 16 bytes.
template <typename T>
class Tile {
 public:
  static constexpr std::size_t size = TileVector<T>::size, place_bytes = 16;

  /// Reads 16 bytes from each of the first `lines` lines (the last one is repeated for the others), and writes
  /// `place_bytes` to each of the first `places` places.
  static void transpose(const std::byte* source, std::int64_t source_stride, std::byte* target,
                        std::int64_t target_stride, std::size_t lines = size, std::size_t places = size) {
    run(source, source_stride, target, target_stride, lines, places, std::make_index_sequence<size>());
  }

 private:
  using Vector = typename TileVector<T>::Type;

  // Index sequences instead of loops keep all rows in registers. Each round interleaves the first half of the rows with
  // the second half; after log2(size) rounds, rows have become columns.
  template <std::size_t... I>
  [[gnu::always_inline]] static void run(const std::byte* source, std::int64_t source_stride, std::byte* target,
                                         std::int64_t target_stride, std::size_t lines, std::size_t places,
                                         std::index_sequence<I...> all) {
    Vector rows[size];
    (std::memcpy(&rows[I], source + std::int64_t(std::min(I, lines - 1)) * source_stride, sizeof(Vector)), ...);
    if constexpr (size >= 2) interleave(rows, all);
    if constexpr (size >= 4) interleave(rows, all);
    if constexpr (size >= 8) interleave(rows, all);
    if constexpr (size >= 16) interleave(rows, all);
    ((I < places ? void(std::memcpy(target + std::int64_t(I) * target_stride, &rows[I], sizeof(Vector))) : void()),
     ...);
  }
  template <std::size_t... I>
  static void interleave(Vector (&rows)[size], std::index_sequence<I...>) {
    const Vector next[size] = {(I % 2 == 0 ? TileVector<T>::low(rows[I / 2], rows[I / 2 + size / 2])
                                           : TileVector<T>::high(rows[I / 2], rows[I / 2 + size / 2]))...};
    ((rows[I] = next[I]), ...);
  }
};

/// A tile of up to 4 lines of N elements: two rounds of interleaving, and a small store for each place.
template <typename T>
class FlatTile {
 public:
  static constexpr std::size_t size = TileVector<T>::size, place_bytes = 4 * sizeof(T);

  static void transpose(const std::byte* source, std::int64_t source_stride, std::byte* target,
                        std::int64_t target_stride, std::size_t lines) {
    using Vector = typename TileVector<T>::Type;
    const auto line = [&](std::size_t i) {
      Vector vector;
      std::memcpy(&vector, source + std::int64_t(std::min(i, lines - 1)) * source_stride, sizeof(Vector));
      return vector;
    };
    using Rows = TileVector<T>;
    const Vector a = line(0), b = line(1), c = line(2), d = line(3);
    const Vector even[2] = {Rows::low(a, c), Rows::high(a, c)}, odd[2] = {Rows::low(b, d), Rows::high(b, d)};
    const Vector places[4] = {Rows::low(even[0], odd[0]), Rows::high(even[0], odd[0]), Rows::low(even[1], odd[1]),
                              Rows::high(even[1], odd[1])};
    const auto* from = reinterpret_cast<const std::byte*>(places);
    for (std::size_t place = 0; place < size; ++place, from += place_bytes, target += target_stride)
      std::memcpy(target, from, place_bytes);
  }
};

/// Element by element: for edges, thin matrices, and elements as large as a vector.
template <typename T>
void transpose_elements(const TransposeSizes& m, const std::byte* source, std::byte* target) {
  for (std::int64_t p = 0; p < m.places; ++p)
    for (std::int64_t l = 0; l < m.lines; ++l)
      std::memcpy(target + p * m.place_stride + l * std::int64_t(sizeof(T)),
                  source + l * m.line_stride + p * std::int64_t(sizeof(T)), sizeof(T));
}

/// For a matrix with few lines whose places are contiguous in memory: each store spills into the places that are
/// written next.
template <typename T, template <typename> class TileOf>
void transpose_few_lines(const TransposeSizes& m, const std::byte* source, std::byte* target) {
  constexpr auto tile = std::int64_t(TileOf<T>::size), stored = std::int64_t(TileOf<T>::place_bytes);
  constexpr auto bytes = std::int64_t(sizeof(T));
  const std::int64_t spare = schema::div_up(stored, m.place_stride) - 1;  // places it spills into
  std::int64_t p = 0;
  for (; p + tile + spare <= m.places; p += tile)
    TileOf<T>::transpose(source + p * bytes, m.line_stride, target + p * m.place_stride, m.place_stride,
                         std::size_t(m.lines));
  transpose_elements<T>({m.lines, m.line_stride, m.places - p, m.place_stride}, source + p * bytes,
                        target + p * m.place_stride);
}

/// For a matrix with few places whose lines are contiguous in memory: each load reads into the lines that are read
/// next.
template <typename T>
void transpose_few_places(const TransposeSizes& m, const std::byte* source, std::byte* target) {
  constexpr auto tile = std::int64_t(Tile<T>::size), bytes = std::int64_t(sizeof(T));
  const std::int64_t spare = schema::div_up(16, m.line_stride) - 1;
  std::int64_t l = 0;
  for (; l + tile + spare <= m.lines; l += tile)
    Tile<T>::transpose(source + l * m.line_stride, m.line_stride, target + l * bytes, m.place_stride, Tile<T>::size,
                       std::size_t(m.places));
  transpose_elements<T>({m.lines - l, m.line_stride, m.places, m.place_stride}, source + l * m.line_stride,
                        target + l * bytes);
}

/// In whole tiles: `lines` and `places` must be multiples of the tile size.
template <typename T>
void transpose_tiles(const TransposeSizes& m, const std::byte* source, std::byte* target) {
  constexpr auto tile = std::int64_t(Tile<T>::size), bytes = std::int64_t(sizeof(T));
  for (std::int64_t p = 0; p < m.places; p += tile)
    for (std::int64_t l = 0; l < m.lines; l += tile)
      Tile<T>::transpose(source + l * m.line_stride + p * bytes, m.line_stride, target + p * m.place_stride + l * bytes,
                         m.place_stride);
}

template <typename T>
void transpose(const TransposeSizes& m, const std::byte* source, std::byte* target) {
  constexpr auto bytes = std::int64_t(sizeof(T));
  if constexpr (sizeof(T) >= 16) {
    transpose_elements<T>(m, source, target);
  } else {
    constexpr auto tile = std::int64_t(Tile<T>::size);
    const bool has_few_lines = m.lines < tile && m.place_stride == m.lines * bytes;
    if (has_few_lines && m.lines <= 4) return transpose_few_lines<T, FlatTile>(m, source, target);
    if (has_few_lines) return transpose_few_lines<T, Tile>(m, source, target);
    if (m.places < tile && m.line_stride == m.places * bytes) return transpose_few_places<T>(m, source, target);
    // Cache blocking: a block reads four cache lines of each source line, which suits the prefetcher, and writes one
    // whole cache line of each target place.
    constexpr std::int64_t most_lines = 64 / bytes, most_places = 256 / bytes;
    const std::int64_t lines = m.lines / tile * tile, places = m.places / tile * tile;
    for (std::int64_t p = 0; p < places; p += most_places)
      for (std::int64_t l = 0; l < lines; l += most_lines)
        transpose_tiles<T>(
            {std::min(most_lines, lines - l), m.line_stride, std::min(most_places, places - p), m.place_stride},
            source + l * m.line_stride + p * bytes, target + p * m.place_stride + l * bytes);
    transpose_elements<T>({m.lines - lines, m.line_stride, m.places, m.place_stride}, source + lines * m.line_stride,
                          target + lines * bytes);
    transpose_elements<T>({lines, m.line_stride, m.places - places, m.place_stride}, source + places * bytes,
                          target + places * m.place_stride);
  }
}

}  // namespace webnn::runtime::simd
