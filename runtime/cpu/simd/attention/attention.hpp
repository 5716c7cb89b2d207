// What the plain and the vector code of attention share: one tile of queries and one block of keys.
#pragma once

#include <cstddef>

namespace webnn::runtime::simd {

/// Scores are kept transposed, [keys][width]: the lanes of a vector are queries, so that greatest values and sums of a
/// query's scores need nothing across lanes.
struct AttentionBlock {
  std::size_t vectors = 0;  // of queries: `width` floats
  std::size_t width = 0;
  std::size_t keys = 0, features = 0, value_features = 0;
  const float* queries = nullptr;  // [features][width], times the scale
  const float* key = nullptr;      // rows of `features`
  std::size_t key_row = 0;         // floats from one row to the next
  const float* value = nullptr;    // rows of `value_features`
  std::size_t value_row = 0;
  const float* mask = nullptr;   // added to the scores; null: nothing
  std::size_t mask_row = 0;      // floats from one key's mask to the next
  bool mask_of_queries = false;  // a key's mask is `width` floats rather than one for all queries
  float* scores = nullptr;       // [keys][width], for the block's own use
  float* mixed = nullptr;        // [value_features][width]: sums of weight * value, relative to `greatest`
  float* greatest = nullptr;     // [width]
  float* sums = nullptr;         // [width]: sums of the weights
};

/// Keys of a block at most: its scores stay in the first cache.
inline constexpr std::size_t attention_keys = 96;

}  // namespace webnn::runtime::simd
