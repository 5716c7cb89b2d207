// Arguments of the vector code of attention: one tile of queries and one block of keys.
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// One tile of queries and one block of keys. Scores are kept transposed, [keys][width]: the lanes of a vector are
/// queries, so maxima and sums over a query's scores need no operation across lanes. All strides are in floats.
struct AttentionBlock {
  std::size_t vectors = 0;  // of a row of `width` queries
  std::size_t width = 0;    // queries of the tile
  /// Keys of the block; features of a query and a key; features of a value.
  std::size_t keys = 0, features = 0, value_features = 0;
  const float* queries = nullptr;  // [features][width], multiplied by the scale
  const float* key = nullptr;      // [keys] rows of `features`
  std::size_t key_row = 0;         // from one row to the next
  const float* value = nullptr;    // [keys] rows of `value_features`
  std::size_t value_row = 0;       // from one row to the next
  const float* mask = nullptr;     // added to the scores; null: no mask
  std::size_t mask_row = 0;        // from the mask of one key to that of the next
  bool mask_of_queries = false;    // the mask of a key is [width], one for each query; else a single value
  float* scores = nullptr;         // [keys][width], scratch
  float* mixed = nullptr;          // [value_features][width]: sums of weight * value, relative to `greatest`
  float* greatest = nullptr;       // [width]: the greatest score so far
  float* sums = nullptr;           // [width]: sums of the weights so far
};

/// The vector code of an instruction set.
struct AttentionFunctions {
  std::size_t lanes, width;  // of a vector; the most queries of a tile
  void (*scale_queries)(float* queries, std::size_t count, float scale);
  void (*begin)(const AttentionBlock&);
  void (*attend)(const AttentionBlock&);
  void (*finish)(const AttentionBlock&);
};

/// The maximum number of keys in a block: its scores stay in the L1 cache.
inline constexpr std::size_t attention_keys = 96;

}  // namespace webnn::runtime::simd
