// Parts of attention that several ONNX operators are made of, in the forms that the compiler recognises.
#pragma once

#include <limits>
#include <vector>

#include "compiler/onnx/import/import_call.hpp"

namespace webnn::compiler {

struct AttentionSizes {
  std::int64_t batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1;

  /// Several heads of queries share one of keys and values. They get an axis of their own, [batch, kv_heads, heads of
  /// the group, tokens, features], so that keys and values need no copies.
  bool is_grouped() const { return heads != kv_heads; }
};

/// What is added to the scores: by whether a key may be seen, and by numbers.
class AttentionMask {
 public:
  AttentionMask(ImportCall& c, OnnxType type, const AttentionSizes& sizes) : c_(c), type_(type), sizes_(sizes) {}

  /// Keys that may be seen: booleans that broadcast to [batch, heads, queries, keys].
  void allow(TensorId visible);
  /// Added numbers of such a shape.
  void add(TensorId bias);
  /// Numbers of the keys, [keys], and of the queries, [queries, 1], the first of which is `first`.
  TensorId key_numbers(OnnxType type) const;
  TensorId query_numbers(OnnxType type, std::int64_t first) const;
  /// Query i sees no key behind i + first, for numbers that are the same in the whole batch.
  void allow_causal(std::int64_t first);

  /// Absent when it changes nothing. `hidden` is added where a key may not be seen.
  TensorId build(double hidden = -std::numeric_limits<double>::infinity());

 private:
  ImportCall& c_;
  OnnxType type_;
  AttentionSizes sizes_;
  TensorId visible_, bias_;
};

struct AttentionCall {
  AttentionSizes sizes;
  TensorId query, key, value;  // from query_heads and key_heads
  TensorId mask{};             // four axes or fewer; may be absent
  TensorId sink{};             // one more score for each head, of a key without value; may be absent
  double scale = 1, softcap = 0;
  bool zero_hidden_rows = false;  // queries that see no key give zeros
};

/// The scores at each stage, for operators that give them away.
struct AttentionStages {
  TensorId products, capped, masked, weights;
};

/// [batch, tokens, heads * features] or [batch, tokens, heads, features] by heads.
TensorId query_heads(ImportCall& c, const AttentionSizes& sizes, TensorId x);
/// [batch, heads, tokens, features], of queries or of keys and values, with the axis for groups.
TensorId grouped_heads(ImportCall& c, const AttentionSizes& sizes, TensorId x);
/// The result by heads.
TensorId attend(ImportCall& c, const AttentionCall& call, AttentionStages* stages = nullptr);
/// ... as [batch, queries, heads * features].
TensorId joined_heads(ImportCall& c, const AttentionSizes& sizes, TensorId y);
/// ... and as [batch, heads, queries, features].
TensorId without_groups(ImportCall& c, const AttentionSizes& sizes, TensorId y);
/// [batch, tokens, heads * features] as [batch, heads, tokens, features].
TensorId split_heads(ImportCall& c, TensorId x, std::int64_t heads);

/// Rotates pairs of the first features of a tensor with four axes. Cosines and sines broadcast to it, with half as many
/// features as are rotated.
TensorId rotated(ImportCall& c, TensorId x, TensorId cosine, TensorId sine, bool interleaved);

TensorId joined_along(ImportCall& c, std::vector<TensorId> parts, std::int64_t axis);
/// `count` integers from `first` on.
TensorId counting(ImportCall& c, OnnxType type, std::int64_t first, std::int64_t count);

void read_microsoft_attention(ImportCall& c);
void read_multi_head_attention(ImportCall& c);
void read_group_query_attention(ImportCall& c);
void read_microsoft_rotary_embedding(ImportCall& c);

}  // namespace webnn::compiler
