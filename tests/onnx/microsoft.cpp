// Operators of com.microsoft, which ONNX's own tests do not have, against plain loops.
#include <cmath>

#include "tests/onnx/one_node.hpp"

namespace webnn::tests::microsoft_test {

TEST_CASE("onnx microsoft: MatMulNBits multiplies with blocks of integers") {
  for (const int bits : {2, 4, 8})
    for (const int inner : {48, 40, 64})
      for (const int points : {0, 1, 2, 3}) {  // absent, packed, as integral numbers, as other numbers
        CAPTURE(bits);
        CAPTURE(inner);
        CAPTURE(points);
        const int block = 16, blocks = (inner + block - 1) / block, most = 1 << bits;
        const int rows = 31;
        const Reals a = some(2 * inner, 1), scale = some(rows * blocks, 2);
        Reals weights, zeros, packed(std::size_t(rows * blocks * block * bits / 8)),
            packed_zeros(std::size_t(rows * ((blocks * bits + 7) / 8)));
        const auto put = [&](Reals& bytes, int row, int column, int columns, int value) {
          const int bit = column * bits;
          bytes[std::size_t(row * ((columns * bits + 7) / 8) + bit / 8)] += value << bit % 8;
        };
        for (int row = 0; row < rows; ++row) {
          for (int j = 0; j < blocks * block; ++j) {
            weights.push_back((row * 7 + j * 5) % most);
            put(packed, row, j, blocks * block, int(weights.back()));
          }
          for (int j = 0; j < blocks; ++j) {
            const int zero = (row + j * 3) % most;
            zeros.push_back(points == 0 ? most / 2 : points == 3 ? zero + 0.25 : zero);
            put(packed_zeros, row, j, blocks, zero);
          }
        }
        OneNode node("MatMulNBits");
        node.set("N", rows).set("K", inner).set("bits", bits).set("block_size", block);
        node.input({2, inner}, a).constant({rows, blocks, block * bits / 8}, packed, OnnxType::uint8);
        node.constant({rows, blocks}, scale);
        if (points == 1)
          node.constant({rows, (blocks * bits + 7) / 8}, packed_zeros, OnnxType::uint8);
        else if (points != 0)
          node.constant({rows, blocks}, zeros);
        Reals expected;
        for (int i = 0; i < 2; ++i)
          for (int row = 0; row < rows; ++row) {
            double sum = 0;
            for (int j = 0; j < inner; ++j) {
              const auto at = std::size_t(row * blocks + j / block);
              sum += a[std::size_t(i * inner + j)] * (weights[std::size_t(row * blocks * block + j)] - zeros[at]) *
                     scale[at];
            }
            expected.push_back(sum);
          }
        check_close(node.run()[0], expected);
        if (points != 3) CHECK(node.recognised(*find_any_operator("@blockQuantizedMatmul")) == 1);
      }
}

TEST_CASE("onnx microsoft: GatherBlockQuantized gathers rows and makes numbers of them") {
  const int blocks = 2, block = 16, columns = 32;
  const Reals scale = some(5 * blocks, 2);
  Reals packed(5 * columns / 2), weights;
  for (int i = 0; i < 5 * columns; ++i) {
    weights.push_back(i * 7 % 16);
    packed[std::size_t(i / 2)] += weights.back() * (i % 2 ? 16 : 1);
  }
  OneNode node("GatherBlockQuantized");
  node.set("block_size", block).constant({5, columns / 2}, packed, OnnxType::uint8);
  node.input({1, 3}, {4, 0, 2}, OnnxType::int64).constant({5, blocks}, scale);
  node.constant({5, 1}, {0x21, 0x43, 0x65, 0x87, 0xa9}, OnnxType::uint8);
  Reals expected;
  for (const int row : {4, 0, 2})
    for (int j = 0; j < columns; ++j)
      expected.push_back((weights[std::size_t(row * columns + j)] - (2 * row + 1 + j / block)) *
                         scale[std::size_t(row * blocks + j / block)]);
  check_close(node.run()[0], expected);
}

TEST_CASE("onnx microsoft: normalisations with a sum before them") {
  const Reals x = some(2 * 4, 1), skip = some(2 * 4, 2), scale = some(4, 3), bias = some(4, 4);
  Reals sum, rms, layer;
  for (std::size_t i = 0; i < 8; ++i) sum.push_back(x[i] + skip[i]);
  for (std::size_t row = 0; row < 2; ++row) {
    double mean = 0, squares = 0, variance = 0;
    for (std::size_t i = 0; i < 4; ++i) mean += sum[row * 4 + i] / 4;
    for (std::size_t i = 0; i < 4; ++i) {
      squares += sum[row * 4 + i] * sum[row * 4 + i] / 4;
      variance += (sum[row * 4 + i] - mean) * (sum[row * 4 + i] - mean) / 4;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      rms.push_back(sum[row * 4 + i] / std::sqrt(squares + 1e-3) * scale[i]);
      layer.push_back((sum[row * 4 + i] - mean) / std::sqrt(variance + 1e-3) * scale[i] + bias[i]);
    }
  }
  OneNode simplified("SkipSimplifiedLayerNormalization");
  simplified.set("epsilon", 1e-3f).input({1, 2, 4}, x).input({1, 2, 4}, skip).constant({4}, scale);
  check_close(simplified.run()[0], rms);
  CHECK(simplified.recognised(*find_any_operator("@rmsNormalization")) == 1);
  OneNode whole("SkipLayerNormalization");
  whole.set("epsilon", 1e-3f).input({1, 2, 4}, x).input({1, 2, 4}, skip).constant({4}, scale).constant({4}, bias);
  check_close(whole.run()[0], layer);
  OneNode plain("SimplifiedLayerNormalization", "");
  plain.set("epsilon", 1e-3f).input({1, 2, 4}, sum).constant({4}, scale);
  check_close(plain.run()[0], rms);
  CHECK(plain.recognised(*find_any_operator("@rmsNormalization")) == 1);
  OneNode newest("RMSNormalization", "");
  newest.set("epsilon", 1e-3f).input({1, 2, 4}, sum).constant({4}, scale);
  check_close(newest.run()[0], rms);
  CHECK(newest.recognised(*find_any_operator("@rmsNormalization")) == 1);
}

TEST_CASE("onnx microsoft: activations of com.microsoft") {
  const Reals x = some(6, 1), bias = some(3, 2);
  Reals fast, quick, exact;
  for (std::size_t i = 0; i < 6; ++i) {
    const double y = x[i] + bias[i % 3];
    fast.push_back(0.5 * y * (1 + std::tanh(0.7978845608028654 * (y + 0.044715 * y * y * y))));
    quick.push_back(x[i] / (1 + std::exp(-1.702 * x[i])));
    exact.push_back(0.5 * y * (1 + std::erf(y / std::sqrt(2.0))));
  }
  check_close(OneNode("FastGelu").input({2, 3}, x).constant({3}, bias).run()[0], fast);
  check_close(OneNode("BiasGelu").input({2, 3}, x).constant({3}, bias).run()[0], exact);
  check_close(OneNode("QuickGelu").input({2, 3}, x).run()[0], quick);
}

TEST_CASE("onnx microsoft: products with integers that are quantised while they run") {
  const Reals a{-1, 0.25, 2, 0.5, 0.1, -0.3}, b{10, -20, 30, 40, 50, 60};
  OneNode node("DynamicQuantizeMatMul");
  node.input({2, 3}, a).constant({3, 2}, b, OnnxType::int8).constant({1}, {0.5});
  const double scale = 3.0 / 255, point = std::nearbyint(1 / scale);
  Reals expected;
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      double sum = 0;
      for (std::size_t f = 0; f < 3; ++f)
        sum += (std::nearbyint(a[i * 3 + f] / scale) + point - point) * scale * b[f * 2 + j] * 0.5;
      expected.push_back(sum);
    }
  check_close(node.run()[0], expected);

  OneNode sum("QLinearAdd");
  sum.input({3}, {10, 20, 250}, OnnxType::uint8).constant({}, {0.5}).constant({}, {10}, OnnxType::uint8);
  sum.input({3}, {0, 3, 255}, OnnxType::uint8).constant({}, {0.25}).absent();
  sum.constant({}, {1}).constant({}, {5}, OnnxType::uint8);
  check_close(sum.run()[0], {5, 11, 189});
}

TEST_CASE("onnx microsoft: GroupNorm with channels last and SiLU") {
  const Reals x = some(1 * 2 * 1 * 4, 1), scale = some(4, 2), bias = some(4, 3);
  OneNode node("GroupNorm");
  node.set("groups", 2).set("activation", 1).set("epsilon", 1e-3f);
  node.input({1, 2, 1, 4}, x).constant({4}, scale).constant({4}, bias);
  Reals expected(8);
  for (std::size_t group = 0; group < 2; ++group) {
    double mean = 0, variance = 0;
    const auto each = [&](const auto& use) {
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t f = 0; f < 2; ++f) use(i * 4 + group * 2 + f);
    };
    each([&](std::size_t at) { mean += x[at] / 4; });
    each([&](std::size_t at) { variance += (x[at] - mean) * (x[at] - mean) / 4; });
    each([&](std::size_t at) {
      const double y = (x[at] - mean) / std::sqrt(variance + 1e-3) * scale[at % 4] + bias[at % 4];
      expected[at] = y / (1 + std::exp(-y));
    });
  }
  check_close(node.run()[0], expected);
}

}  // namespace webnn::tests::microsoft_test
