// Both directions transpose one matrix per image: channels x positions to positions x channels, or back.
#include "runtime/tensors/layout_copy.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>

#include "runtime/machine/copy_memory.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime {
namespace {

constexpr std::size_t bytes_per_thread = std::size_t{1} << 18;
/// In bytes: a tensor of this size would displace almost everything else from the caches.
constexpr std::size_t more_than_caches = std::size_t{1} << 23;

void copy_plainly(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

/// `count` matrices of rows x columns elements.
struct Matrices {
  std::size_t count, rows, columns;
};

/// Transposes in square tiles, so that both sides stay in the L1 cache. Parallel over bands of rows.
template <class Element>
void transpose(std::byte* to_bytes, const std::byte* from_bytes, const Matrices& matrices) {
  constexpr std::size_t tile = 32;
  const auto [count, rows, columns] = matrices;
  const std::size_t bands = div_up(rows, tile);
  const std::size_t band_bytes = std::min(rows, tile) * columns * sizeof(Element);
  const std::size_t grain = std::max<std::size_t>(bytes_per_thread / std::max<std::size_t>(band_bytes, 1), 1);
  parallel_for(count * bands, grain, [&, rows = rows, columns = columns](std::size_t begin, std::size_t end) {
    for (std::size_t index = begin; index < end; ++index) {
      const std::size_t offset = index / bands * rows * columns, row = index % bands * tile;
      const std::size_t row_end = std::min(row + tile, rows);
      const std::byte* const from = from_bytes + offset * sizeof(Element);
      std::byte* const to = to_bytes + offset * sizeof(Element);
      for (std::size_t column = 0; column < columns; column += tile) {
        const std::size_t column_end = std::min(column + tile, columns);
        for (std::size_t i = row; i < row_end; ++i)
          for (std::size_t j = column; j < column_end; ++j) {  // memcpy: a caller's memory may have any alignment
            Element element;
            std::memcpy(&element, from + (i * columns + j) * sizeof(Element), sizeof element);
            std::memcpy(to + (j * rows + i) * sizeof(Element), &element, sizeof element);
          }
      }
    }
  });
}

/// 4-bit elements, two per byte, low nibble first. Parallel over bytes of the result, so that no two threads write the
/// same byte.
void transpose_nibbles(std::byte* to, const std::byte* from, const Matrices& matrices) {
  const auto [count, rows, columns] = matrices;
  const std::size_t elements = count * rows * columns;
  const auto source = [&, rows = rows, columns = columns](std::size_t index) {
    const std::size_t inside = index % (rows * columns), column = inside / rows, row = inside % rows;
    const std::size_t element = index - inside + row * columns + column;
    return std::uint8_t((std::uint8_t(from[element / 2]) >> (element % 2 * 4)) & 0xf);
  };
  parallel_for(div_up(elements, 2), bytes_per_thread / 16,
               [&, elements = elements](std::size_t begin, std::size_t end) {
                 for (std::size_t byte = begin; byte < end; ++byte) {
                   const unsigned high = 2 * byte + 1 < elements ? source(2 * byte + 1) : 0;
                   to[byte] = std::byte(source(2 * byte) | high << 4);
                 }
               });
}

}  // namespace

void copy_bytes(std::span<std::byte> to, std::span<const std::byte> from) {
  assert(to.size() == from.size());
  const bool past_caches = to.size() >= more_than_caches;
  parallel_for(to.size(), bytes_per_thread, [&](std::size_t begin, std::size_t end) {
    (past_caches ? copy_past_caches : copy_plainly)(to.data() + begin, from.data() + begin, end - begin);
  });
}

void clear_bytes(std::span<std::byte> to) {
  parallel_for(to.size(), bytes_per_thread,
               [&](std::size_t begin, std::size_t end) { std::memset(to.data() + begin, 0, end - begin); });
}

void copy_layout(std::span<std::byte> to, Layout to_layout, std::span<const std::byte> from, Layout from_layout,
                 const OperandDescriptor& descriptor) {
  if (to_layout == from_layout || layouts_coincide(descriptor.shape)) return copy_bytes(to, from);
  assert(descriptor.shape.rank() == 4);
  const Shape& nchw = descriptor.shape;
  const std::size_t channels = nchw[1], positions = std::size_t{nchw[2]} * nchw[3];
  const Matrices matrices = to_layout == Layout::channels_last ? Matrices{nchw[0], channels, positions}
                                                               : Matrices{nchw[0], positions, channels};
  switch (bits_of(descriptor.type)) {
    case 4:
      return transpose_nibbles(to.data(), from.data(), matrices);
    case 8:
      return transpose<std::uint8_t>(to.data(), from.data(), matrices);
    case 16:
      return transpose<std::uint16_t>(to.data(), from.data(), matrices);
    case 32:
      return transpose<std::uint32_t>(to.data(), from.data(), matrices);
    default:
      return transpose<std::uint64_t>(to.data(), from.data(), matrices);
  }
}

}  // namespace webnn::runtime
