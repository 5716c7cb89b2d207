// Attention in its many forms, which ONNX's own tests that are installed do not have, against plain loops.
#include <cmath>
#include <functional>

#include "tests/onnx/one_node.hpp"

namespace webnn::tests::language_models_test {
namespace {

/// Which key a query sees, by batch.
using Sees = std::function<bool(int batch, int query, int key)>;

struct Attended {
  int batch = 1, heads = 1, kv_heads = 1, queries = 1, keys = 1, features = 1;
  double scale = 1;
  Sees sees = [](int, int, int) { return true; };
  Reals added{};  // to the scores, [queries, keys]
  double sink = -infinity;

  /// Queries are [batch, queries, heads, features], keys and values [batch, kv_heads, keys, features].
  Reals operator()(const Reals& q, const Reals& k, const Reals& v) const {
    Reals y(std::size_t(batch * queries * heads * features));
    for (int b = 0; b < batch; ++b)
      for (int i = 0; i < queries; ++i)
        for (int h = 0; h < heads; ++h) {
          const int at = ((b * queries + i) * heads + h) * features;
          const auto row = [&](int key) { return ((b * kv_heads + h / (heads / kv_heads)) * keys + key) * features; };
          Reals weights;
          double sum = std::exp(sink);
          for (int j = 0; j < keys; ++j) {
            double score = 0;
            for (int f = 0; f < features; ++f) score += q[std::size_t(at + f)] * k[std::size_t(row(j) + f)];
            score = score * scale + (added.empty() ? 0 : added[std::size_t(i * keys + j)]);
            weights.push_back(sees(b, i, j) ? std::exp(score) : 0);
            sum += weights.back();
          }
          for (int j = 0; j < keys && sum > 0; ++j)
            for (int f = 0; f < features; ++f)
              y[std::size_t(at + f)] += weights[std::size_t(j)] / sum * v[std::size_t(row(j) + f)];
        }
    return y;
  }
};

/// [a, b, c, d] to [a, c, b, d].
Reals swapped(const Reals& x, int a, int b, int c, int d) {
  Reals y;
  for (int i = 0; i < a; ++i)
    for (int k = 0; k < c; ++k)
      for (int j = 0; j < b; ++j)
        for (int l = 0; l < d; ++l) y.push_back(x[std::size_t(((i * b + j) * c + k) * d + l)]);
  return y;
}

/// Old and new rows of each of `blocks` blocks.
Reals appended(const Reals& old, const Reals& added, int blocks) {
  Reals result;
  const auto put = [&](const Reals& from, int block) {
    const auto size = std::ptrdiff_t(from.size()) / blocks;
    result.insert(result.end(), from.begin() + block * size, from.begin() + (block + 1) * size);
  };
  for (int block = 0; block < blocks; ++block) {
    put(old, block);
    put(added, block);
  }
  return result;
}

/// Halves of [.., tokens, heads, features] rotated, by the place of each token.
Reals turned(const Reals& x, int tokens, int heads, int features, const Reals& cosine, const Reals& sine, int first) {
  Reals y = x;
  const int half = features / 2;
  for (int row = 0; row < int(x.size()) / features; ++row)
    for (int f = 0; f < half; ++f) {
      const auto place = std::size_t((first + row / heads % tokens) * half + f);
      const auto at = std::size_t(row * features + f), other = at + std::size_t(half);
      y[at] = x[at] * cosine[place] - x[other] * sine[place];
      y[other] = x[at] * sine[place] + x[other] * cosine[place];
    }
  return y;
}

}  // namespace

TEST_CASE("onnx language models: attention with past keys, a causal mask and grouped heads is one operator") {
  const Reals q = some(2 * 3 * 4 * 2, 1), k = some(2 * 3 * 2 * 2, 2), v = some(2 * 3 * 2 * 2, 3);
  const Reals past_k = some(2 * 2 * 2 * 2, 4), past_v = some(2 * 2 * 2 * 2, 5);
  OneNode node("Attention", "");
  node.set("q_num_heads", 4).set("kv_num_heads", 2).set("is_causal", 1);
  node.input({2, 3, 8}, q).input({2, 3, 4}, k).input({2, 3, 4}, v).absent();
  node.input({2, 2, 2, 2}, past_k).input({2, 2, 2, 2}, past_v);
  const auto results = node.run(3);
  const Reals all_k = appended(past_k, swapped(k, 2, 3, 2, 2), 4), all_v = appended(past_v, swapped(v, 2, 3, 2, 2), 4);
  check_close(results[1], all_k);
  check_close(results[2], all_v);
  const Attended attended{.batch = 2,
                          .heads = 4,
                          .kv_heads = 2,
                          .queries = 3,
                          .keys = 5,
                          .features = 2,
                          .scale = 1 / std::sqrt(2.0),
                          .sees = [](int, int i, int j) { return j <= i + 2; }};
  check_close(results[0], attended(q, all_k, all_v));
  CHECK(node.recognised(*find_any_operator("@attention")) == 1);
}

TEST_CASE("onnx language models: a query that sees no key gives zeros") {
  const Reals q = some(2 * 2, 1), k = some(3 * 2, 2), v = some(3 * 2, 3);
  OneNode node("Attention", "");
  node.input({1, 1, 2, 2}, q).input({1, 1, 3, 2}, k).input({1, 1, 3, 2}, v);
  node.input({2, 3}, {1, 0, 1, 0, 0, 0}, OnnxType::boolean);
  const Attended attended{
      .queries = 2, .keys = 3, .features = 2, .scale = 1 / std::sqrt(2.0), .sees = [](int, int i, int j) {
        return i == 0 && j != 1;
      }};
  check_close(node.run()[0], attended(q, k, v));
}

TEST_CASE("onnx language models: the keys of an external cache end by batch") {
  const Reals q = some(2 * 2 * 2, 1), k = some(2 * 4 * 2, 2), v = some(2 * 4 * 2, 3);
  OneNode node("Attention", "");
  node.set("is_causal", 1);
  node.input({2, 1, 2, 2}, q).input({2, 1, 4, 2}, k).input({2, 1, 4, 2}, v).absent().absent().absent();
  node.input({2}, {3, 2}, OnnxType::int64);
  const Attended attended{
      .batch = 2, .queries = 2, .keys = 4, .features = 2, .scale = 1 / std::sqrt(2.0), .sees = [](int b, int i, int j) {
        return j <= i + (b ? 0 : 1);
      }};
  check_close(node.run()[0], attended(q, k, v));
}

TEST_CASE("onnx language models: MultiHeadAttention with biases, a mask of keys and added scores") {
  const Reals q = some(2 * 2 * 4, 1), k = some(2 * 3 * 4, 2), v = some(2 * 3 * 4, 3), bias = some(12, 4),
              added = some(6, 5);
  OneNode node("MultiHeadAttention");
  node.set("num_heads", 2).set("mask_filter_value", -1e9f);
  node.input({2, 2, 4}, q).input({2, 3, 4}, k).input({2, 3, 4}, v).constant({12}, bias);
  node.input({2, 3}, {1, 1, 0, 1, 1, 1}, OnnxType::int32).input({1, 1, 2, 3}, added);
  const auto with_bias = [&](Reals x, std::size_t first) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += bias[first + i % 4];
    return x;
  };
  const Attended attended{.batch = 2,
                          .heads = 2,
                          .kv_heads = 2,
                          .queries = 2,
                          .keys = 3,
                          .features = 2,
                          .scale = 1 / std::sqrt(2.0),
                          .sees = [](int b, int, int j) { return b == 1 || j != 2; },
                          .added = added};
  check_close(node.run()[0],
              attended(with_bias(q, 0), swapped(with_bias(k, 4), 2, 3, 2, 2), swapped(with_bias(v, 8), 2, 3, 2, 2)));
  CHECK(node.recognised(*find_any_operator("@attention")) == 1);
}

TEST_CASE("onnx language models: the last query of MultiHeadAttention sees all keys, however many there are") {
  for (const int queries : {1, 3})
    for (const int keys : {2, 4}) {
      const Reals q = some(queries * 4, 1), k = some(keys * 4, 2), v = some(keys * 4, 3);
      OneNode node("MultiHeadAttention");
      node.set("num_heads", 1).set("unidirectional", 1);
      node.input({1, queries, 4}, q).input({1, keys, 4}, k).input({1, keys, 4}, v);
      const Attended attended{
          .queries = queries, .keys = keys, .features = 4, .scale = 0.5, .sees = [=](int, int i, int j) {
            return j <= i || i == queries - 1;
          }};
      check_close(node.run()[0], attended(q, k, v));
    }
}

TEST_CASE("onnx language models: Attention of com.microsoft projects, and takes the past") {
  const Reals x = some(2 * 4, 1), weights = some(4 * 12, 2), bias = some(12, 3), past = some(2 * 2 * 1 * 2, 4);
  OneNode node("Attention");
  node.set("num_heads", 2).set("unidirectional", 1);
  node.input({1, 2, 4}, x).constant({4, 12}, weights).constant({12}, bias).absent().input({2, 1, 2, 1, 2}, past);
  Reals parts[3];
  for (std::size_t part = 0; part < 3; ++part)
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        double sum = bias[part * 4 + j];
        for (std::size_t f = 0; f < 4; ++f) sum += x[i * 4 + f] * weights[f * 12 + part * 4 + j];
        parts[part].push_back(sum);
      }
  const Reals k = appended({past.begin(), past.begin() + 4}, swapped(parts[1], 1, 2, 2, 2), 2);
  const Reals v = appended({past.begin() + 4, past.end()}, swapped(parts[2], 1, 2, 2, 2), 2);
  const Attended attended{.heads = 2,
                          .kv_heads = 2,
                          .queries = 2,
                          .keys = 3,
                          .features = 2,
                          .scale = 1 / std::sqrt(2.0),
                          .sees = [](int, int i, int j) { return j <= i + 1; }};
  const auto results = node.run(2);
  check_close(results[0], attended(parts[0], k, v));
  check_close(results[1], appended(k, v, 1));
}

TEST_CASE("onnx language models: GroupQueryAttention rotates, and appends to its caches") {
  const Reals q = some(2 * 4 * 4, 1), k = some(2 * 2 * 4, 2), v = some(2 * 2 * 4, 3), cosine = some(8 * 2, 4),
              sine = some(8 * 2, 5), past_k = some(2 * 3 * 4, 6), past_v = some(2 * 3 * 4, 7);
  OneNode node("GroupQueryAttention");
  node.set("num_heads", 4).set("kv_num_heads", 2).set("do_rotary", 1).set("local_window_size", 3);
  Reals packed;  // by token
  for (std::size_t i = 0; i < 2; ++i)
    for (const Reals* part : {&q, &k, &v})
      packed.insert(packed.end(), part->begin() + std::ptrdiff_t(i * part->size() / 2),
                    part->begin() + std::ptrdiff_t((i + 1) * part->size() / 2));
  node.input({1, 2, 32}, packed).absent().absent().input({1, 2, 3, 4}, past_k).input({1, 2, 3, 4}, past_v);
  node.input({1}, {4}, OnnxType::int32).constant({1}, {5}, OnnxType::int32);
  node.constant({8, 2}, cosine).constant({8, 2}, sine);
  const Reals all_k = appended(past_k, swapped(turned(k, 2, 2, 4, cosine, sine, 3), 1, 2, 2, 4), 2);
  const Reals all_v = appended(past_v, swapped(v, 1, 2, 2, 4), 2);
  const Attended attended{
      .heads = 4, .kv_heads = 2, .queries = 2, .keys = 5, .features = 4, .scale = 0.5, .sees = [](int, int i, int j) {
        return j <= i + 3 && j > i;
      }};
  const auto results = node.run(3);
  check_close(results[1], all_k);
  check_close(results[2], all_v);
  check_close(results[0], attended(turned(q, 2, 4, 4, cosine, sine, 3), all_k, all_v));
  CHECK(node.recognised(*find_any_operator("@attention")) == 1);
}

TEST_CASE("onnx language models: GroupQueryAttention writes to caches of full length where lengths say") {
  const Reals q = some(2 * 2 * 2, 1), k = some(2 * 2, 2), v = some(2 * 2, 3), past_k = some(2 * 4 * 2, 6),
              past_v = some(2 * 4 * 2, 7), sinks = {0.5, 0.5};
  OneNode node("GroupQueryAttention");
  node.set("num_heads", 2).set("kv_num_heads", 1);
  node.input({2, 1, 4}, Reals(q)).input({2, 1, 2}, k).input({2, 1, 2}, v);
  node.input({2, 1, 4, 2}, past_k).input({2, 1, 4, 2}, past_v);
  node.input({2}, {2, 0}, OnnxType::int32).input({1}, {3}, OnnxType::int32);
  node.absent().absent().absent().absent().constant({2}, sinks);
  Reals all_k = past_k, all_v = past_v;
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t f = 0; f < 2; ++f) {
      all_k[(b * 4 + (b ? 0 : 2)) * 2 + f] = k[b * 2 + f];
      all_v[(b * 4 + (b ? 0 : 2)) * 2 + f] = v[b * 2 + f];
    }
  const Attended attended{.batch = 2,
                          .heads = 2,
                          .queries = 1,
                          .keys = 4,
                          .features = 2,
                          .scale = 1 / std::sqrt(2.0),
                          .sees = [](int b, int, int j) { return j <= (b ? 0 : 2); },
                          .sink = 0.5};
  const auto results = node.run(3);
  check_close(results[1], all_k);
  check_close(results[2], all_v);
  check_close(results[0], attended(q, all_k, all_v));
}

TEST_CASE("onnx language models: rotary embeddings of both domains, by halves and by neighbours") {
  const Reals x = some(2 * 3 * 4, 1), cosine = some(5 * 2, 2), sine = some(5 * 2, 3);
  OneNode halves("RotaryEmbedding");
  halves.input({1, 2, 12}, x).constant({1}, {3}, OnnxType::int64).constant({5, 2}, cosine).constant({5, 2}, sine);
  halves.set("num_heads", 3);
  check_close(halves.run()[0], turned(x, 2, 3, 4, cosine, sine, 3));

  OneNode neighbours("RotaryEmbedding", "");
  neighbours.set("interleaved", 1);
  neighbours.input({1, 3, 2, 4}, x).constant({5, 2}, cosine).constant({5, 2}, sine);
  neighbours.input({1, 2}, {3, 1}, OnnxType::int64);
  Reals expected = x;
  for (std::size_t row = 0; row < 6; ++row)
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const std::size_t at = row * 4 + pair * 2, place = (row % 2 ? 1 : 3) * 2 + pair;
      expected[at] = x[at] * cosine[place] - x[at + 1] * sine[place];
      expected[at + 1] = x[at] * sine[place] + x[at + 1] * cosine[place];
    }
  check_close(neighbours.run()[0], expected);
}

}  // namespace webnn::tests::language_models_test
