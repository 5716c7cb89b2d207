// ONNX operators with indices. As in WebNN, a negative one counts from the end.
#include <algorithm>
#include <map>
#include <numeric>

#include "compiler/onnx/import/tensors/parts.hpp"

namespace webnn::compiler {
namespace {

/// Reductions that combine with what is there apply updates in rounds, each with every position once.
constexpr std::int64_t most_scatter_rounds = 256;

void read_gather(ImportCall& c) {
  const TensorId x = c.input(0);
  c.finish(parts::gathered(c, x, c.input(1), c.axis(c.integer("axis", 0), c.rank(x))));
}

/// What `indices` of one axis can reach: they may be fewer than the input's elements on the others.
TensorId reachable(ImportCall& c, TensorId x, TensorId indices, std::uint32_t axis) {
  if (c.rank(x) != c.rank(indices)) c.refuse("the indices have not as many dimensions as the input");
  OnnxIntegers sizes = c.dims(indices);
  sizes[axis] = c.dims(x)[axis];
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > c.dims(x)[i]) c.refuse("there are more indices than elements in another axis than theirs");
  return parts::sliced(c, x, OnnxIntegers(sizes.size(), 0), sizes, OnnxIntegers(sizes.size(), 1));
}

TensorId gathered_elements(ImportCall& c, TensorId x, TensorId indices, std::uint32_t axis) {
  const TensorId from = reachable(c, x, indices, axis);
  if (c.count(indices) == 0) return parts::without_elements(c, c.type(x), c.dims(indices));
  return c.make("gatherElements"_op, {from, indices}, {{"axis", std::int64_t{axis}}});
}

void read_gather_elements(ImportCall& c) {
  const TensorId x = c.input(0);
  c.finish(gathered_elements(c, x, c.input(1), c.axis(c.integer("axis", 0), c.rank(x))));
}

/// A position on each of the first `count` axes of `dims`, before the last axis of `coordinates`.
TensorId with_own_positions(ImportCall& c, TensorId coordinates, std::size_t count) {
  std::vector<TensorId> columns;
  OnnxIntegers dims = c.dims(coordinates);
  const OnnxType type = c.type(coordinates);
  dims.back() = 1;
  for (std::uint32_t axis = 0; axis < count; ++axis)
    columns.push_back(c.expand(parts::counted_up_at(c, type, dims[axis], axis, std::int64_t(dims.size())), dims));
  columns.push_back(coordinates);
  return parts::concatenated(c, columns, std::uint32_t(dims.size() - 1));
}

/// Batches are the first coordinates.
void read_gather_nd(ImportCall& c) {
  const TensorId x = c.input(0), indices = c.input(1);
  const std::int64_t batches = c.integer("batch_dims", 0);
  if (c.rank(x) < 1 || c.rank(indices) < 1) c.refuse("the input or the indices are scalar");
  if (batches < 0 || batches >= std::min(c.rank(x), c.rank(indices))) c.refuse("its batch_dims are out of range");
  for (std::size_t i = 0; i < std::size_t(batches); ++i)
    if (c.dims(x)[i] != c.dims(indices)[i]) c.refuse("the input and the indices have different batches");
  if (c.count(indices) == 0 && c.dims(indices).back() > 0 && c.dims(indices).back() <= c.rank(x) - batches) {
    OnnxIntegers dims(c.dims(indices).begin(), c.dims(indices).end() - 1);
    dims.insert(dims.end(), c.dims(x).begin() + batches + c.dims(indices).back(), c.dims(x).end());
    return c.finish(parts::without_elements(c, c.type(x), dims));
  }
  c.finish(c.make("gatherND"_op, {x, batches == 0 ? indices : with_own_positions(c, indices, std::size_t(batches))}));
}

// ---- scattering

/// The operator that combines an update with what is there; nullopt: the update replaces it.
std::optional<OperatorId> scatter_reduction(const ImportCall& c) {
  static constexpr std::pair<std::string_view, OperatorId> rows[] = {
      {"add", "add"_op}, {"mul", "mul"_op}, {"max", "max"_op}, {"min", "min"_op}};
  const std::string name = c.text("reduction", "none");
  if (name == "none") return std::nullopt;
  for (const auto& [known, op] : rows)
    if (known == name) return op;
  c.refuse("it has no reduction \"" + name + "\"");
}

[[noreturn]] void too_many_rounds(const ImportCall& c, std::int64_t rounds) {
  c.refuse("WebNN's scatter replaces elements, and " + std::to_string(rounds) +
           " updates one after the other are too many (at most " + std::to_string(most_scatter_rounds) + ")");
}

/// An axis where the indices are fewer than the elements: WebNN wants all, so every update gets all its coordinates.
TensorId scattered_elements(ImportCall& c, TensorId x, TensorId indices, TensorId updates, std::uint32_t axis) {
  bool fits = true;
  for (std::size_t i = 0; i < c.dims(x).size(); ++i) fits = fits && (i == axis || c.dims(indices)[i] == c.dims(x)[i]);
  if (fits) return c.make("scatterElements"_op, {x, indices, updates}, {{"axis", std::int64_t{axis}}});
  const OnnxType type = c.type(indices);
  const OnnxIntegers& dims = c.dims(indices);
  OnnxIntegers column = dims;
  column.push_back(1);
  std::vector<TensorId> columns;
  for (std::uint32_t i = 0; i < dims.size(); ++i) {
    const TensorId place = i == axis ? indices : parts::counted_up_at(c, type, dims[i], i, c.rank(x));
    columns.push_back(c.reshape(c.expand(place, dims), column));
  }
  // As a list, because WebNN's tensors have eight dimensions at most.
  const std::int64_t count = c.count(indices);
  for (TensorId& place : columns) place = c.reshape(place, {count, 1});
  return c.make("scatterND"_op, {x, parts::concatenated(c, columns, 1), c.reshape(updates, {count})});
}

/// Indices that differ in other axes never meet: a round for each step along the axis.
void read_scatter_elements(ImportCall& c) {
  TensorId x = c.input(0);
  const TensorId indices = c.input(1), updates = c.input(2);
  const std::uint32_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  if (c.dims(indices) != c.dims(updates)) c.refuse("the updates have not the shape of the indices");
  if (c.type(updates) != c.type(x)) c.refuse("the updates have another type than the input");
  reachable(c, x, indices, axis);  // checks the shapes
  if (c.count(indices) == 0) return c.finish(x);
  const auto reduction = scatter_reduction(c);
  if (!reduction) return c.finish(scattered_elements(c, x, indices, updates, axis));
  const std::int64_t rounds = c.dims(indices)[axis];
  if (rounds > most_scatter_rounds) too_many_rounds(c, rounds);
  for (std::int64_t round = 0; round < rounds; ++round) {
    const TensorId at = parts::sliced_at(c, indices, axis, round, 1);
    const TensorId update = parts::sliced_at(c, updates, axis, round, 1);
    x = scattered_elements(c, x, at, c.make(*reduction, {gathered_elements(c, x, at, axis), update}), axis);
  }
  c.finish(x);
}

/// Rows of indices by round: rows of a round address different places. Rows that only running the graph tells get a
/// round each.
std::vector<OnnxIntegers> scatter_rounds(const ImportCall& c, TensorId x, TensorId indices, std::int64_t rows) {
  std::vector<OnnxIntegers> rounds;
  const auto depth = std::size_t(c.dims(indices).back());
  const auto add = [&](std::size_t round, std::int64_t row) {
    if (round >= std::size_t(most_scatter_rounds)) too_many_rounds(c, std::int64_t(round) + 1);
    if (round >= rounds.size()) rounds.emplace_back();
    rounds[round].push_back(row);
  };
  if (!c.is_known(indices)) {
    if (rows > most_scatter_rounds) too_many_rounds(c, rows);
    for (std::int64_t row = 0; row < rows; ++row) add(std::size_t(row), row);
    return rounds;
  }
  const OnnxIntegers known = c.known_integers(indices, "the indices");
  c.count_elements(16 * std::int64_t(known.size()));  // comparisons
  std::map<OnnxIntegers, std::size_t> seen;
  for (std::int64_t row = 0; row < rows; ++row) {
    OnnxIntegers place(known.begin() + std::ptrdiff_t(std::size_t(row) * depth),
                       known.begin() + std::ptrdiff_t(std::size_t(row + 1) * depth));
    for (std::size_t i = 0; i < depth; ++i)
      if (place[i] < 0) place[i] += c.dims(x)[i];
    add(seen[place]++, row);
  }
  return rounds;
}

void read_scatter_nd(ImportCall& c) {
  TensorId x = c.input(0), indices = c.input(1), updates = c.input(2);
  const auto reduction = scatter_reduction(c);
  if (c.rank(indices) < 1 || c.dims(indices).back() > c.rank(x)) c.refuse("the indices do not fit the input");
  OnnxIntegers expected(c.dims(indices).begin(), c.dims(indices).end() - 1);
  expected.insert(expected.end(), c.dims(x).begin() + c.dims(indices).back(), c.dims(x).end());
  if (c.dims(updates) != expected) c.refuse("the updates have not the shape of what the indices address");
  if (c.type(updates) != c.type(x)) c.refuse("the updates have another type than the input");
  if (c.count(indices) == 0 || c.count(updates) == 0) return c.finish(x);
  if (!reduction) return c.finish(c.make("scatterND"_op, {x, indices, updates}));
  const std::int64_t depth = c.dims(indices).back(), rows = c.count(indices) / depth;
  OnnxIntegers dims{rows};
  dims.insert(dims.end(), c.dims(x).begin() + depth, c.dims(x).end());
  indices = c.reshape(indices, {rows, depth});
  updates = c.reshape(updates, dims);
  for (const OnnxIntegers& round : scatter_rounds(c, x, indices, rows)) {
    const bool is_all = std::int64_t(round.size()) == rows;
    const TensorId chosen = is_all ? TensorId{} : c.integers_tensor(round);
    const TensorId at = is_all ? indices : parts::gathered(c, indices, chosen, 0);
    const TensorId update = is_all ? updates : parts::gathered(c, updates, chosen, 0);
    x = c.make("scatterND"_op, {x, at, c.make(*reduction, {c.make("gatherND"_op, {x, at}), update})});
  }
  c.finish(x);
}

/// Where the position on a new axis is the index. Negative indices count from the end since version 11.
void read_one_hot(ImportCall& c) {
  const TensorId given = c.input(0), values = c.input(2);
  const std::int64_t depth = c.known_number(c.input(1), "the depth").as_int64();
  if (depth < 1 || depth > max_dimension) c.refuse("the depth is out of range");
  if (c.dims(values) != OnnxIntegers{2}) c.refuse("the values are not two");
  const std::uint32_t axis = c.axis(c.integer("axis", -1), c.rank(given) + 1);
  OnnxIntegers dims = c.dims(given);
  dims.insert(dims.begin() + axis, depth);
  if (c.count(given) == 0) return c.finish(parts::without_elements(c, c.type(values), dims));
  TensorId indices = c.cast(given, c.type(given) == OnnxType::int32 ? OnnxType::int32 : OnnxType::int64);
  if (c.opset() >= 11) {
    const TensorId from_end = c.make("add"_op, {indices, c.scalar_like(indices, depth)});
    indices = c.make("where"_op, {c.make("lesser"_op, {indices, c.scalar_like(indices, 0)}), from_end, indices});
  }
  dims[axis] = 1;
  const TensorId places = parts::counted_up_at(c, c.type(indices), depth, axis, std::int64_t(dims.size()));
  const TensorId is_on = c.make("equal"_op, {c.reshape(indices, dims), places});
  const auto value = [&](std::int64_t at) { return c.reshape(parts::sliced_at(c, values, 0, at, 1), {}); };
  c.finish(c.make("where"_op, {is_on, value(1), value(0)}));
}

constexpr OnnxImportRow indexed_import_rows[] = {
    {.op_type = "Compress", .read = read_compress},
    {.op_type = "Gather", .read = read_gather},
    {.op_type = "GatherElements", .read = read_gather_elements},
    {.op_type = "GatherND", .read = read_gather_nd},
    {.op_type = "NonZero", .read = read_non_zero},
    {.op_type = "OneHot", .read = read_one_hot},
    {.op_type = "Scatter", .read = read_scatter_elements},
    {.op_type = "ScatterElements", .read = read_scatter_elements},
    {.op_type = "ScatterND", .read = read_scatter_nd},
    {.op_type = "TopK", .read = read_top_k},
    {.op_type = "Unique", .read = read_unique},
};

}  // namespace

std::span<const OnnxImportRow> import_indexed_rows() { return indexed_import_rows; }

}  // namespace webnn::compiler
