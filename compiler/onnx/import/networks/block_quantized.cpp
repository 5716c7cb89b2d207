// Weights in blocks of few bits, as ONNX Runtime's language models have them: MatMulNBits and GatherBlockQuantized.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

#include "compiler/onnx/import/networks/attention.hpp"
#include "compiler/onnx/import/networks/microsoft.hpp"
#include "compiler/onnx/import/tensors/parts.hpp"
#include "schema/round_up.hpp"
#include "schema/sentence.hpp"

namespace webnn::compiler {
namespace {

using enum OnnxType;

/// The bytes of a constant; refused when only running the graph would tell them.
const Bytes& bytes_of_constant(const ImportCall& c, TensorId id, std::string_view what, std::uint64_t size) {
  if (!c.is_known(id) || !c.at(id).problem.empty()) c.refuse(sentence(what, " must be a constant"));
  const Bytes& bytes = *c.at(id).data;
  if (bytes.size() != size) c.refuse(sentence(what, " has ", bytes.size(), " bytes, expected ", size));
  return bytes;
}

/// `rows` rows of `columns` numbers with `bits` bits, each row beginning with a byte, as bytes or half bytes.
TensorId unpacked_rows(ImportCall& c, const Bytes& from, std::int64_t bits, std::int64_t rows, std::int64_t columns) {
  const auto stored = static_cast<std::size_t>(div_up(columns * bits, 8));
  if (bits == 8 || (bits == 4 && columns % 2 == 0)) return c.constant(bits == 8 ? uint8 : uint4, {rows, columns}, from);
  c.count_elements(rows * columns);
  AlignedBytes room = c.room(std::uint64_t(div_up(rows * columns, 2)));
  const std::span<std::byte> halves = room.view();
  std::ranges::fill(halves, std::byte{0});
  std::size_t at = 0;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
    for (std::size_t i = 0; i < static_cast<std::size_t>(columns); ++i, ++at) {
      const std::size_t bit = i * static_cast<std::size_t>(bits);
      const auto value =
          (std::to_integer<unsigned>(from.data()[row * stored + bit / 8]) >> (bit % 8)) & ((1u << bits) - 1);
      halves[at / 2] |= std::byte(at % 2 ? value << 4 : value);
    }
  return c.constant(uint4, {rows, columns}, std::move(room));
}

/// The same number everywhere.
TensorId filled_rows(ImportCall& c, std::int64_t bits, std::int64_t rows, std::int64_t columns, std::int64_t value) {
  AlignedBytes data = c.room(std::uint64_t(bits == 8 ? rows * columns : div_up(rows * columns, 2)));
  std::ranges::fill(data.view(), std::byte(bits == 8 ? value : value * 17));
  if (bits != 8 && rows * columns % 2 != 0) data.view().back() &= std::byte(15);
  return c.constant(bits == 8 ? uint8 : uint4, {rows, columns}, std::move(data));
}

/// Zero points given as numbers of the type of the scales: as integers where they are, absent otherwise.
std::optional<TensorId> integral_points(ImportCall& c, TensorId given, std::int64_t bits, const OnnxIntegers& dims) {
  if (!c.is_known(given)) return std::nullopt;
  const std::vector<double> values = c.known_reals(given, "its zero points");
  AlignedBytes room = c.room(bits == 8 ? values.size() : div_up(values.size(), 2u));
  const std::span<std::byte> points = room.view();
  std::ranges::fill(points, std::byte{0});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] >= 0 && values[i] < double(1 << bits) && values[i] == std::floor(values[i]))) return std::nullopt;
    const auto point = std::byte(values[i]);
    points[bits == 8 ? i : i / 2] |= bits != 8 && i % 2 ? point << 4 : point;
  }
  return c.constant(bits == 8 ? uint8 : uint4, dims, std::move(room));
}

void check_groups(ImportCall& c, std::int64_t block) {
  if (!c.has(4) || c.count(c.input(4)) == 0) return;
  const OnnxIntegers groups = c.known_integers(c.input(4), "its g_idx");
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (groups[i] != std::int64_t(i) / block) c.refuse("its g_idx gives its rows to blocks in another order");
}

}  // namespace

/// matmul(a, transpose(dequantizeLinear(b))), which becomes a product that reads the integers.
void read_matmul_n_bits(ImportCall& c) {
  const std::int64_t rows = c.integer("N"), inner = c.integer("K"), bits = c.integer("bits", 4),
                     block = c.integer("block_size");
  if (bits != 2 && bits != 4 && bits != 8) c.refuse(sentence("WebNN has no integers with ", bits, " bits"));
  if (c.integer("weight_prepacked", 0) != 0) c.refuse("its weights are in the layout of a device");
  const std::int64_t most = max_dimension;
  if (rows < 1 || inner < 1 || block < 2 || rows > most || inner > most || block > most || block * bits % 8 != 0)
    c.refuse("its sizes are not valid");
  const std::int64_t blocks = div_up(inner, block), width = blocks * block;
  if (rows * blocks > most || width > most) c.refuse("its sizes are not valid");
  check_groups(c, block);
  const auto bytes = [&](std::int64_t columns) {
    return std::uint64_t(rows) * std::uint64_t(div_up(columns * bits, 8));
  };
  const TensorId weights =
      unpacked_rows(c, bytes_of_constant(c, c.input(1), "its weight", bytes(width)), bits, rows, width);
  TensorId scale = c.input(2);
  if (c.count(scale) != rows * blocks) c.refuse("it does not have one scale for each block");
  scale = c.reshape(scale, {rows, blocks});

  TensorId points, real_points;
  if (!c.has(3)) {
    points = filled_rows(c, bits, rows, blocks, std::int64_t{1} << (bits - 1));
  } else if (c.type(c.input(3)) == uint8) {
    points = unpacked_rows(c, bytes_of_constant(c, c.input(3), "its zero point", bytes(blocks)), bits, rows, blocks);
  } else {
    if (c.count(c.input(3)) != rows * blocks) c.refuse("it does not have one zero point for each block");
    const auto integers = integral_points(c, c.input(3), bits, {rows, blocks});
    points = integers ? *integers : filled_rows(c, bits, rows, blocks, 0);
    if (!integers) real_points = c.reshape(c.cast(c.input(3), c.type(scale)), {rows, blocks, 1});
  }
  TensorId b = c.make("dequantizeLinear"_op, {weights, scale, points});
  if (real_points.valid()) {
    const TensorId offset = c.make("mul"_op, {real_points, c.reshape(scale, {rows, blocks, 1})});
    b = c.reshape(c.make("sub"_op, {c.reshape(b, {rows, blocks, block}), offset}), {rows, width});
  }
  TensorId a = c.input(0);
  const OnnxIntegers dims = c.dims(a);
  if (dims.empty() || dims.back() != inner) c.refuse("its input does not have K columns");
  if (width != inner) {  // zeros meet what fills the last block
    OnnxIntegers begin(dims.size(), 0), end = begin;
    end.back() = width - inner;
    a = c.make("pad"_op, {a}, {{"beginningPadding", begin}, {"endingPadding", end}});
  }
  if (dims.size() == 1) a = c.reshape(a, {1, width});
  TensorId y = c.make("matmul"_op, {a, c.transpose(b, {1, 0})});
  if (dims.size() == 1) y = c.reshape(y, {rows});
  if (c.has(5)) y = c.make("add"_op, {y, c.input(5)});
  c.finish(y);
}

namespace {

/// The rows of a table that the indices name. The table may have several numbers in a byte.
TensorId gathered_numbers(ImportCall& c, TensorId table, TensorId indices, std::int64_t bits, bool is_signed,
                          OnnxType type) {
  TensorId x = c.cast(c.make("gather"_op, {table, indices}), type);
  if (bits == 8) return x;
  const double base = double(1 << bits);
  std::vector<TensorId> parts;
  for (std::int64_t i = 0; i < 8 / bits; ++i) {
    const TensorId rest = i + 1 < 8 / bits ? c.expression("floor(mul(?x, ?f))", {{{"x", x}, {"f", 1 / base}}}) : x;
    TensorId part = i + 1 < 8 / bits ? c.expression("sub(?x, mul(?r, ?b))", {{{"x", x}, {"r", rest}, {"b", base}}}) : x;
    if (is_signed)
      part =
          c.expression("where(greaterOrEqual(?x, ?h), sub(?x, ?b), ?x)", {{{"x", part}, {"h", base / 2}, {"b", base}}});
    OnnxIntegers dims = c.dims(part);
    dims.push_back(1);
    parts.push_back(c.reshape(part, dims));
    x = rest;
  }
  OnnxIntegers dims = c.dims(parts[0]);
  const TensorId y = joined_along(c, parts, std::int64_t(dims.size()) - 1);
  dims.pop_back();
  dims.back() *= 8 / bits;
  return c.reshape(y, dims);
}

/// Half bytes as bytes that hold two of them.
TensorId as_packed_bytes(ImportCall& c, TensorId x, std::string_view what) {
  OnnxIntegers dims = c.dims(x);
  if (dims.empty() || dims.back() % 2 != 0) c.refuse(sentence(what, " has rows with an odd number of half bytes"));
  dims.back() /= 2;
  return c.constant(uint8, dims, bytes_of_constant(c, x, what, std::uint64_t(c.count(x) / 2)));
}

}  // namespace

/// Gathers first, so that only the rows that are needed become numbers.
void read_gather_block_quantized(ImportCall& c) {
  TensorId table = c.input(0), points = c.optional(3);
  const TensorId indices = c.input(1), scale = c.input(2);
  const OnnxType type = c.type(table);
  const std::int64_t rank = c.rank(table), block = c.integer("block_size", 128);
  if (rank < 2) c.refuse("its table has no rows: it has fewer than two axes");
  if (c.rank(scale) != rank || (points.valid() && c.rank(points) != rank) || block < 1 || block > max_dimension)
    c.refuse("its table, scales and zero points do not fit together");
  for (std::size_t i = 0; i + 1 < std::size_t(rank); ++i)
    if (c.dims(scale)[i] != c.dims(table)[i] || (points.valid() && c.dims(points)[i] != c.dims(table)[i]))
      c.refuse("its scales or zero points do not have the axes of its table before the last one");
  if (c.count(table) == 0 || c.count(scale) == 0 || c.count(indices) == 0)
    c.refuse("its table, its scales or its indices have no elements, and WebNN has no such tensors");
  const bool is_half = type == uint4 || type == int4;
  const std::int64_t bits = is_half ? 4 : c.integer("bits", 4);
  if ((type != uint8 && !is_half) || (bits != 2 && bits != 4 && bits != 8)) c.refuse("its type is not supported");
  if (c.axis(c.integer("gather_axis", 0), rank) != 0 ||
      std::int64_t(c.axis(c.integer("quantize_axis", 1), rank)) != rank - 1)
    c.refuse("it does not gather along the first axis what is quantised along the last one");
  if (is_half) table = as_packed_bytes(c, table, "its table");
  if (is_half && points.valid() && c.dims(points).back() % 2 != 0)
    c.refuse("its zero points have rows with an odd number of half bytes");
  if (is_half && points.valid()) points = as_packed_bytes(c, points, "its zero points");

  const OnnxType real = c.type(scale);
  TensorId x = gathered_numbers(c, table, indices, bits, type == int4, real);
  const TensorId scales = c.make("gather"_op, {scale, indices});
  OnnxIntegers dims = c.dims(x), blocks = c.dims(scales);
  const std::int64_t columns = dims.back(), width = blocks.back() * block;
  if (width < columns || width - columns >= block) c.refuse("it does not have one scale for each block");
  const auto resized = [&](TensorId y, std::int64_t size) {  // the last axis
    OnnxIntegers begin(dims.size(), 0), end = begin;
    end.back() = size - columns;
    return size == columns ? y : c.make("pad"_op, {y}, {{"beginningPadding", begin}, {"endingPadding", end}});
  };
  x = resized(x, width);
  OnnxIntegers split = blocks;
  split.push_back(block);
  blocks.push_back(1);
  x = c.reshape(x, split);
  if (points.valid()) {
    TensorId zero = gathered_numbers(c, points, indices, bits, type == int4, real);
    if (c.dims(zero).back() < c.dims(scales).back()) c.refuse("it does not have one zero point for each block");
    zero = parts::sliced_at(c, zero, dims.size() - 1, 0, c.dims(scales).back());
    x = c.make("sub"_op, {x, c.reshape(zero, blocks)});
  } else if (type == uint8) {
    x = c.make("sub"_op, {x, c.scalar_like(x, double(1 << (bits - 1)))});
  }
  x = c.make("mul"_op, {x, c.reshape(scales, blocks)});
  dims.back() = width;
  c.finish(parts::sliced_at(c, c.reshape(x, dims), dims.size() - 1, 0, columns));
}

}  // namespace webnn::compiler
