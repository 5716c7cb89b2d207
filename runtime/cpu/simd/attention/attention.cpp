// @attention of float32 by online softmax: the scores of a few queries against a block of keys are computed, weighted
// and multiplied with the values at once, relative to the greatest score so far. No matrix of scores is ever written,
// and the memory needed does not depend on the number of tokens.
#define HWY_TARGET_INCLUDE "runtime/cpu/simd/attention/attention.inl.hpp"
#include "runtime/cpu/simd/attention/attention.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "runtime/cpu/simd/for_each_isa.hpp"
#include "runtime/cpu/simd/isa.hpp"
#include "runtime/cpu/simd/movement/transpose_tile.hpp"
#include "runtime/cpu/simd/simd_kernel.hpp"
#include "runtime/memory_order.hpp"
#include "runtime/threads/parallel.hpp"
#include "schema/operators/operator_call.hpp"
#include "schema/round_up.hpp"

namespace webnn::runtime::simd {
namespace {

/// A matrix [tokens, features] in memory; strides in elements.
struct Matrix {
  const float* at = nullptr;
  std::int64_t token = 0, feature = 0;
  Matrix from(std::size_t first) const { return {at + std::int64_t(first) * token, token, feature}; }
};

/// Copies `tokens` rows of `features` transposed: to[feature][width].
void write_columns(const Matrix& m, std::size_t tokens, std::size_t features, float* to, std::size_t width) {
  if (m.feature == 1) {
    transpose<float>({std::int64_t(tokens), m.token * 4, std::int64_t(features), std::int64_t(width) * 4},
                     reinterpret_cast<const std::byte*>(m.at), reinterpret_cast<std::byte*>(to));
    return;
  }
  for (std::size_t feature = 0; feature < features; ++feature)
    for (std::size_t token = 0; token < tokens; ++token)
      to[feature * width + token] = m.at[std::int64_t(token) * m.token + std::int64_t(feature) * m.feature];
}

/// Copies the rows contiguously: to[token][features].
void write_rows(const Matrix& m, std::size_t tokens, std::size_t features, float* to) {
  if (m.token == 1)
    return write_columns({m.at, m.feature, 1}, features, tokens, to, features);  // tokens and features swap roles
  for (std::size_t token = 0; token < tokens; ++token) {
    const float* from = m.at + std::int64_t(token) * m.token;
    if (m.feature == 1) {
      std::memcpy(to + token * features, from, features * sizeof(float));
    } else {
      for (std::size_t feature = 0; feature < features; ++feature)
        to[token * features + feature] = from[std::int64_t(feature) * m.feature];
    }
  }
}

/// An operand after its transpose: strides along the batch axes (0 where it broadcasts) and along the last two axes.
struct Operand {
  Strides batch{};
  std::int64_t token = 0, feature = 0;
};

class Attention {
 public:
  Attention(const OperatorCall& call, const Shape& output, const AttentionFunctions& code)
      : code_(code), rank_(output.rank()), scale_(float(call.real("scale"))) {
    query_ = operand(call.shape(0), call.u32_list("queryPermutation"), queries_, features_);
    key_ = operand(call.shape(1), call.u32_list("keyPermutation"), keys_, features_);
    value_ = operand(call.shape(2), call.u32_list("valuePermutation"), keys_, value_features_);
    const Strides own = row_major_strides(output);
    const auto permutation = call.u32_list("outputPermutation");
    Strides strides{};
    Shape scores = output;
    for (unsigned i = 0; i < rank_; ++i) {
      strides[permutation[i]] = own[i];
      scores[permutation[i]] = output[i];
    }
    scores[rank_ - 1] = std::uint32_t(keys_);
    result_ = {strides, strides[rank_ - 2], strides[rank_ - 1]};
    for (unsigned i = 0; i + 2 < rank_; ++i) batch_.push_back(scores[i]);
    has_mask_ = call.has_operand(3);
    if (has_mask_) strides = broadcast_strides(call.shape(3), row_major_strides(call.shape(3)), scores);
    mask_ = {strides, strides[rank_ - 2], strides[rank_ - 1]};

    tiles_ = std::max<std::size_t>(queries_of_task / code_.width, 1);
    pieces_ = (queries_ + tiles_ * code_.width - 1) / (tiles_ * code_.width);
    tasks_ = std::size_t(element_count(batch_)) * pieces_;
    const std::size_t blocks = div_up(keys_, attention_keys);
    block_ = div_up(keys_, blocks);
    const std::size_t products = keys_ * (features_ + value_features_) * code_.width * tiles_;
    grain_ = 1 + grain_products / products;
    key_rows_ = add(key_.feature == 1 ? 0 : block_ * features_);
    value_rows_ = add(value_.feature == 1 ? 0 : block_ * value_features_);
    masks_ = add(has_mask_ ? block_ * code_.width : 0);
    scores_ = add(block_ * code_.width);
    const std::size_t before = floats_;
    columns_ = add(features_ * code_.width);
    mixed_ = add(value_features_ * code_.width);
    greatest_ = add(code_.width);
    sums_ = add(code_.width);
    tile_floats_ = floats_ - before;
    add((tiles_ - 1) * tile_floats_);
    const std::size_t places = std::clamp<std::size_t>(tasks_ / grain_, 1, team_size());
    scratch_.add_places(unsigned(places), floats_ * sizeof(float));
  }

  const ScratchLayout& scratch() const { return scratch_; }

  void run(const KernelArguments& arguments) const {
    const PlaceScratch& places = scratch_.places();
    parallel_places(places.count, tasks_, grain_, [&](std::size_t begin, std::size_t end, unsigned place) {
      auto* const scratch = reinterpret_cast<float*>(places.of(arguments.scratch, place));
      for (std::size_t task = begin; task < end; ++task)
        attend(arguments, task / pieces_, task % pieces_ * tiles_ * code_.width, scratch);
    });
  }

 private:
  /// The queries of a task: enough that the time to read the keys does not matter, which all of them share.
  static constexpr std::size_t queries_of_task = 64, most_tiles = 16;
  static constexpr std::size_t grain_products = 200'000;  // this many multiplications are worth a thread

  Operand operand(const Shape& shape, const std::vector<std::uint32_t>& permutation, std::size_t& tokens,
                  std::size_t& features) const {
    const Strides own = row_major_strides(shape);
    Operand result;
    for (unsigned i = 0; i + 2 < rank_; ++i) result.batch[i] = shape[permutation[i]] == 1 ? 0 : own[permutation[i]];
    tokens = shape[permutation[rank_ - 2]];
    features = shape[permutation[rank_ - 1]];
    result.token = own[permutation[rank_ - 2]];
    result.feature = own[permutation[rank_ - 1]];
    return result;
  }

  std::size_t add(std::size_t count) {
    const std::size_t at = floats_;
    floats_ += round_up(count, 16);
    return at;
  }

  Matrix matrix(const void* operand, const Operand& at, std::size_t batch) const {
    const auto* first = static_cast<const float*>(operand);
    for (unsigned axis = rank_ - 2; axis-- > 0; batch /= batch_[axis])
      first += std::int64_t(batch % batch_[axis]) * at.batch[axis];
    return {first, at.token, at.feature};
  }

  /// A tile of queries, from `first` on, and its part of the scratch memory.
  struct Tile {
    std::size_t first, count;
    AttentionBlock block;
  };

  /// One task of one batch: a few tiles, of which the first one begins with query `first`. They share a block of keys
  /// while it is in the cache.
  void attend(const KernelArguments& arguments, std::size_t batch, std::size_t first, float* scratch) const {
    Tile tiles[most_tiles];
    std::size_t count = 0;
    for (; count < tiles_ && first < queries_; first += code_.width, ++count)
      tiles[count] = begin_tile(matrix(arguments.inputs[0], query_, batch), first, scratch, count * tile_floats_);
    const Matrix key = matrix(arguments.inputs[1], key_, batch), value = matrix(arguments.inputs[2], value_, batch);
    for (std::size_t from = 0; from < keys_; from += block_) {
      const std::size_t keys = std::min(block_, keys_ - from);
      AttentionBlock rows;
      rows.key = rows_of(key.from(from), keys, features_, scratch + key_rows_, rows.key_row);
      rows.value = rows_of(value.from(from), keys, value_features_, scratch + value_rows_, rows.value_row);
      for (Tile& tile : std::span(tiles, count)) {
        AttentionBlock& block = tile.block;
        block.keys = keys;
        block.key = rows.key, block.key_row = rows.key_row;
        block.value = rows.value, block.value_row = rows.value_row;
        if (has_mask_) {
          const Matrix mask = matrix(arguments.inputs[3], mask_, batch);
          find_mask(mask, tile.first, from, tile.count, scratch + masks_, block);
        }
        code_.attend(block);
      }
    }
    for (const Tile& tile : std::span(tiles, count)) {
      code_.finish(tile.block);
      write_result(matrix(arguments.outputs[0], result_, batch), tile.first, tile.count, tile.block);
    }
  }

  /// Copies the tile's queries, scaled, to `scratch`; its own memory is `offset` floats behind the first tile's.
  Tile begin_tile(const Matrix& query, std::size_t first, float* scratch, std::size_t offset) const {
    Tile tile{first, std::min(code_.width, queries_ - first), {}};
    AttentionBlock& block = tile.block;
    block.vectors = div_up(tile.count, code_.lanes);
    block.width = block.vectors * code_.lanes;
    block.features = features_;
    block.value_features = value_features_;
    block.scores = scratch + scores_;
    block.mixed = scratch + mixed_ + offset;
    block.greatest = scratch + greatest_ + offset;
    block.sums = scratch + sums_ + offset;
    float* const columns = scratch + columns_ + offset;
    if (tile.count < block.width) std::fill_n(columns, features_ * block.width, 0.0f);  // lanes without a query
    write_columns(query.from(first), tile.count, features_, columns, block.width);
    code_.scale_queries(columns, features_ * block.width, scale_);
    block.queries = columns;
    code_.begin(block);
    return tile;
  }

  /// Rows with contiguous features: in place where they are, otherwise copied to `buffer`.
  static const float* rows_of(const Matrix& m, std::size_t tokens, std::size_t features, float* buffer,
                              std::size_t& row) {
    row = m.feature == 1 ? std::size_t(m.token) : features;
    if (m.feature == 1) return m.at;
    write_rows(m, tokens, features, buffer);
    return buffer;
  }

  /// A dense mask that is the same for all queries is read in place.
  static void find_mask(const Matrix& mask, std::size_t first_query, std::size_t first_key, std::size_t queries,
                        float* buffer, AttentionBlock& block) {
    const float* const at = mask.from(first_query).at + std::int64_t(first_key) * mask.feature;
    block.mask_of_queries = mask.token != 0;
    block.mask = block.mask_of_queries ? buffer : at;
    block.mask_row = block.mask_of_queries ? block.width : std::size_t(mask.feature);
    if (!block.mask_of_queries) return;
    if (queries < block.width) std::fill_n(buffer, block.keys * block.width, 0.0f);
    write_columns({at, mask.token, mask.feature}, queries, block.keys, buffer, block.width);
  }

  void write_result(const Matrix& result, std::size_t first, std::size_t count, const AttentionBlock& block) const {
    float* const to = const_cast<float*>(result.from(first).at);
    if (result.feature == 1) {
      transpose<float>(
          {std::int64_t(value_features_), std::int64_t(block.width) * 4, std::int64_t(count), result.token * 4},
          reinterpret_cast<const std::byte*>(block.mixed), reinterpret_cast<std::byte*>(to));
      return;
    }
    for (std::size_t feature = 0; feature < value_features_; ++feature)
      for (std::size_t query = 0; query < count; ++query)
        to[std::int64_t(query) * result.token + std::int64_t(feature) * result.feature] =
            block.mixed[feature * block.width + query];
  }

  AttentionFunctions code_;
  unsigned rank_;
  float scale_;
  Shape batch_;
  std::size_t queries_ = 0, keys_ = 0, features_ = 0, value_features_ = 0;
  Operand query_, key_, value_, mask_, result_;
  bool has_mask_ = false;
  std::size_t tiles_ = 0, pieces_ = 0, tasks_ = 0, grain_ = 1, block_ = 0;
  ScratchLayout scratch_;
  // Places in a thread's scratch memory, in floats.
  std::size_t floats_ = 0, key_rows_ = 0, value_rows_ = 0, masks_ = 0, scores_ = 0;
  std::size_t columns_ = 0, mixed_ = 0, greatest_ = 0, sums_ = 0;  // of the first tile; each has tile_floats_
  std::size_t tile_floats_ = 0;
};

}  // namespace

Kernel prepare_attention(const KernelSpec& spec, Constants, Isa isa) {
  const SpecCall call(spec);
  const Attention attention(call, spec.outputs[0].shape, VECTOR_CODE(isa, attention_functions)());
  return kernel_of([=](const KernelArguments& arguments) { attention.run(arguments); }, attention.scratch());
}

namespace {

/// The features of a head that it keeps at a time.
constexpr std::size_t most_features = 512;

bool takes_attention(const KernelSpec& spec) {
  const SpecCall call(spec);
  const auto features = [&](std::size_t operand, std::string_view permutation) {
    return call.shape(operand)[call.u32_list(permutation).back()];
  };
  return features(0, "queryPermutation") <= most_features && features(2, "valuePermutation") <= most_features;
}

}  // namespace

constexpr SimdKernel attention_list[] = {
    {.row = {.name = "attention", .op = "@attention", .types = {DataType::float32}, .can = takes_attention},
     .drops_subnormals = true,
     .prepare = prepare_attention},
};
extern constexpr SimdKernels attention_kernels(attention_list);

}  // namespace webnn::runtime::simd
