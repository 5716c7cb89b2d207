// Products with packed panels on units that multiply tiles of bfloat16 (AMX). A float32 number is the exact sum of three
// bfloat16, of 8 significant bits each: a = a0 + a1 + a2. Of the nine products of two such sums the six largest are
// added up in float32:
//
//   a * b = a0 b0 + (a0 b1 + a1 b0) + (a0 b2 + a1 b1 + a2 b0)
//
// What is left out is below 2^-24 of a * b and has either sign. Such a unit makes sixteen times as many products as vector
// units, so six of them for one still take less than half the time; and since its sums are short, the errors are smaller.
//
// Both sides are multiplied by 2^24 first, so that all parts of the smallest numbers are normal: the unit takes subnormal
// numbers for zeros. Sums which are too large then, and those with infinities or NaN, are not finite; these are computed
// with vectors.
#pragma once

#include <cstddef>

#include "runtime/cpu/simd/isa.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {

struct PanelRun;

/// A tile of the left side has so many rows, and so many products of each; one of the right side as many products of so many
/// columns. Panels have one tile of columns, whose lines are pairs of products.
inline constexpr std::size_t tile_rows = 16, tile_columns = 16, products_of_tile = 32;
/// How many products of each sum are multiplied together: those of two panels and of two tiles of rows fit in the L1 cache.
inline constexpr std::size_t tile_products = 128;
/// The bytes of a number in three parts.
inline constexpr std::size_t tile_number_bytes = 3 * 2;

/// The scratch memory in bytes, aligned to 64, for runs of at most so many rows: the parts of both sides, of a chunk of the
/// products on the left, and sums.
constexpr std::size_t tile_scratch(std::size_t rows, std::size_t chunk) {
  constexpr std::size_t two_tiles = 2 * tile_rows;
  const std::size_t padded_rows = schema::round_up(rows, two_tiles);
  const std::size_t padded_chunk = schema::round_up(chunk, products_of_tile);
  return (padded_rows * padded_chunk + 4 * tile_columns * tile_products) * tile_number_bytes +
         padded_rows * 2 * tile_columns * sizeof(float);
}

/// Computes a run whose panels have `tile_columns` columns and pairs of products, and whose rows are left out nowhere.
using MultiplyTiles = void(const PanelRun& run, std::byte* scratch);
/// For an instruction set of TILE_ISAS; null for another.
MultiplyTiles* tile_multiplication(Isa isa);

}  // namespace webnn::runtime::simd
